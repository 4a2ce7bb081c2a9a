"""The monitor served inside the process of the rollout, on a port of its own."""

from __future__ import annotations

import getpass
import os
import secrets
import socket
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

import anyio
import anyio.lowlevel

from webgym.monitor.app import ReadPicture, ReadSteps, monitor_app
from webgym.monitor.board import Board
from webgym.monitor.notice import notice_posted
from webgym.monitor.wire import About
from webgym.records.base import Record
from webgym.serving import listen
from webgym.serving.pages import tunnel_command
from webgym.telemetry.events import EventBus

_HOST = "127.0.0.1"
_MOST_UNREAD = 65_536
_AT_ONCE = 500


class MonitorServer(Record, frozen=True):
    """Where the monitor is."""

    url: str
    """With the token, as a person opens it."""
    port: int
    tunnel: str = ""
    """What to run on one's own machine to reach it; empty unless one came by SSH."""

    def lines(self) -> tuple[str, ...]:
        """What to tell the person who started it."""
        if not self.tunnel:
            return (f"monitor {self.url}",)
        return (f"on your own machine: {self.tunnel}", f"then open {self.url}")


@asynccontextmanager
async def serve_monitor(
    board: Board,
    *,
    screenshot: ReadPicture,
    steps: ReadSteps,
    about: About,
    folder: Path | None = None,
    port: int = 0,
    option: str = "monitor.port=…",
) -> AsyncGenerator[MonitorServer]:
    """Serve a board while the block lasts, and post a notice in the run's folder. The board ends with the block.

    `option` is what the user can change if the port is taken.

    Raises:
        ConfigError: The port is taken.
    """
    token = secrets.token_urlsafe(24)
    sock = listen.bind(_HOST, port, option)
    bound: int = sock.getsockname()[1]
    url = f"{listen.url_of(_HOST, bound, tls=False)}/?token={token}"
    tunnel = tunnel_command(bound, os.environ.get("SSH_CONNECTION", ""), getpass.getuser())
    server = listen.Server(monitor_app(board, token=token, screenshot=screenshot, steps=steps, about=about))
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(_serve, server, sock)
        try:
            with notice_posted(folder, url):
                yield MonitorServer(url, bound, tunnel)
        finally:
            board.finish()  # streams tell their watchers so, and end; the server then has nothing to wait for
            server.should_exit = True


async def _serve(server: listen.Server, sock: socket.socket) -> None:
    # Cancelled, uvicorn would leave its listener in the event loop, deaf to the next socket of the same number. It ends
    # by `should_exit`, within its own grace period.
    with anyio.CancelScope(shield=True):
        await server.serve_on(sock)


async def follow(board: Board, bus: EventBus) -> None:
    """Feed a board from a bus that was made without it; `EventBus(board.apply)` loses nothing and needs no task."""
    with bus.subscribe(_MOST_UNREAD) as subscription:
        taken = 0
        async for event in subscription:
            board.apply(event)
            board.lost = subscription.dropped
            taken += 1
            if taken % _AT_ONCE == 0:
                await anyio.lowlevel.checkpoint()
