"""Groups on their way into batches."""

from __future__ import annotations

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.unit.buffer.making import attempt, step, tokens

from webgym.buffer.groups import BatchRequirements, Collector, Group
from webgym.errors import ConfigError
from webgym.records.prompt import pack_ids
from webgym.records.trajectory import Failure, Infrastructure, Success


def group(name: str, outcomes: str, version: int = 0) -> Group:
    """`+-x`: a success, a failure, and one lost."""
    kinds = {"+": Success(), "-": Failure(), "x": Infrastructure("timeout")}
    members = [attempt(f"{name}-{n}", kinds[one], group=name, version=version) for n, one in enumerate(outcomes)]
    return Group(name, tuple(members))


def names(groups):
    return [one.name for one in groups]


def test_what_says_nothing_is_dropped_counted_and_asked_for_again():
    collector = Collector(BatchRequirements(groups=2))
    assert collector.missing() == 2
    fates = [collector.put(group(str(n), kinds)) for n, kinds in enumerate(["++", "--", "+x", "+-"])]
    assert fates == ["all_pass", "all_fail", "too_few", "kept"]
    assert collector.missing() == 1
    assert collector.missing(running=1) == 0
    assert not collector.full()
    assert collector.put(group("5", "-+x")) == "kept"
    assert collector.full()
    assert collector.missing() == 0
    assert names(collector.take(0)) == ["3", "5"]
    assert collector.fates == {"all_pass": 1, "all_fail": 1, "too_few": 1, "kept": 2}
    assert collector.missing() == 2


def test_a_policy_that_always_fails_is_not_sampled_for_ever():
    collector = Collector(BatchRequirements(groups=2, refill=2.0))
    while collector.missing():
        collector.put(group("n", "--"))
    assert collector.fates == {"all_fail": 4}
    assert collector.take(0) == ()
    assert collector.missing() == 2


def test_more_groups_than_a_batch_needs_wait_for_the_next_oldest_first():
    collector = Collector(BatchRequirements(groups=2))
    for n in range(5):
        collector.put(group(str(n), "+-"))
    assert [names(collector.take(0)) for _ in range(3)] == [["0", "1"], ["2", "3"], ["4"]]


def test_a_group_with_a_token_that_is_too_old_is_dropped_as_a_whole():
    collector = Collector(BatchRequirements(groups=2, max_lag=2))
    collector.put(group("old", "+-", version=3))
    collector.put(group("new", "+-", version=4))
    assert names(collector.take(6)) == ["new"]
    assert collector.fates == {"kept": 1, "stale": 1}


def test_the_oldest_token_of_all_decides():
    mixed = group("g", "+-", version=9)
    reply = msgspec.structs.replace(tokens(3), versions=pack_ids([9, 1, 9]))
    first = msgspec.structs.replace(mixed.members[0], steps=(step(1, reply), *mixed.members[0].steps[1:]))
    collector = Collector(BatchRequirements(groups=1, max_lag=7))
    collector.put(Group("g", (first, mixed.members[1])))
    assert collector.expire(8) == ()
    assert collector.expire(9) == ("g-0", "g-1")
    assert collector.missing() == 1


def test_only_stale_members_can_be_dropped_and_the_others_keep_their_advantages():
    fresh, old = group("g", "+-", version=5), group("g", "x-", version=1)
    mixed = Group("g", (*fresh.members, msgspec.structs.replace(old.members[1], attempt=attempt("z").attempt)))
    collector = Collector(BatchRequirements(groups=1, max_lag=0, stale="member", estimator="dr_grpo"))
    collector.put(mixed)
    assert collector.expire(5) == ("z",)
    [kept] = collector.take(5)
    assert {one.attempt.attempt_id: value for one, value in kept.members} == pytest.approx(
        {"g-0": 2 / 3, "g-1": -1 / 3}
    )
    assert collector.fates == {"kept": 1}


@settings(deadline=None, max_examples=50)
@given(st.lists(st.tuples(st.text("+-x", min_size=1, max_size=4), st.integers(0, 5)), max_size=20), st.integers(0, 5))
def test_every_group_has_exactly_one_fate(put, version):
    collector = Collector(BatchRequirements(groups=3, max_lag=2))
    for n, (kinds, of) in enumerate(put):
        collector.put(group(str(n), kinds, of))
    taken = 0
    while batch := collector.take(version):
        taken += len(batch)
    assert sum(collector.fates.values()) == len(put)
    assert collector.fates.get("kept", 0) == taken


@pytest.mark.parametrize("wrong", [{"groups": 0}, {"groups": 1, "refill": 0.5}, {"groups": 1, "max_lag": -1}])
def test_what_cannot_work_is_refused(wrong):
    with pytest.raises(ConfigError):
        BatchRequirements(**wrong)
