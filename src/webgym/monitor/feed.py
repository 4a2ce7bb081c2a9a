"""Updates as server-sent events: a few times a second, made once for all who watch."""

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
"""Rates change even if nothing happens, and a connection that says nothing looks dead."""
_SEND_SECONDS = 30.0


class Feed:
    """Reads a board at every tick. A watcher that is slow gets fewer updates, each of more changes: none is queued."""

    def __init__(self, board: Board, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._board = board
        self._clock = clock
        self._watchers = 0
        self._made: tuple[tuple[int, int, bool], int, bytes] | None = None
        """Of the latest update: tick, version it starts from and whether it was the last, its version, its bytes."""

    def stream(self, last_id: str) -> EventStream:
        """All updates from the one with this id on; from the beginning if it is not known.

        Raises:
            CapacityError: Too many watch already.
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
    """A stream of events that gives up on a client that no longer reads."""

    media_type = "text/event-stream"

    async def stream_response(self, send: Send) -> None:
        """Send what there is, each part in good time."""

        async def send_soon(message: Message) -> None:
            with anyio.fail_after(_SEND_SECONDS):
                await send(message)

        await super().stream_response(send_soon)
