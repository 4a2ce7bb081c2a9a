"""Serves a rollout worker's pictures to trainers over HTTP, for the lifetime of the worker."""

from __future__ import annotations

import secrets
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager

import anyio.to_thread
import msgspec
from aiohttp import web

from webgym.serving.bearer import bears, digest
from webgym_areal.references import MOST_AT_ONCE, ROUTE

Blob = Callable[[str], bytes | None]
"""Returns the bytes at an address, or None if there are none. May block."""
_MOST_BYTES = 2**20
"""Largest request."""


@asynccontextmanager
async def serving_pictures(blob: Blob, host: str) -> AsyncGenerator[str]:
    """Serve on a free port. Yield the prefix of references to these pictures.

    Args:
        blob: Looks up a picture by address.
        host: Name or address under which trainers reach this machine.
    """
    token = secrets.token_urlsafe(24)
    application = web.Application(client_max_size=_MOST_BYTES)
    application.router.add_post(ROUTE, _handler(blob, digest(token)))
    runner = web.AppRunner(application, access_log=None)
    await runner.setup()
    try:
        await web.TCPSite(runner, interface(host), 0).start()
        port = runner.addresses[0][1]
        yield f"http://:{token}@{f'[{host}]' if ':' in host else host}:{port}"
    finally:
        with anyio.CancelScope(shield=True):
            await runner.cleanup()


def interface(host: str) -> str:
    """Return the interface to listen on: loopback if the host is loopback, else all interfaces."""
    if host in {"127.0.0.1", "::1", "localhost"}:
        return host
    return "::" if ":" in host else "0.0.0.0"  # noqa: S104 - trainers are on other machines; access needs the token


def _handler(blob: Blob, wanted: str) -> Callable[[web.Request], Awaitable[web.Response]]:
    async def pictures(request: web.Request) -> web.Response:
        if not bears(request.headers.get("authorization"), wanted):
            return web.Response(status=401, text="the token is missing or wrong\n")
        try:
            addresses = msgspec.msgpack.decode(await request.read(), type=list[str])
        except msgspec.MsgspecError as error:
            return web.Response(status=400, text=f"{error}\n")
        if len(addresses) > MOST_AT_ONCE:
            return web.Response(status=400, text=f"at most {MOST_AT_ONCE} images per request\n")

        def read() -> bytes:
            return msgspec.msgpack.encode({one: blob(one) for one in addresses})

        return web.Response(body=await anyio.to_thread.run_sync(read), content_type="application/msgpack")

    return pictures
