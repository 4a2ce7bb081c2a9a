"""What an iteration learns from."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest
from tests.unit.buffer.making import PLACE, TASK, attempt, spoilt, tokens
from tests.unit.viewer.made_rows import row

from webgym.errors import ConfigError, SampleError, TrainingError
from webgym.records.prompt import pack_ids, unpack_ids
from webgym.records.sample import Batch, PolicyVersion, TrainingResult
from webgym.records.task import Task
from webgym.records.trajectory import Attempt, Ending, Failure, Success, Trajectory
from webgym.records.vocabulary import ImageTokens
from webgym.rollout.pool import open_pool
from webgym.run.batches import BatchMaker, sayable
from webgym.run.figures import learned
from webgym.run.folders import Folders
from webgym.run.sources.collect import Rollouts
from webgym.run.sources.in_turn import in_turn
from webgym.run.vocabulary import vocabulary_of
from webgym.testing.rollouts import EventList
from webgym.train.batch_file import read_batch
from webgym.train.recipe import recipe_named

pytestmark = pytest.mark.anyio
WORDS = ImageTokens(PLACE, (PLACE, 8))
TASKS = [Task(f"t{number}", TASK.instruction, TASK.website, TASK.rubric) for number in range(8)]


class Store:
    """Attempts of two steps; every other one succeeds."""

    def __init__(self, version: int = 0) -> None:
        self.version = version
        self.kept: dict[str, Trajectory] = {}

    async def roll(self, wanted: Attempt) -> Ending:
        outcome = Success() if len(self.kept) % 2 else Failure()
        made = attempt(wanted.attempt_id, outcome, version=self.version)
        self.kept[wanted.attempt_id] = Trajectory(wanted, made.steps, made.ending)
        return made.ending


async def harvested(store: Store, source_of, iteration: int, version: int, folder: Path):
    """The source, the fates of its groups, and its batch with the number of samples that it lacks."""
    async with open_pool(store.roll, EventList(), slots=1) as pool:
        rollouts = Rollouts(pool, TASKS, store.kept.__getitem__, lambda: frozenset(store.kept), seed=1)
        source = source_of(rollouts, BatchMaker(WORDS, lambda _: (), Folders(folder)))
        harvest = await source.take(iteration, version)
        built = source.batch(harvest, version, 0.0)
        return source, harvest.fates, built and read_batch(built.path), built.lacking if built else 0


def groups(**changes):
    recipe = recipe_named("asyncwebrl-grpo")
    source = recipe.source.model_copy(update={"groups": 2, "members": 4})
    return lambda *given: in_turn(recipe.model_copy(update={"source": source}), *given, **changes)


def replay(*given):
    recipe = recipe_named("webgym-fbc")
    source = recipe.source.model_copy(update={"tasks": 4, "steps": 100, "iterations": 2})
    return in_turn(recipe.model_copy(update={"source": source}), *given)


async def test_groups_become_a_batch_for_the_weights_that_sampled_them(tmp_path):
    store = Store(version=5)
    _, fates, batch, _ = await harvested(store, groups(), 6, 5, tmp_path)
    assert fates == {"kept": 2}
    assert len(batch.samples) == 2 * 4 * 2
    assert sum(one.advantage for one in batch.samples) == pytest.approx(0)


async def test_tokens_of_other_weights_stop_synchronous_training(tmp_path):
    with pytest.raises(TrainingError, match=r"by lag: \{1: "):
        await harvested(Store(version=4), groups(), 6, 5, tmp_path)
    assert not Folders(tmp_path).batch(5).exists()


async def test_a_replay_learns_from_successes_alone_and_remembers_the_iterations_before(tmp_path):
    store = Store()
    _, _, first, _ = await harvested(store, replay, 1, 0, tmp_path)
    succeeded = {name for name, one in store.kept.items() if isinstance(one.ending.outcome, Success)}
    assert {one.attempt_id for one in first.samples} == succeeded
    assert all(one.advantage == 1 for one in first.samples)

    _, _, alone, _ = await harvested(store, replay, 2, 1, tmp_path / "alone")
    again = {one.attempt_id for one in alone.samples}
    assert again
    assert again.isdisjoint(succeeded)  # a restart that remembers nothing

    def remembering(*given):
        source = replay(*given)
        source.remember(1, [one for name, one in store.kept.items() if name.startswith("00001/")])
        return source

    _, _, both, _ = await harvested(store, remembering, 2, 1, tmp_path / "both")
    assert {one.attempt_id for one in both.samples} == again | succeeded


async def test_a_replay_that_is_restarted_reads_the_iterations_before_from_the_store(tmp_path):
    store = Store()
    await harvested(store, replay, 1, 0, tmp_path)
    ended = [row(n, attempt_id=name) for n, name in enumerate(store.kept)]
    async with open_pool(store.roll, EventList(), slots=1) as pool:
        over = frozenset(store.kept)
        rollouts = Rollouts(pool, TASKS, store.kept.__getitem__, lambda: over, seed=1, rows=lambda: ended)
        for first, known in ((2, {1}), (3, set())):
            source = replay(rollouts, BatchMaker(WORDS, lambda _: (), Folders(tmp_path)))
            async with source.rolling(first):
                assert set(source.buffer.available) == known


async def test_shuffled_rewards_change_who_is_praised_and_nothing_else(tmp_path):
    store = Store()
    _, _, plain, _ = await harvested(store, groups(), 1, 0, tmp_path / "plain")
    _, _, shuffled, _ = await harvested(store, groups(shuffles=True), 1, 0, tmp_path / "shuffled")
    names = [(one.attempt_id, one.step, one.sampled) for one in plain.samples]
    assert [(one.attempt_id, one.step, one.sampled) for one in shuffled.samples] == names
    assert sorted(one.advantage for one in plain.samples) == sorted(one.advantage for one in shuffled.samples)
    assert [one.advantage for one in plain.samples] != [one.advantage for one in shuffled.samples]


async def test_nothing_to_learn_from_is_no_batch(tmp_path):
    class Hopeless(Store):
        async def roll(self, wanted: Attempt) -> Ending:
            made = attempt(wanted.attempt_id, Failure())
            self.kept[wanted.attempt_id] = Trajectory(wanted, made.steps, made.ending)
            return made.ending

    for kind in (groups(), replay):
        _, _, batch, _ = await harvested(Hopeless(), kind, 1, 0, tmp_path)
        assert batch is None


class Untold(Store):
    """Some first replies come without logprobs."""

    def __init__(self, *which: int) -> None:
        super().__init__()
        self.which = which

    async def roll(self, wanted: Attempt) -> Ending:
        number = len(self.kept)
        ending = await super().roll(wanted)
        if number in self.which:
            self.kept[wanted.attempt_id] = spoilt(self.kept[wanted.attempt_id], logprobs=b"")
        return ending


async def test_a_reply_that_does_not_tell_all_is_left_out_and_counted(tmp_path):
    _, fates, whole, nothing = await harvested(Store(), groups(), 1, 0, tmp_path / "whole")
    _, same, less, lacking = await harvested(Untold(0, 5), groups(), 1, 0, tmp_path / "less")
    assert (nothing, lacking) == (0, 2)
    assert len(less.samples) == len(whole.samples) - 2
    assert set(less.samples) < set(whole.samples)
    assert same == fates


async def test_if_no_reply_tells_all_it_is_said_what_they_lack(tmp_path):
    class Mute(Store):
        async def roll(self, wanted: Attempt) -> Ending:
            made = attempt(wanted.attempt_id, Success() if len(self.kept) % 2 else Failure(), [3])
            self.kept[wanted.attempt_id] = spoilt(Trajectory(wanted, made.steps, made.ending), logprobs=b"")
            return made.ending

    with pytest.raises(SampleError, match="gave no logprobs"):
        await harvested(Mute(), groups(), 1, 0, tmp_path)


@pytest.mark.parametrize(("before", "figures"), [({}, {}), ({"lacking": 1.0}, {"lacking": 1.0})])
def test_an_update_tells_how_many_samples_were_left_out(before, figures):
    trained = TrainingResult(PolicyVersion(1, "model"), 3, 30, 1, 1e-5, 0.05, {"loss": 0.1} | before)
    assert learned(trained, {"kept": 2}, {0: 3}).figures == {"loss": 0.1} | figures
    assert learned(trained, {"kept": 2}, {0: 3}, lacking=2).figures["lacking"] == 2 + before.get("lacking", 0)


async def test_replies_with_tokens_of_pictures_are_left_out(tmp_path):
    _, _, batch, _ = await harvested(Store(), groups(), 1, 0, tmp_path)
    first, *others = batch.samples
    bad = msgspec.structs.replace(first, sampled=pack_ids([9, 8, 7]))
    assert sayable(Batch((bad, *others), 0), WORDS) == Batch(tuple(others), 0)
    assert set(unpack_ids(tokens().sampled)).isdisjoint(WORDS.never)


def test_a_model_says_which_tokens_stand_for_pictures(tmp_path):
    (tmp_path / "config.json").write_text('{"image_token_id": 7, "video_token_id": 8, "vision_start_token_id": 5}')
    assert vocabulary_of(tmp_path) == ImageTokens(7, (7, 8, 5))
    (tmp_path / "config.json").write_text("{}")
    with pytest.raises(ConfigError, match="image_token_id"):
        vocabulary_of(tmp_path)
