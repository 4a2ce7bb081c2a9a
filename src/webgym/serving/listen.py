"""Sockets that listen, and uvicorn on them."""

from __future__ import annotations

import contextlib
import socket
from collections.abc import Generator

import uvicorn
from starlette.types import ASGIApp

from webgym.errors import ConfigError


def bind(host: str, port: int, option: str = "--port") -> socket.socket:
    """A listening socket; port 0 takes any free one. The option is what the user can change if that one is taken."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    sock = socket.socket(family)
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        sock.bind((host, port))
    except OSError as error:
        sock.close()
        raise ConfigError(f"cannot listen on {host}:{port}: {error.strerror}; choose another with {option}") from error
    sock.listen(1024)
    sock.setblocking(False)
    return sock


class Server(uvicorn.Server):
    """uvicorn on a socket of ours, ended by whoever started it rather than by signals."""

    def __init__(self, app: ASGIApp, *, certificate: str = "", key: str = "") -> None:
        super().__init__(
            uvicorn.Config(
                app,
                loop="none",
                http="httptools",
                ws="none",
                lifespan="off",
                log_config=None,
                access_log=False,
                timeout_keep_alive=75,
                timeout_graceful_shutdown=2,
                ssl_certfile=certificate or None,
                ssl_keyfile=key or None,
            )
        )

    @contextlib.contextmanager
    def capture_signals(self) -> Generator[None]:
        """Leave signals to the process that runs this server."""
        yield

    async def serve_on(self, sock: socket.socket) -> None:
        """Serve until `should_exit` is set or the task is cancelled."""
        try:
            await self.serve(sockets=[sock])
        finally:
            # Cancelled, uvicorn leaves its listeners in the loop, and the next socket of that number goes unheard.
            for listener in getattr(self, "servers", ()):
                listener.close()
            sock.close()


def url_of(host: str, port: int, *, tls: bool) -> str:
    """The URL of a server that listens there, as this machine reaches it."""
    name = {"0.0.0.0": "127.0.0.1", "::": "[::1]"}.get(host, f"[{host}]" if ":" in host else host)  # noqa: S104 - compared, not bound
    return f"{'https' if tls else 'http'}://{name}:{port}"
