"""The lease table of a node: who may use which session, and until when.

A lease is recorded before its session is opened and removed only after the session is fully closed, so capacity that
the table shows as free really is. Ended sessions are remembered for a while, so that their holders learn why.
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
    """The lease of one session."""

    session: str
    worker: int
    """Number of the worker process that hosts the session."""
    ttl_seconds: float
    labels: dict[str, str]
    opened_at: float
    expires_at: float
    fence: int = 1
    steps: int = 0
    in_flight: int = 0
    """Requests in flight; a lease does not expire while there are any."""
    opened: bool = False
    """Whether the session was opened successfully."""
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
        """Record the lease of a session that is about to be opened."""
        now = self._clock()
        lease = HeldLease(session, worker, ttl_seconds, labels, opened_at=now, expires_at=now + ttl_seconds)
        self._held[session] = lease
        return lease

    def check(self, session: str, fence: int | None) -> HeldLease:
        """Return the lease if the fencing token is current; None skips that check, for read-only access."""
        lease = self._held.get(session)
        if lease is None or lease.closing:
            raise self._ended.get(session) or SessionUnknown(f"there is no session {session[:8]} here")
        if fence is not None and fence != lease.fence:
            raise StaleFence(f"session {session[:8]} was taken over by another holder")
        return lease

    def renew(self, lease: HeldLease) -> None:
        """Restart the lease's time to live."""
        lease.expires_at = self._clock() + lease.ttl_seconds

    def take(self, session: str) -> HeldLease:
        """Transfer the session to a new holder, which makes the previous fencing token stale."""
        lease = self.check(session, None)
        # The previous holder need not be reached: it is refused when it comes, however late.
        lease.fence += 1
        self.renew(lease)
        return lease

    def expired(self) -> list[HeldLease]:
        """Return the leases that were neither used nor renewed in time."""
        # A request that outlasts the time to live shows that its holder is there, so it keeps the lease alive.
        now = self._clock()
        return [
            lease
            for lease in self._held.values()
            if lease.expires_at < now and not lease.in_flight and not lease.closing
        ]

    def end(self, lease: HeldLease, why: WebGymError | None) -> None:
        """End a lease: the session can no longer be used, but occupies capacity until `forget`."""
        lease.closing = True
        # Noted before the session is closed, so that its holder is told why even while that is going on.
        self._ended[lease.session] = why or SessionUnknown(f"session {lease.session[:8]} was released")
        while len(self._ended) > _REMEMBERED:
            self._ended.popitem(last=False)

    def forget(self, session: str) -> None:
        """Remove a session that is fully closed, which frees its capacity."""
        self._held.pop(session, None)

    def of_worker(self, worker: int) -> list[HeldLease]:
        """Return the leases of the sessions on one worker."""
        return [lease for lease in self._held.values() if lease.worker == worker]

    def was_here(self, session: str) -> bool:
        """Return whether the session is remembered as having ended on this node."""
        return session in self._ended

    def lost_lately(self) -> dict[str, WebGymError]:
        """Return the most recent sessions that were lost rather than released."""
        latest = itertools.islice(reversed(self._ended.items()), _TOLD)
        return {name: why for name, why in latest if isinstance(why, SessionLost)}

    def expires_in(self, lease: HeldLease) -> float:
        """Return the seconds until the lease expires."""
        return lease.expires_at - self._clock()

    def age(self, lease: HeldLease) -> float:
        """Return the seconds since the lease was recorded."""
        return self._clock() - lease.opened_at


def lost(session: str, reason: LossReason, detail: str) -> SessionLost:
    """Create the error that tells a holder why its session was lost."""
    return SessionLost(f"session {session[:8]}: {detail}", reason=reason)
