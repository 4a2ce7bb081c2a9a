"""A page for one person, served inside a process that does something else, on a port of its own."""

from __future__ import annotations

import getpass
import os
import secrets
import socket
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager

import anyio
from starlette.types import ASGIApp

from webgym.concurrency import background
from webgym.records.base import Record
from webgym.serving.listen import Server, bind, url_of
from webgym.serving.pages import tunnel_command

_HOST = "127.0.0.1"


class ServedPage(Record, frozen=True):
    """Where a page is."""

    name: str
    url: str
    """With the token, as a person opens it."""
    port: int
    tunnel: str = ""
    """What to run on one's own machine to reach it; empty unless one came by SSH."""

    def lines(self) -> tuple[str, ...]:
        """What to tell the person who started it."""
        if not self.tunnel:
            return (f"{self.name} {self.url}",)
        return (f"on your own machine: {self.tunnel}", f"then open {self.url}")


def bind_page(port: int, option: str = "--port") -> socket.socket:
    """A socket that only this machine reaches. `option` is what the user can change if the port is taken.

    Raises:
        ConfigError: It is.
    """
    return bind(_HOST, port, option)


@asynccontextmanager
async def serve_page(
    name: str, app: Callable[[str], ASGIApp], sock: socket.socket, *, token: str = ""
) -> AsyncGenerator[ServedPage]:
    """Serve a page while the block lasts. `app` makes it from its token; empty: one that nobody knows yet."""
    token = token or secrets.token_urlsafe(24)
    port: int = sock.getsockname()[1]
    connection = os.environ.get("SSH_CONNECTION", "")
    # A user of a container may have no name.
    tunnel = tunnel_command(port, connection, getpass.getuser()) if connection else ""
    server = Server(app(token))
    async with background() as tasks:
        tasks.start_soon(_serve, server, sock)
        try:
            yield ServedPage(name, f"{url_of(_HOST, port, tls=False)}/?token={token}", port, tunnel)
        finally:
            server.should_exit = True


async def _serve(server: Server, sock: socket.socket) -> None:
    # Cancelled, uvicorn would leave its listener in the event loop, deaf to the next socket of the same number. It ends
    # by `should_exit`, within its own grace period.
    with anyio.CancelScope(shield=True):
        await server.serve_on(sock)
