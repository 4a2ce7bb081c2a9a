"""What an iteration learns from."""

from __future__ import annotations

import msgspec
import pytest
from tests.unit.buffer.making import PLACE, TASK, attempt, spoilt, tokens

from webgym.errors import ConfigError, SampleError, TrainingError
from webgym.records.prompt import pack_ids, unpack_ids
from webgym.records.sample import Batch, PolicyVersion, TrainingResult
from webgym.records.task import Task
from webgym.records.trajectory import Attempt, Ending, Failure, Success, Trajectory
from webgym.records.vocabulary import ImageTokens
from webgym.rollout.pool import open_pool
from webgym.run.training.batches import check_lag, sayable
from webgym.run.training.collect import Rollouts
from webgym.run.training.figures import learned
from webgym.run.training.iteration_batch import IterationBatchMaker
from webgym.run.vocabulary import vocabulary_of
from webgym.testing.rollouts import EventList
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


async def harvested(store: Store, batch_maker_of, iteration: int, version: int):
    async with open_pool(store.roll, EventList(), slots=1) as pool:
        rollouts = Rollouts(pool, TASKS, store.kept.__getitem__, lambda: frozenset(store.kept), seed=1)
        batch_maker = batch_maker_of(rollouts)
        return batch_maker, await batch_maker.make(iteration, version)


def groups(**changes):
    recipe = recipe_named("asyncwebrl-grpo")
    source = recipe.source.model_copy(update={"groups": 2, "members": 4})
    return lambda rollouts: IterationBatchMaker(
        recipe.model_copy(update={"source": source}), rollouts, WORDS, **changes
    )


def replay(rollouts):
    recipe = recipe_named("webgym-fbc")
    source = recipe.source.model_copy(update={"tasks": 4, "steps": 100, "iterations": 2})
    return IterationBatchMaker(recipe.model_copy(update={"source": source}), rollouts, WORDS)


async def test_groups_become_a_batch_for_the_weights_that_sampled_them():
    store = Store(version=5)
    _, made = await harvested(store, groups(), 6, 5)
    assert made.fates == {"kept": 2}
    assert len(made.batch.samples) == 2 * 4 * 2
    assert sum(one.advantage for one in made.batch.samples) == pytest.approx(0)
    check_lag(made.batch)


async def test_tokens_of_other_weights_stop_synchronous_training():
    _, made = await harvested(Store(version=4), groups(), 6, 5)
    with pytest.raises(TrainingError, match=r"by lag: \{1: "):
        check_lag(made.batch)


async def test_a_replay_learns_from_successes_alone_and_remembers_the_iterations_before():
    store = Store()
    batch_maker, first = await harvested(store, replay, 1, 0)
    succeeded = {name for name, one in store.kept.items() if isinstance(one.ending.outcome, Success)}
    assert {one.attempt_id for one in first.batch.samples} == succeeded
    assert all(one.advantage == 1 for one in first.batch.samples)
    assert batch_maker.remembers == 1

    _, alone = await harvested(store, replay, 2, 1)
    again = {one.attempt_id for one in alone.batch.samples}
    assert again
    assert again.isdisjoint(succeeded)  # a restart that remembers nothing

    def remembering(rollouts):
        batch_maker = replay(rollouts)
        batch_maker.remember(1, [one for name, one in store.kept.items() if name.startswith("00001/")])
        return batch_maker

    _, both = await harvested(store, remembering, 2, 1)
    assert {one.attempt_id for one in both.batch.samples} == again | succeeded


async def test_shuffled_rewards_change_who_is_praised_and_nothing_else():
    store = Store()
    _, plain = await harvested(store, groups(), 1, 0)
    _, shuffled = await harvested(store, groups(shuffles=True), 1, 0)
    names = [(one.attempt_id, one.step, one.sampled) for one in plain.batch.samples]
    assert [(one.attempt_id, one.step, one.sampled) for one in shuffled.batch.samples] == names
    assert sorted(one.advantage for one in plain.batch.samples) == sorted(
        one.advantage for one in shuffled.batch.samples
    )
    assert [one.advantage for one in plain.batch.samples] != [one.advantage for one in shuffled.batch.samples]


async def test_nothing_to_learn_from_is_no_batch():
    class Hopeless(Store):
        async def roll(self, wanted: Attempt) -> Ending:
            made = attempt(wanted.attempt_id, Failure())
            self.kept[wanted.attempt_id] = Trajectory(wanted, made.steps, made.ending)
            return made.ending

    for kind in (groups(), replay):
        _, made = await harvested(Hopeless(), kind, 1, 0)
        assert made.batch is None


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


async def test_a_reply_that_does_not_tell_all_is_left_out_and_counted():
    _, whole = await harvested(Store(), groups(), 1, 0)
    _, made = await harvested(Untold(0, 5), groups(), 1, 0)
    assert (whole.lacking, made.lacking) == (0, 2)
    assert len(made.batch.samples) == len(whole.batch.samples) - 2
    assert set(made.batch.samples) < set(whole.batch.samples)
    assert made.fates == whole.fates


async def test_if_no_reply_tells_all_it_is_said_what_they_lack():
    class Mute(Store):
        async def roll(self, wanted: Attempt) -> Ending:
            made = attempt(wanted.attempt_id, Success() if len(self.kept) % 2 else Failure(), [3])
            self.kept[wanted.attempt_id] = spoilt(Trajectory(wanted, made.steps, made.ending), logprobs=b"")
            return made.ending

    with pytest.raises(SampleError, match="gave no logprobs"):
        await harvested(Mute(), groups(), 1, 0)


@pytest.mark.parametrize(("before", "figures"), [({}, {}), ({"lacking": 1.0}, {"lacking": 1.0})])
def test_an_update_tells_how_many_samples_were_left_out(before, figures):
    trained = TrainingResult(PolicyVersion(1, "model"), 3, 30, 1, 1e-5, 0.05, {"loss": 0.1} | before)
    assert learned(trained, {"kept": 2}, {0: 3}).figures == {"loss": 0.1} | figures
    assert learned(trained, {"kept": 2}, {0: 3}, lacking=2).figures["lacking"] == 2 + before.get("lacking", 0)


async def test_replies_with_tokens_of_pictures_are_left_out():
    _, made = await harvested(Store(), groups(), 1, 0)
    first, *others = made.batch.samples
    bad = msgspec.structs.replace(first, sampled=pack_ids([9, 8, 7]))
    assert sayable(Batch((bad, *others), 0), WORDS) == Batch(tuple(others), 0)
    assert set(unpack_ids(tokens().sampled)).isdisjoint(WORDS.never)


def test_a_model_says_which_tokens_stand_for_pictures(tmp_path):
    (tmp_path / "config.json").write_text('{"image_token_id": 7, "video_token_id": 8, "vision_start_token_id": 5}')
    assert vocabulary_of(tmp_path) == ImageTokens(7, (7, 8, 5))
    (tmp_path / "config.json").write_text("{}")
    with pytest.raises(ConfigError, match="image_token_id"):
        vocabulary_of(tmp_path)
