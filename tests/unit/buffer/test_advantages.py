"""Advantages, against figures worked out by hand and against definitions written a second time."""

from __future__ import annotations

import random
from fractions import Fraction
from statistics import mean, pstdev

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.unit.buffer.making import GRADED, UNGRADED, attempt

from webgym.buffer.advantages import DroppedGroup, GroupAdvantages, score
from webgym.buffer.groups import Group, ScoredGroup, score_group
from webgym.records.trajectory import Infrastructure, Success, reward

ESTIMATORS = ("grpo", "dr_grpo", "rloo", "maxrl")
binary = st.lists(st.sampled_from([0.0, 1.0]), min_size=2, max_size=16).filter(lambda all_: len(set(all_)) == 2)
graded = st.lists(st.integers(0, 8).map(lambda n: n / 8), min_size=2, max_size=12).filter(
    lambda all_: len(set(all_)) > 1
)
with_gaps = st.lists(st.sampled_from([0.0, 1.0, None]), min_size=0, max_size=16)


def advantages(rewards, estimator):
    scored = score(rewards, estimator)
    assert isinstance(scored, GroupAdvantages)
    return scored.advantages


def slow(rewards: list[float], place: int, estimator: str) -> float:
    """The definitions, one member at a time."""
    mine, others = rewards[place], rewards[:place] + rewards[place + 1 :]
    match estimator:
        case "grpo":
            least = pstdev([1.0] + [0.0] * (len(rewards) - 1))
            return (mine - mean(rewards)) / max(least, pstdev(rewards))
        case "dr_grpo":
            return mine - mean(rewards)
        case "rloo":
            return mine - mean(others)
        case "maxrl":
            return mine / mean(rewards) - 1
    raise AssertionError(estimator)


@pytest.mark.parametrize(
    ("estimator", "success", "failure"),
    [("grpo", 1.7320508, -0.5773503), ("dr_grpo", 0.75, -0.25), ("rloo", 6 / 7, -2 / 7), ("maxrl", 3.0, -1.0)],
)
def test_two_successes_of_eight_give_what_was_worked_out_by_hand(estimator, success, failure):
    rewards = [1.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0]
    expected = [success if one else failure for one in rewards]
    assert advantages(rewards, estimator) == pytest.approx(expected, abs=1e-5)


@pytest.mark.parametrize("successes", range(1, 8))
def test_binary_grpo_has_the_closed_form_of_the_population_deviation(successes):
    rewards = [1.0] * successes + [0.0] * (8 - successes)
    found = advantages(rewards, "grpo")
    assert found[0] == pytest.approx(((8 - successes) / successes) ** 0.5, rel=1e-5)
    assert found[-1] == pytest.approx(-((successes / (8 - successes)) ** 0.5), rel=1e-5)


@pytest.mark.parametrize("estimator", ESTIMATORS)
@settings(deadline=None)
@given(rewards=st.one_of(binary, graded))
def test_advantages_agree_with_a_slow_reference(estimator, rewards):
    expected = [slow(rewards, place, estimator) for place in range(len(rewards))]
    assert advantages(rewards, estimator) == pytest.approx(expected, rel=1e-4, abs=1e-9)


@settings(deadline=None)
@given(rewards=st.one_of(binary, graded))
def test_leaving_one_out_scales_the_difference_from_the_mean(rewards):
    count = len(rewards)
    plain = advantages(rewards, "dr_grpo")
    assert advantages(rewards, "rloo") == pytest.approx([one * count / (count - 1) for one in plain], abs=1e-12)


@pytest.mark.parametrize("estimator", ESTIMATORS)
@settings(deadline=None)
@given(rewards=st.one_of(binary, graded), seed=st.integers(0, 2**16))
def test_the_order_of_members_does_not_matter(estimator, rewards, seed):
    order = list(range(len(rewards)))
    random.Random(seed).shuffle(order)
    found = advantages(rewards, estimator)
    assert advantages([rewards[place] for place in order], estimator) == tuple(found[place] for place in order)


