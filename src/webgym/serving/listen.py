"""Listening sockets, and uvicorn on them."""

from __future__ import annotations

import asyncio
import contextlib
import errno
import socket
from collections.abc import Generator
from functools import partial
from typing import cast

import uvicorn
from starlette.types import ASGIApp

from webgym.errors import ConfigError
from webgym.serving.descriptors import raise_descriptor_limit
from webgym.serving.http_connection import ConnectionLimits, HttpConnection

_QUEUED = 1024
"""Connections that the system may hold until they are accepted."""
_SWEEP_TICKS = 5
"""How often deadlines are checked, in uvicorn's ticks of 0.1 s."""


def bind(host: str, port: int, option: str = "--port", host_option: str = "--host") -> socket.socket:
    """Open a listening socket; port 0 takes any free port. The options name the CLI options to suggest on failure.

    Raises:
        ConfigError: The port is taken or invalid, or the address is not one of this machine.
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
    sock.listen(_QUEUED)
    sock.setblocking(False)
    return sock


class SocketServer(uvicorn.Server):
    """uvicorn on an existing socket, stopped by its owner rather than by signals, with limits on what peers may do."""

    def __init__(
        self,
        app: ASGIApp,
        *,
        certificate: str = "",
        key: str = "",
        limits: ConnectionLimits = ConnectionLimits(),
    ) -> None:
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
        self._limits = limits
        self._descriptors = raise_descriptor_limit()
        self._strangers = limits.strangers_with(self._descriptors)

    @contextlib.contextmanager
    def capture_signals(self) -> Generator[None]:
        """Leave signals to the process that runs this server."""
        yield

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Listen on the sockets. What is accepted at once, before anybody can be evicted, leaves descriptors free."""
        await self.lifespan.startup()
        loop = asyncio.get_running_loop()
        tls = self.config.ssl
        opened = partial(HttpConnection, self.config, self.server_state, self._limits, self._strangers)
        self.servers = [
            await loop.create_server(
                opened,
                sock=sock,
                backlog=min(_QUEUED, self._descriptors // 8),
                ssl=tls,
                ssl_handshake_timeout=self._limits.handshake_seconds if tls else None,
            )
            for sock in sockets or ()
        ]
        self.started = True

    async def on_tick(self, counter: int) -> bool:
        """Do what uvicorn does regularly, and end connections that are late."""
        if counter % _SWEEP_TICKS == 0:
            now = asyncio.get_running_loop().time()
            for connection in cast("set[HttpConnection]", self.server_state.connections).copy():
                connection.expire(now)
        return await super().on_tick(counter)

    async def serve_on(self, sock: socket.socket) -> None:
        """Serve until `should_exit` is set or the task is cancelled."""
        try:
            await self.serve(sockets=[sock])
        finally:
            # If cancelled, uvicorn leaves its listeners in the loop, and a new socket with the same fd gets no events.
            for listener in getattr(self, "servers", ()):
                listener.close()
            sock.close()


def is_loopback(host: str) -> bool:
    """Return whether only this machine can reach the host."""
    return host == "localhost" or host.startswith("127.") or host == "::1"


def is_everywhere(host: str) -> bool:
    """Return whether the host stands for all addresses of this machine."""
    return host in ("0.0.0.0", "::")  # noqa: S104 - compared, not bound


def url_of(host: str, port: int, *, tls: bool) -> str:
    """Return the URL at which this machine reaches a server that listens there."""
    name = {"0.0.0.0": "127.0.0.1", "::": "[::1]"}.get(host, f"[{host}]" if ":" in host else host)  # noqa: S104 - compared, not bound
    return f"{'https' if tls else 'http'}://{name}:{port}"
