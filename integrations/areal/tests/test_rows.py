"""Rows for AReaL: one for each step, with a reward that makes AReaL's gradient ours."""

from __future__ import annotations

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.unit.buffer.making import PLACE, UNGRADED, attempt

from webgym.buffer.batches import Weighing, batch_of
from webgym.buffer.groups import Group, ScoredGroup, score_group
from webgym.buffer.samples import SampleMaker, runs
from webgym.errors import SampleError
from webgym.records.prompt import pack_ids, unpack_logprobs
from webgym.records.trajectory import Failure, Success
from webgym.records.vocabulary import ImageTokens
from webgym.train.recipe import GroupSource
from webgym_areal.rows import oldest_version, rows_of

WORDS = ImageTokens(PLACE, (PLACE,))
AGGREGATIONS = ("per_trajectory", "constant", "token_mean", "step_mean")


def scored(name: str, *members, estimator="grpo") -> ScoredGroup:
    found = score_group(Group(name, members), estimator)
    assert isinstance(found, ScoredGroup)
    return found


def rewards(group: ScoredGroup, **source) -> dict[tuple[str, int], float]:
    return {(row.attempt_id, row.step): row.reward for row in rows_of(group, GroupSource(**source), WORDS)}


@pytest.mark.parametrize(
    ("aggregation", "good", "bad"),
    [
        ("token_mean", [1.0], [-1.0, -1.0]),
        ("constant", [0.1], [-0.1, -0.1]),
        ("per_trajectory", [1.0], [-0.5, -0.5]),
        ("step_mean", [1 / 2], [-1 / 1, -1 / 3]),
    ],
)
def test_a_rows_reward_is_its_advantage_times_its_share_worked_out_by_hand(aggregation, good, bad):
    group = scored("g", attempt("good", Success(), [2]), attempt("bad", Failure(), [1, 3]))
    found = rewards(group, aggregation=aggregation, k=10)
    expected = {("good", 1): good[0], ("bad", 1): bad[0], ("bad", 2): bad[1]}
    assert found == {key: pytest.approx(value, rel=1e-5) for key, value in expected.items()}


@pytest.mark.parametrize("aggregation", AGGREGATIONS)
@settings(deadline=None, max_examples=50)
@given(
    shapes=st.lists(
        st.lists(st.lists(st.integers(1, 5), min_size=1, max_size=4), min_size=2, max_size=4), min_size=1, max_size=3
    )
)
def test_over_a_whole_batch_rewards_are_our_weights_times_one_number(aggregation, shapes):
    groups = [
        scored(f"g{g}", *(attempt(f"{g}-{n}", Failure() if n else Success(), shape) for n, shape in enumerate(members)))
        for g, members in enumerate(shapes)
    ]
    ours = batch_of(groups, SampleMaker(runs(PLACE)), Weighing(aggregation, 10.0), 0)
    theirs = {key: value for group in groups for key, value in rewards(group, aggregation=aggregation, k=10.0).items()}
    factors = [theirs[one.attempt_id, one.step] / unpack_logprobs(one.weights)[0] for one in ours.samples]
    assert len(theirs) == len(ours.samples)
    assert factors == pytest.approx([factors[0]] * len(factors), rel=1e-4)


def test_what_was_lost_to_infrastructure_leaves_no_row_and_changes_no_other():
    valid = (attempt("good", Success(), [2]), attempt("bad", Failure(), [1, 3]))
    lost = tuple(attempt(f"lost{n}", outcome, [4, 4]) for n, outcome in enumerate(UNGRADED))
    for aggregation in AGGREGATIONS:
        alone = rewards(scored("g", *valid), aggregation=aggregation)
        assert rewards(scored("g", *lost, *valid), aggregation=aggregation) == alone


def test_a_step_keeps_its_exact_tokens_logprobs_and_versions():
    group = scored("g", attempt("good", Success(), [2], version=7), attempt("bad", Failure(), [3], version=5))
    first, second = rows_of(group, GroupSource(), WORDS)
    assert list(first.prompt) == [5, PLACE, 6]
    assert list(first.sampled) == [10, 11]
    assert list(first.logprobs) == [-0.5, -0.5]
    assert list(first.versions) == [7, 7]
    assert first.pictures == ("sha256:p0",)
    assert oldest_version([first, second]) == 5


def test_a_step_without_a_picture_is_left_out():
    bad = attempt("bad", Failure(), [1, 3])
    blind = bad.steps[1]
    prompt = msgspec.structs.replace(blind.turn.prompt, messages=())
    tokens = msgspec.structs.replace(blind.turn.completion.tokens, prompt=pack_ids([5]))
    completion = msgspec.structs.replace(blind.turn.completion, tokens=tokens)
    turn = msgspec.structs.replace(blind.turn, prompt=prompt, completion=completion)
    bad = msgspec.structs.replace(bad, steps=(bad.steps[0], msgspec.structs.replace(blind, turn=turn)))
    assert rewards(scored("g", attempt("good", Success(), [2]), bad)).keys() == {("good", 1), ("bad", 1)}


def test_a_step_without_versions_is_refused():
    group = scored("g", attempt("good", Success(), [2], version=None), attempt("bad", Failure(), [1]))
    with pytest.raises(SampleError, match="which weights"):
        rows_of(group, GroupSource(), WORDS)
