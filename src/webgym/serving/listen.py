"""Sockets that listen, and uvicorn on them."""

from __future__ import annotations

import contextlib
import errno
import socket
from collections.abc import Generator

import uvicorn
from starlette.types import ASGIApp

from webgym.errors import ConfigError


def bind(host: str, port: int, option: str = "--port", host_option: str = "--host") -> socket.socket:
    """A listening socket; port 0 takes any free one. The options are what the user can change if it cannot be had.

    Raises:
        ConfigError: The port is taken or none at all, or the address is not this machine's.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    sock = socket.socket(family)
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        sock.bind((host, port))
    except OverflowError as error:
        sock.close()
        raise ConfigError(f"cannot listen on {host}:{port}: ports are 0-65535; choose another with {option}") from error
    except OSError as error:
        sock.close()
        elsewhere = isinstance(error, socket.gaierror) or error.errno == errno.EADDRNOTAVAIL
        change = host_option if elsewhere else option
        raise ConfigError(f"cannot listen on {host}:{port}: {error.strerror}; choose another with {change}") from error
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


def is_loopback(host: str) -> bool:
    """Whether only this machine reaches what listens there."""
    return host == "localhost" or host.startswith("127.") or host == "::1"


def is_everywhere(host: str) -> bool:
    """Whether it stands for all addresses of this machine."""
    return host in ("0.0.0.0", "::")  # noqa: S104 - compared, not bound


def url_of(host: str, port: int, *, tls: bool) -> str:
    """The URL of a server that listens there, as this machine reaches it."""
    name = {"0.0.0.0": "127.0.0.1", "::": "[::1]"}.get(host, f"[{host}]" if ":" in host else host)  # noqa: S104 - compared, not bound
    return f"{'https' if tls else 'http'}://{name}:{port}"
