"""Filtered behaviour cloning: what is drawn, how often, and what never is."""

from __future__ import annotations

import math
import random
from collections import Counter

import msgspec
import pytest
from tests.unit.buffer.making import PLACE, UNGRADED, attempt, look

from webgym.buffer.replay import Replay, ReplaySettings, StepRef, cloning_batch
from webgym.buffer.samples import SampleMaker, runs
from webgym.errors import ConfigError, TrainingError
from webgym.records.observation import NoChange
from webgym.records.prompt import unpack_logprobs
from webgym.records.trajectory import Failure, Success, Truncation

CLONING = SampleMaker(runs(PLACE), logprobs=False)


def filled(per_iteration, settings=None) -> Replay:
    """So many successful attempts of two steps in each iteration."""
    replay = Replay(settings)
    for iteration, count in enumerate(per_iteration):
        for number in range(count):
            replay.add(iteration, attempt(f"{iteration}-{number}"))
    return replay


def test_only_successes_are_kept():
    replay = Replay()
    assert replay.add(0, attempt("good")) == 2
    for number, outcome in enumerate([Failure(), Truncation("steps"), *UNGRADED]):
        assert replay.add(0, attempt(f"bad-{number}", outcome)) == 0
    assert {ref.attempt_id for ref in replay.draw(0)} == {"good"}


def test_steps_that_changed_nothing_are_never_drawn():
    one = attempt("a", Success(), [1, 1, 1])
    idle = msgspec.structs.replace(one.steps[1], observation=look(2, NoChange()))
    replay = Replay()
    assert replay.add(0, msgspec.structs.replace(one, steps=(one.steps[0], idle, one.steps[2]))) == 2
    assert [ref.step for ref in sorted(replay.draw(0))] == [2, 3]


def test_iterations_older_than_the_last_four_are_forgotten_also_if_they_come_late():
    replay = filled([1] * 6)
    assert replay.available == {2: 2, 3: 2, 4: 2, 5: 2}
    assert replay.add(1, attempt("late")) == 0
    assert replay.available == {2: 2, 3: 2, 4: 2, 5: 2}


def test_an_iteration_without_success_still_counts_as_one():
    replay = filled([1, 1])
    replay.add(5, attempt("bad", Failure()))
    assert replay.available == {5: 0}
    assert replay.draw(0) == ()


def test_a_draw_is_without_replacement_and_takes_all_if_there_are_few():
    replay = filled([10, 10], ReplaySettings(steps=15))
    drawn = replay.draw(3)
    assert len(drawn) == len(set(drawn)) == 15
    assert len(filled([2, 1]).draw(3)) == 6


def test_a_draw_depends_on_the_seed_and_on_nothing_else():
    trajectories = [(iteration, attempt(f"{iteration}-{number}")) for iteration in range(3) for number in range(20)]
    draws = []
    for seed in (1, 2, 3):
        shuffled = trajectories[:]
        random.Random(seed).shuffle(shuffled)
        replay = Replay(ReplaySettings(steps=30))
        for iteration, one in shuffled:
            replay.add(iteration, one)
        draws.append(replay.draw(7))
        assert replay.draw(8) != draws[-1]
    assert draws[0] == draws[1] == draws[2]


def test_iterations_of_the_same_size_are_drawn_as_one_to_four_to_nine_to_sixteen():
    replay = filled([50] * 4, ReplaySettings(steps=1))
    counts = Counter(replay.draw(seed)[0].iteration for seed in range(3000))
    shares = [counts[iteration] / 3000 for iteration in range(4)]
    for share, expected in zip(shares, [1 / 30, 4 / 30, 9 / 30, 16 / 30], strict=True):
        assert share == pytest.approx(expected, abs=4 * math.sqrt(expected * (1 - expected) / 3000))


def test_weight_goes_by_iteration_and_not_by_place_in_the_buffer():
    # A crowd in the oldest iteration: by place, its last steps would weigh nearly as much as the newest's.
    replay = filled([90, 10], ReplaySettings(steps=1))
    counts = Counter(replay.draw(seed)[0].iteration for seed in range(2000))
    expected = 4 * 20 / (4 * 20 + 180)
    assert counts[1] / 2000 == pytest.approx(expected, abs=4 * math.sqrt(expected * (1 - expected) / 2000))


def test_drawing_several_is_the_same_as_drawing_one_after_the_other():
    def chance_of(pair):
        """Exactly: both orders, the second from what the first has left."""
        weights = {(0, 1): 1, (0, 2): 1, (1, 1): 4, (1, 2): 4}
        total = sum(weights.values())
        first, second = (weights[one] for one in pair)
        return first / total * second / (total - first) + second / total * first / (total - second)

    replay = filled([1, 1], ReplaySettings(steps=2))
    counts = Counter(tuple(sorted((ref.iteration, ref.step) for ref in replay.draw(seed))) for seed in range(4000))
    assert len(counts) == 6
    for pair, count in counts.items():
        expected = chance_of(pair)
        assert count / 4000 == pytest.approx(expected, abs=4 * math.sqrt(expected * (1 - expected) / 4000))


def test_power_zero_draws_all_steps_alike_and_only_zero_does():
    def share(power):
        replay = filled([20, 20], ReplaySettings(steps=1, power=power))
        return sum(replay.draw(seed)[0].iteration for seed in range(1500)) / 1500

    assert share(0.0) == pytest.approx(1 / 2, abs=0.06)
    assert share(1.0) == pytest.approx(2 / 3, abs=0.06)


def test_a_cloning_batch_weighs_every_token_alike_and_sums_up_to_one():
    stored = {"a": attempt("a", Success(), [1, 4]), "b": attempt("b", Success(), [5, 2])}
    loaded = []

    def load(name):
        loaded.append(name)
        return stored[name]

    refs = (StepRef(0, "b", 1), StepRef(0, "a", 2), StepRef(1, "b", 2))
    batch = cloning_batch(refs, load, CLONING, version=3)
    assert [(one.attempt_id, one.step) for one in batch.samples] == [("b", 1), ("a", 2), ("b", 2)]
    weights = [weight for one in batch.samples for weight in unpack_logprobs(one.weights)]
    assert weights == pytest.approx([1 / 11] * 11)
    assert {one.advantage for one in batch.samples} == {1.0}
    assert sorted(loaded) == ["a", "b"]


def test_nothing_to_clone_is_an_error_that_says_so():
    with pytest.raises(TrainingError, match="nothing to clone"):
        cloning_batch((), lambda _: attempt("a"), CLONING, 0)


def test_a_step_that_the_store_does_not_have_is_an_error():
    with pytest.raises(TrainingError, match="no step 9"):
        cloning_batch((StepRef(0, "a", 9),), lambda _: attempt("a"), CLONING, 0)


@pytest.mark.parametrize("wrong", [{"iterations": 0}, {"steps": 0}, {"power": -1.0}])
def test_settings_that_cannot_work_are_refused(wrong):
    with pytest.raises(ConfigError):
        ReplaySettings(**wrong)
