"""Updates as server-sent events: a few times per second, encoded once for all clients."""

from __future__ import annotations

import math
import time
from collections.abc import AsyncGenerator, Callable

import anyio
import msgspec
from starlette.responses import StreamingResponse
from starlette.types import Message, Send

from webgym.errors import CapacityError
from webgym.monitor.board import Board

TICK_SECONDS = 0.25
MOST_WATCHERS = 32
_QUIET_SECONDS = 2.0
"""Interval of updates without changes: rates still change, and a silent connection looks dead."""
_SEND_SECONDS = 30.0


class Feed:
    """Reads a board on every tick. Nothing is queued: a slow client gets fewer and larger updates."""

    def __init__(self, board: Board, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._board = board
        self._clock = clock
        self._watchers = 0
        self._made: tuple[tuple[int, int, bool], int, bytes] | None = None
        """The latest update: its key (tick, starting version, whether the run is over), its version, its bytes."""

    def stream(self, last_id: str) -> EventStream:
        """Return a stream of the updates after this id; of the full state first if the id is unknown.

        Raises:
            CapacityError: There are too many clients.
        """
        if self._watchers >= MOST_WATCHERS:
            raise CapacityError(f"{MOST_WATCHERS} pages watch this run already; close one", retry_after=5)
        return EventStream(self._updates(self._since(last_id)))

    async def _updates(self, since: int) -> AsyncGenerator[bytes]:
        self._watchers += 1
        try:
            yield b"retry: 1000\n\n"
            quiet_since = -math.inf
            while True:
                over = self._board.over
                if since != self._board.version or self._clock() - quiet_since >= _QUIET_SECONDS:
                    since, data = self._update(since)
                    quiet_since = self._clock()
                    yield data
                if over:
                    return
                await anyio.sleep(TICK_SECONDS - self._clock() % TICK_SECONDS)
        finally:
            self._watchers -= 1

    def _update(self, since: int) -> tuple[int, bytes]:
        key = (int(self._clock() / TICK_SECONDS), since, self._board.over)
        if self._made is None or self._made[0] != key:
            update = self._board.changes_since(since)
            data = msgspec.json.encode(update)
            event = b"id: %s.%d\nevent: update\ndata: %s\n\n" % (update.epoch.encode(), update.version, data)
            self._made = (key, update.version, event)
        return self._made[1], self._made[2]

    def _since(self, last_id: str) -> int:
        epoch, _, version = last_id.partition(".")
        known = epoch == self._board.epoch and version.isdecimal() and int(version) <= self._board.version
        return int(version) if known else 0


class EventStream(StreamingResponse):
    """An event stream that disconnects clients that stop reading."""

    media_type = "text/event-stream"

    async def stream_response(self, send: Send) -> None:
        """Stream the response with a timeout for each message."""

        async def send_soon(message: Message) -> None:
            with anyio.fail_after(_SEND_SECONDS):
                await send(message)

        await super().stream_response(send_soon)
