"""How far rollouts may run ahead."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.unit.buffer.making import attempt

from webgym.buffer.staleness import Pace, oldest_version
from webgym.errors import ConfigError


@pytest.mark.parametrize(
    ("version", "running", "accepted", "expected"),
    [
        (0, 0, 0, 48),  # (2 + 0 + 1) * 16
        (0, 40, 0, 8),
        (0, 48, 0, 0),
        (1, 48, 0, 12),  # 64 - 48 = 16, but 60 at once
        (3, 10, 40, 46),  # 96 - 50
        (3, 0, 96, 0),
        (3, 0, 120, 0),  # never negative
        (3, 60, 0, 0),
    ],
)
def test_capacity_is_as_worked_out_by_hand(version, running, accepted, expected):
    pace = Pace(groups=16, max_lag=2, most_running=60)
    assert pace.capacity(version=version, running=running, accepted=accepted) == expected


def test_with_no_lag_allowed_one_batch_is_sampled_at_a_time():
    pace = Pace(groups=4, max_lag=0, most_running=100)
    assert pace.capacity(version=0, running=0, accepted=0) == 4
    assert pace.capacity(version=0, running=1, accepted=3) == 0
    assert pace.capacity(version=1, running=0, accepted=4) == 4
    assert pace.most_pending == 4


def test_after_a_restart_the_count_begins_where_the_version_says():
    pace = Pace(groups=4, max_lag=1, most_running=100)
    accepted = pace.accepted_after_resume(7)
    assert pace.capacity(version=7, running=0, accepted=accepted) == 8


@settings(deadline=None)
@given(
    groups=st.integers(1, 5),
    max_lag=st.integers(0, 4),
    most_running=st.integers(1, 30),
    seed=st.integers(0, 2**16),
    dropped=st.floats(0, 0.5),
)
def test_groups_used_in_the_order_they_began_are_never_older_than_the_bound(
    groups, max_lag, most_running, seed, dropped
):
    pace, chance = Pace(groups, max_lag, most_running), random.Random(seed)
    running: list[int] = []  # versions at which they began
    waiting: list[int] = []
    version = accepted = 0
    for _ in range(300):
        running += [version] * pace.capacity(version=version, running=len(running), accepted=accepted)
        assert len(running) <= most_running
        began = running.pop(0)
        if chance.random() >= dropped:
            accepted += 1
            waiting.append(began)
        if len(waiting) >= groups:
            batch, waiting = waiting[:groups], waiting[groups:]
            assert max(version - one for one in batch) <= max_lag
            version += 1
    assert version > 0


def test_the_oldest_token_says_how_old_an_attempt_is_unless_nothing_is_known():
    assert oldest_version([*attempt("a", version=4).steps, *attempt("b", version=3).steps]) == 3
    assert oldest_version(attempt("a", lengths=()).steps) is None


@pytest.mark.parametrize("wrong", [(0, 0, 1), (1, -1, 1), (1, 0, 0)])
def test_a_pace_that_cannot_work_is_refused(wrong):
    with pytest.raises(ConfigError):
        Pace(*wrong)
