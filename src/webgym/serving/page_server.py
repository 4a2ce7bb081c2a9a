"""Serves a token-protected page from within another process, on a port of its own."""

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
from webgym.serving.listen import SocketServer, bind, url_of
from webgym.serving.pages import tunnel_command

_HOST = "127.0.0.1"


class ServedPage(Record, frozen=True):
    """Address of a served page."""

    name: str
    url: str
    """URL to open, including the token."""
    port: int
    tunnel: str = ""
    """SSH command that opens a tunnel from the user's machine; empty unless they are connected by SSH."""

    def lines(self) -> tuple[str, ...]:
        """Return the lines to print for the user."""
        if not self.tunnel:
            return (f"{self.name} {self.url}",)
        return (f"on your own machine: {self.tunnel}", f"then open {self.url}")


def bind_page(port: int, option: str = "--port") -> socket.socket:
    """Open a loopback socket. `option` names the CLI option to suggest if the port is taken.

    Raises:
        ConfigError: The port is taken.
    """
    return bind(_HOST, port, option)


@asynccontextmanager
async def serve_page(
    name: str, app: Callable[[str], ASGIApp], sock: socket.socket, *, token: str = ""
) -> AsyncGenerator[ServedPage]:
    """Serve a page for the duration of the block. `app` creates it from its token, by default a new random one."""
    token = token or secrets.token_urlsafe(24)
    port: int = sock.getsockname()[1]
    connection = os.environ.get("SSH_CONNECTION", "")
    # Only with SSH: in a container the user may have no name, and `getuser` would fail.
    tunnel = tunnel_command(port, connection, getpass.getuser()) if connection else ""
    server = SocketServer(app(token))
    async with background() as tasks:
        tasks.start_soon(_serve, server, sock)
        try:
            yield ServedPage(name, f"{url_of(_HOST, port, tls=False)}/?token={token}", port, tunnel)
        finally:
            server.should_exit = True


async def _serve(server: SocketServer, sock: socket.socket) -> None:
    # If cancelled, uvicorn would leave its listener in the event loop, and a new socket with the same fd would get no
    # events. It stops by `should_exit`, within its own grace period.
    with anyio.CancelScope(shield=True):
        await server.serve_on(sock)
