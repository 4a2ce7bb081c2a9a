"""Closed-loop clients: each waits for its reply, thinks, and sends its next request."""

from __future__ import annotations

import heapq
import threading
import time
from dataclasses import dataclass, field

from webgym_bench.engine.work import Piece, Work


@dataclass(slots=True)
class Asked:
    """A request that a client has sent."""

    client: int
    piece: Piece
    at: float


@dataclass(slots=True)
class Clients:
    """All clients of a run, and their latencies. The clock starts on construction."""

    work: Work
    latencies: list[float] = field(default_factory=list[float])
    tokens: int = 0
    _began: float = field(default_factory=time.monotonic)
    _due: list[tuple[float, int]] = field(default_factory=list[tuple[float, int]])
    _next: list[int] = field(default_factory=list[int])
    _out: int = 0

    def __post_init__(self) -> None:
        self._next = [0] * len(self.work)
        for client in range(len(self.work)):
            self._plan(client)

    @property
    def done(self) -> bool:
        return not self._due and not self._out

    def due(self, most: int | None = None) -> list[Asked]:
        """Return the requests that are due and not yet handed out, at most `most`."""
        given: list[Asked] = []
        while self._due and self._due[0][0] <= time.monotonic() and (most is None or len(given) < most):
            at, client = heapq.heappop(self._due)
            given.append(Asked(client, self.work[client][self._next[client]], at))
        self._out += len(given)
        return given

    def wait(self) -> None:
        """Block until the next request is due."""
        if self._due:
            threading.Event().wait(max(0.0, self._due[0][0] - time.monotonic()))

    def reply(self, asked: Asked) -> None:
        """Record a finished reply and schedule the client's next request."""
        self._out -= 1
        self.tokens += asked.piece.tokens
        self.latencies.append(time.monotonic() - asked.at)
        self._next[asked.client] += 1
        self._plan(asked.client)

    def _plan(self, client: int) -> None:
        number = self._next[client]
        if number < len(self.work[client]):
            heapq.heappush(self._due, (time.monotonic() + self.work[client][number].think, client))
