"""Serves the monitor from the process of the rollout, on its own port."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

import anyio.lowlevel
from starlette.types import ASGIApp

from webgym.concurrency import background
from webgym.monitor.app import ReadPicture, ReadSteps, monitor_app
from webgym.monitor.board import Board
from webgym.monitor.notice import notice_posted
from webgym.monitor.wire import BoardFacts
from webgym.serving.page_server import ServedPage, bind_page, serve_page
from webgym.telemetry.events import EventBus

_MOST_UNREAD = 65_536
_AT_ONCE = 500


@asynccontextmanager
async def serve_monitor(  # noqa: PLR0913 - what can be tuned
    board: Board,
    *,
    screenshot: ReadPicture,
    steps: ReadSteps,
    about: BoardFacts,
    folder: Path | None = None,
    port: int = 0,
    token: str = "",
    option: str = "monitor.port=…",
) -> AsyncGenerator[ServedPage]:
    """Serve a board for the duration of the block, with a notice in the run's folder. Leaving it finishes the board.

    `token` is required to watch; if empty, one is generated. `option` is the setting that the error message names if
    the port is taken.

    Raises:
        ConfigError: The port is taken.
    """

    def app(token: str) -> ASGIApp:
        return monitor_app(board, token=token, screenshot=screenshot, steps=steps, about=about)

    async with serve_page("monitor", app, bind_page(port, option), token=token) as page, background() as tasks:
        tasks.start_soon(board.metrics.lag.tick)
        try:
            with notice_posted(folder, page.url):
                yield page
        finally:
            board.finish()  # ends all event streams, so that the server can shut down


async def follow(board: Board, bus: EventBus) -> None:
    """Feed a board from an existing bus. `EventBus(board.apply)` is lossless and needs no task."""
    with bus.subscribe(_MOST_UNREAD) as subscription:
        taken = 0
        async for event in subscription:
            board.apply(event)
            board.lost = subscription.dropped
            taken += 1
            if taken % _AT_ONCE == 0:
                await anyio.lowlevel.checkpoint()
