"""Who may use which session, until when."""

from __future__ import annotations

import pytest

from webgym.browser.server.node.leases import Leases, lost
from webgym.errors import LossReason, SessionLost, SessionUnknown, StaleFence


class Clock:
    now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def leases(clock: Clock) -> Leases:
    return Leases(clock)


def test_an_unknown_session_is_refused(leases: Leases):
    with pytest.raises(SessionUnknown):
        leases.check("nobody", 1)


def test_a_lease_runs_out_unless_it_is_renewed(leases: Leases, clock: Clock):
    kept, dropped = leases.add("kept", 1, 10, {}), leases.add("dropped", 1, 10, {})
    clock.now += 6
    leases.renew(kept)
    clock.now += 6
    assert leases.expired() == [dropped]


def test_a_lease_does_not_run_out_during_a_request(leases: Leases, clock: Clock):
    lease = leases.add("busy", 1, 10, {})
    lease.in_flight = 1
    clock.now += 60
    assert leases.expired() == []


def test_taking_a_session_over_makes_the_former_holder_stale(leases: Leases):
    leases.add("s", 1, 10, {})
    assert leases.check("s", 1).fence == 1
    assert leases.take("s").fence == 2
    with pytest.raises(StaleFence):
        leases.check("s", 1)
    leases.check("s", 2)


def test_the_holder_of_a_lost_session_is_told_why(leases: Leases):
    lease = leases.add("s", 1, 10, {})
    leases.end(lease, lost("s", LossReason.EXPIRED, "nobody renewed it"))
    leases.forget("s")
    with pytest.raises(SessionLost) as caught:
        leases.check("s", 1)
    assert caught.value.reason is LossReason.EXPIRED


def test_a_session_takes_its_place_until_nothing_of_it_is_left(leases: Leases):
    lease = leases.add("s", 1, 10, {})
    leases.end(lease, None)
    assert len(leases) == 1
    leases.forget("s")
    assert len(leases) == 0


def test_what_is_remembered_of_ended_sessions_is_bounded(leases: Leases):
    for number in range(5000):
        lease = leases.add(str(number), 1, 10, {})
        leases.end(lease, lost(str(number), LossReason.EXPIRED, ""))
        leases.forget(str(number))
    assert not leases.was_here("0")
    assert leases.was_here("4999")
    assert len(leases.lost_lately()) == 256
