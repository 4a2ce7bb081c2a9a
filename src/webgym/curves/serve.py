"""Live curves served inside the process that trains, on a port of its own."""

from __future__ import annotations

import getpass
import os
import secrets
import socket
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

import anyio

from webgym.curves.about import About
from webgym.curves.app import ReadIterations, curves_app
from webgym.records.base import Record
from webgym.serving import listen
from webgym.serving.pages import tunnel_command

_HOST = "127.0.0.1"


class CurvesServer(Record, frozen=True):
    """Where the curves are."""

    url: str
    """With the token, as a person opens it."""
    port: int
    tunnel: str = ""
    """What to run on one's own machine to reach it; empty unless one came by SSH."""

    def lines(self) -> tuple[str, ...]:
        """What to tell the person who started it."""
        if not self.tunnel:
            return (f"curves {self.url}",)
        return (f"on your own machine: {self.tunnel}", f"then open {self.url}")


@asynccontextmanager
async def serve_curves(
    iterations: ReadIterations, *, about: About, port: int = 0, option: str = "--curves-port"
) -> AsyncGenerator[CurvesServer]:
    """Serve a curve while the block lasts. The page asks for what is new by itself.

    `iterations` gives those so far; a file that another process writes will do: `lambda: read(path)`. `option` is what
    the user can change if the port is taken.

    Raises:
        ConfigError: The port is taken.
    """
    token = secrets.token_urlsafe(24)
    sock = listen.bind(_HOST, port, option)
    bound: int = sock.getsockname()[1]
    url = f"{listen.url_of(_HOST, bound, tls=False)}/?token={token}"
    tunnel = tunnel_command(bound, os.environ.get("SSH_CONNECTION", ""), getpass.getuser())
    server = listen.Server(curves_app(iterations, about=about, token=token))
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(_serve, server, sock)
        try:
            yield CurvesServer(url, bound, tunnel)
        finally:
            server.should_exit = True


async def _serve(server: listen.Server, sock: socket.socket) -> None:
    # Cancelled, uvicorn would leave its listener in the event loop, deaf to the next socket of the same number. It ends
    # by `should_exit`, within its own grace period.
    with anyio.CancelScope(shield=True):
        await server.serve_on(sock)
