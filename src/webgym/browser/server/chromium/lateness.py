"""How late the machine is: how long this process waits for a processor, compared to how long it runs.

The kernel counts both for every thread. On a machine with processors to spare a thread hardly waits; on an overloaded
one it waits many times longer than it runs, even if it sleeps most of the time.
"""

from __future__ import annotations

from pathlib import Path

import anyio

_COUNTS = Path("/proc/thread-self/schedstat")
LATE = 0.5
"""Share of the time in which this thread wanted to run but waited, from which on the machine is late."""
LEAST_SECONDS = 0.05
"""Shorter extensions are not worth a query."""


def counts() -> tuple[int, int]:
    """Return the nanoseconds that this thread has run, and waited to run; zeros if the kernel does not tell."""
    try:
        ran, waited, _ = _COUNTS.read_bytes().split()
        return int(ran), int(waited)
    except (OSError, ValueError):
        return 0, 0


class Limit:
    """The time that a page is given to settle. What a late machine took of it is given back, up to as much again."""

    def __init__(self, seconds: float) -> None:
        self._began = anyio.current_time()
        self._counts = counts()
        self._left = seconds
        self.deadline = self._began + seconds

    @property
    def reached(self) -> bool:
        return anyio.current_time() >= self.deadline

    @property
    def seconds(self) -> float:
        """How much is left."""
        return max(0.0, self.deadline - anyio.current_time())

    def extend(self, seconds: float = 0.0) -> bool:
        """Extend the time, if the machine is late, and return whether it was extended.

        By at least `seconds`, which is how late the page is known to have been. It knows its own timers only, while
        its server and the proxy may be late too: the later the machine is, the more of the time so far is given back.
        """
        share = self._share()
        taken = (anyio.current_time() - self._began) * (share - LATE) / (1 - LATE)
        more = min(max(seconds, taken), self._left)
        if share < LATE or more < LEAST_SECONDS:
            return False
        self._left -= more
        self.deadline = max(self.deadline, anyio.current_time()) + more
        return True

    def _share(self) -> float:
        ran, waited = (now - before for now, before in zip(counts(), self._counts, strict=True))
        return waited / max(1, ran + waited)