@pytest.mark.parametrize("estimator", [*ESTIMATORS, "reward"])
@settings(deadline=None)
@given(rewards=with_gaps)
def test_members_without_a_reward_influence_nothing(estimator, rewards):
    whole, without = score(rewards, estimator), score([one for one in rewards if one is not None], estimator)
    if isinstance(without, DroppedGroup):
        assert whole == without
        return
    assert isinstance(whole, GroupAdvantages)
    assert [one is None for one in whole.advantages] == [one is None for one in rewards]
    assert tuple(one for one in whole.advantages if one is not None) == without.advantages


@pytest.mark.parametrize("estimator", ["grpo", "dr_grpo", "rloo"])
@settings(deadline=None)
@given(rewards=binary)
def test_advantages_of_a_group_sum_up_to_zero(estimator, rewards):
    assert sum(advantages(rewards, estimator)) == pytest.approx(0, abs=1e-9)


@settings(deadline=None)
@given(rewards=binary, scale=st.integers(1, 9))
def test_scaling_rewards_scales_all_but_those_that_are_relative(rewards, scale):
    scaled = [one * scale for one in rewards]
    for estimator, expected in [("dr_grpo", scale), ("rloo", scale), ("reward", scale), ("grpo", 1), ("maxrl", 1)]:
        before = [one * expected for one in advantages(rewards, estimator)]
        assert advantages(scaled, estimator) == pytest.approx(before, rel=1e-4)


@pytest.mark.parametrize("estimator", ESTIMATORS)
@pytest.mark.parametrize(
    ("rewards", "reason"),
    [
        ([], "too_few"),
        ([1.0], "too_few"),
        ([None, None], "too_few"),
        ([1.0, None, None], "too_few"),
        ([1.0, 1.0, None], "all_pass"),
        ([0.0, 0.0], "all_fail"),
        ([0.3] * 7, "all_fail"),
    ],
)
def test_groups_that_say_nothing_are_dropped_for_a_reason(estimator, rewards, reason):
    assert score(rewards, estimator) == DroppedGroup(reason)


def test_plain_reinforce_takes_the_reward_and_needs_no_group():
    assert advantages([1.0], "reward") == (1.0,)
    assert advantages([0.0, None, 1.0, 0.0], "reward") == (0.0, None, 1.0, 0.0)
    assert score([None], "reward") == DroppedGroup("too_few")


def test_rounding_does_not_turn_equal_rewards_into_a_huge_advantage():
    third = float(Fraction(1, 3))
    assert isinstance(score([third] * 7, "grpo"), DroppedGroup)


@pytest.mark.parametrize("estimator", ESTIMATORS)
@settings(deadline=None)
@given(
    outcomes=st.lists(st.sampled_from(GRADED), min_size=2, max_size=8),
    lost=st.lists(st.sampled_from(UNGRADED), max_size=8),
    seed=st.integers(0, 2**16),
)
def test_a_group_half_lost_to_infrastructure_is_scored_as_if_that_half_were_not_there(estimator, outcomes, lost, seed):
    valid = [attempt(f"v{number}", outcome) for number, outcome in enumerate(outcomes)]
    # What was lost had steps and tokens too, and may be anywhere.
    mixed = valid + [attempt(f"x{number}", outcome, (9, 9, 9)) for number, outcome in enumerate(lost)]
    random.Random(seed).shuffle(mixed)
    alone = score_group(Group("g", tuple(valid)), estimator)
    found = score_group(Group("g", tuple(mixed)), estimator)
    if isinstance(alone, DroppedGroup):
        assert found == alone
        return
    assert isinstance(alone, ScoredGroup)
    assert isinstance(found, ScoredGroup)
    assert {one.attempt.attempt_id: value for one, value in found.members} == {
        one.attempt.attempt_id: value for one, value in alone.members
    }


def test_no_outcome_without_a_reward_can_be_scored():
    assert [reward(outcome) for outcome in UNGRADED] == [None] * 4
    group = Group("g", (attempt("a", Success()), attempt("b", Infrastructure("timeout"))))
    assert score_group(group, "grpo") == DroppedGroup("too_few")
