"""Who may use which session, until when.

A lease is written down before its session is handed out, and stays until nothing of the session is left; so what this
table says is free, is free. Sessions that ended are remembered for a while, so that their holder is told why.
"""

from __future__ import annotations

import collections
import itertools
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from webgym.errors import LossReason, SessionLost, SessionUnknown, StaleFence, WebGymError

_REMEMBERED = 4096
_TOLD = 256


@dataclass
class HeldLease:
    """One session and its holder's right to it."""

    session: str
    worker: int
    """Number of the worker process that keeps the session."""
    ttl_seconds: float
    labels: dict[str, str]
    opened_at: float
    expires_at: float
    fence: int = 1
    steps: int = 0
    in_flight: int = 0
    """Requests under way; while there is one the lease does not run out."""
    opened: bool = False
    """Whether it was ever handed out."""
    closing: bool = False


class Leases:
    """The leases of one node."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._held: dict[str, HeldLease] = {}
        self._ended: collections.OrderedDict[str, WebGymError] = collections.OrderedDict()

    def __len__(self) -> int:
        return len(self._held)

    def __iter__(self) -> Iterator[HeldLease]:
        return iter(list(self._held.values()))

    def add(self, session: str, worker: int, ttl_seconds: float, labels: dict[str, str]) -> HeldLease:
        """Write down a session that is about to be opened."""
        now = self._clock()
        lease = HeldLease(session, worker, ttl_seconds, labels, opened_at=now, expires_at=now + ttl_seconds)
        self._held[session] = lease
        return lease

    def check(self, session: str, fence: int | None) -> HeldLease:
        """The lease, if this holder may use it. Without a fence: for those who only look."""
        lease = self._held.get(session)
        if lease is None or lease.closing:
            raise self._ended.get(session) or SessionUnknown(f"there is no session {session[:8]} here")
        if fence is not None and fence != lease.fence:
            raise StaleFence(f"session {session[:8]} was taken over by another holder")
        return lease

    def renew(self, lease: HeldLease) -> None:
        """Let it last its full time from now."""
        lease.expires_at = self._clock() + lease.ttl_seconds

    def take(self, session: str) -> HeldLease:
        """Give the session to a new holder: the old one's fence is stale from now on."""
        lease = self.check(session, None)
        lease.fence += 1
        self.renew(lease)
        return lease

    def expired(self) -> list[HeldLease]:
        """Leases that were neither used nor renewed in time."""
        now = self._clock()
        return [
            lease
            for lease in self._held.values()
            if lease.expires_at < now and not lease.in_flight and not lease.closing
        ]

    def end(self, lease: HeldLease, why: WebGymError | None) -> None:
        """From now on nobody may use it; it still takes its place until `forget`."""
        lease.closing = True
        self._ended[lease.session] = why or SessionUnknown(f"session {lease.session[:8]} was released")
        while len(self._ended) > _REMEMBERED:
            self._ended.popitem(last=False)

    def forget(self, session: str) -> None:
        """Nothing of the session is left: its place is free."""
        self._held.pop(session, None)

    def of_worker(self, worker: int) -> list[HeldLease]:
        """The sessions that one worker keeps."""
        return [lease for lease in self._held.values() if lease.worker == worker]

    def was_here(self, session: str) -> bool:
        """Whether it is known to have ended here."""
        return session in self._ended

    def lost_lately(self) -> dict[str, WebGymError]:
        """The latest sessions that ended without being asked to."""
        latest = itertools.islice(reversed(self._ended.items()), _TOLD)
        return {name: why for name, why in latest if isinstance(why, SessionLost)}

    def expires_in(self, lease: HeldLease) -> float:
        """Seconds left."""
        return lease.expires_at - self._clock()

    def age(self, lease: HeldLease) -> float:
        """Seconds since it was opened."""
        return self._clock() - lease.opened_at


def lost(session: str, reason: LossReason, detail: str) -> SessionLost:
    """Why a session is no more, for its holder."""
    return SessionLost(f"session {session[:8]}: {detail}", reason=reason)
