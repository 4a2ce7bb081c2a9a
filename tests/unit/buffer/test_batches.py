"""Batches: the weights of every token, whatever else was in the group."""

from __future__ import annotations

import random

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.unit.buffer.making import MAKER, UNGRADED, attempt, look, spoilt

from webgym.buffer.batches import Weighing, batch_of
from webgym.buffer.groups import Group, ScoredGroup, score_group
from webgym.errors import SampleError, SampleProblem
from webgym.records.observation import NoChange
from webgym.records.prompt import unpack_logprobs
from webgym.records.trajectory import Failure, Success

AGGREGATIONS = ("per_trajectory", "constant", "token_mean", "step_mean")


def scored(*groups: Group, estimator="grpo") -> list[ScoredGroup]:
    found = [score_group(group, estimator) for group in groups]
    return [one for one in found if isinstance(one, ScoredGroup)]


def rows(batch):
    return {(one.attempt_id, one.step): list(unpack_logprobs(one.weights)) for one in batch.samples}


def test_weights_are_advantage_over_attempts_and_k_as_worked_out_by_hand():
    group = Group("g", (attempt("good", Success(), [2]), attempt("bad", Failure(), [1, 3])))
    batch = batch_of(scored(group), MAKER, Weighing("constant", k=10), version=4)
    assert batch.version == 4
    expected = {("good", 1): [0.05] * 2, ("bad", 1): [-0.05], ("bad", 2): [-0.05] * 3}
    assert rows(batch) == {key: pytest.approx(value, rel=1e-5) for key, value in expected.items()}
    assert [one.advantage for one in batch.samples] == pytest.approx([1, -1, -1], rel=1e-5)


def test_tokens_of_a_long_failure_count_less_under_one_over_tau_only():
    group = Group("g", (attempt("good", Success(), [2] * 2), attempt("bad", Failure(), [2] * 8)))
    weights = rows(batch_of(scored(group), MAKER, Weighing("per_trajectory"), 0))
    assert weights["bad", 1][0] / weights["good", 1][0] == pytest.approx(-0.25)


@pytest.mark.parametrize("aggregation", AGGREGATIONS)
@settings(deadline=None, max_examples=50)
@given(
    shapes=st.lists(st.lists(st.integers(1, 4), min_size=1, max_size=3), min_size=2, max_size=5),
    lost=st.lists(st.sampled_from(UNGRADED), min_size=1, max_size=5),
    seed=st.integers(0, 2**16),
)
def test_what_was_lost_to_infrastructure_changes_no_weight_of_the_batch(aggregation, shapes, lost, seed):
    valid = [attempt(f"v{n}", Failure() if n else Success(), shape) for n, shape in enumerate(shapes)]
    mixed = valid + [attempt(f"x{n}", outcome, (9, 9)) for n, outcome in enumerate(lost)]
    random.Random(seed).shuffle(mixed)
    weighing = Weighing(aggregation)
    alone = batch_of(scored(Group("g", tuple(valid))), MAKER, weighing, 0)
    assert rows(batch_of(scored(Group("g", tuple(mixed))), MAKER, weighing, 0)) == rows(alone)


def test_steps_that_changed_nothing_can_be_left_out_and_change_no_other_weight():
    lazy = attempt("lazy", Failure(), [2, 2, 2])
    idle = msgspec.structs.replace(lazy.steps[1], observation=look(2, NoChange()))
    lazy = msgspec.structs.replace(lazy, steps=(lazy.steps[0], idle, lazy.steps[2]))
    groups = scored(Group("g", (attempt("good", Success()), lazy)))
    for aggregation in AGGREGATIONS:
        whole = rows(batch_of(groups, MAKER, Weighing(aggregation), 0))
        without = rows(batch_of(groups, MAKER, Weighing(aggregation, skip_unchanged=True), 0))
        assert whole.keys() - without.keys() == {("lazy", 1)}
        assert without == {key: value for key, value in whole.items() if key in without}


def test_attempts_of_advantage_zero_count_in_the_mean_and_have_no_rows():
    group = Group("g", (attempt("good", Success(), [1]), attempt("bad", Failure(), [1])))
    batch = batch_of(scored(group, estimator="reward"), MAKER, Weighing("constant", k=1), 0)
    assert rows(batch) == {("good", 1): [0.5]}


def test_a_step_whose_tokens_are_not_known_is_an_error_that_names_it():
    good, bad = attempt("good", Success()), attempt("bad", Failure())
    bare = msgspec.structs.replace(bad.steps[0].turn, completion=None)
    bad = msgspec.structs.replace(bad, steps=(msgspec.structs.replace(bad.steps[0], turn=bare), *bad.steps[1:]))
    with pytest.raises(SampleError, match="attempt bad, step 1"):
        batch_of(scored(Group("g", (good, bad))), MAKER, Weighing(), 0)


@pytest.mark.parametrize("aggregation", AGGREGATIONS)
@pytest.mark.parametrize(
    ("untold", "problem"), [("versions", SampleProblem.NO_VERSIONS), ("logprobs", SampleProblem.NO_LOGPROBS)]
)
def test_what_one_reply_does_not_tell_is_left_out_and_named_and_changes_no_other_weight(aggregation, untold, problem):
    good, bad = attempt("good", Success(), [2, 4]), attempt("bad", Failure(), [1, 3])
    whole = rows(batch_of(scored(Group("g", (good, bad))), MAKER, Weighing(aggregation), 0))
    groups = scored(Group("g", (good, spoilt(bad, **{untold: b""}))))
    refused: list[SampleError] = []
    batch = batch_of(groups, MAKER, Weighing(aggregation), 0, refused)
    assert rows(batch) == {key: value for key, value in whole.items() if key != ("bad", 1)}
    assert [(one.problem, "attempt bad, step 1: " in str(one)) for one in refused] == [(problem, True)]
    with pytest.raises(SampleError, match="attempt bad, step 1"):
        batch_of(groups, MAKER, Weighing(aggregation), 0)


def test_a_reply_that_cannot_be_right_is_an_error_whoever_asks():
    bad = spoilt(attempt("bad", Failure()), top_p=0.9)
    refused: list[SampleError] = []
    with pytest.raises(SampleError, match="attempt bad, step 1: it was sampled with top_p"):
        batch_of(scored(Group("g", (attempt("good", Success()), bad))), MAKER, Weighing(), 0, refused)
    assert refused == []
