"""Serves every attempt its own page, under an address that nobody can guess, and hears how it went."""

from __future__ import annotations

import json
import secrets
import socket
from collections.abc import AsyncGenerator, Generator
from contextlib import asynccontextmanager, contextmanager

import anyio
import msgspec
from aiohttp import web

from webgym.errors import ConfigError
from webgym_miniwob.instance import Instance, Report
from webgym_miniwob.pages import Asset, Pages, episode_script

_CORE = "core/core.js"
_MOST_REPORT_BYTES = 16_384
_NOT_KEPT = {"Cache-Control": "no-store"}


class PageServer:
    """MiniWoB's pages, for the attempts in progress."""

    def __init__(self, pages: Pages, destination: str) -> None:
        self.destination = destination
        """`host:port`."""
        self._pages = pages
        self._instances: dict[str, Instance] = {}
        self._script = episode_script()

    @contextmanager
    def instance(self, name: str, seed: int) -> Generator[Instance]:
        """Serve a new instance until the block exits."""
        made = Instance(name, seed)
        self._instances[made.token] = made
        try:
            yield made
        finally:
            del self._instances[made.token]

    def address(self, instance: Instance) -> str:
        """Return the address of the instance's page."""
        return f"http://{self.destination}/a/{instance.token}/{instance.page}"

    def application(self) -> web.Application:
        """Return the application that serves the pages."""
        application = web.Application(client_max_size=_MOST_REPORT_BYTES)
        application.router.add_get("/favicon.ico", _nothing)
        application.router.add_post("/a/{token}/report", self._report)
        application.router.add_get("/a/{token}/{path:.+}", self._file)
        return application

    async def _file(self, request: web.Request) -> web.Response:
        instance, path = self._of(request), request.match_info["path"]
        asset = self._pages.asset(path)
        # Of pages, an attempt sees only its own: another task could be easier.
        if asset is None or (asset.media_type == "text/html" and path != instance.page):
            raise web.HTTPNotFound
        if path == instance.page:
            return _page(asset)
        body = asset.body + self._episode(instance).encode() if path == _CORE else asset.body
        return web.Response(body=body, content_type=asset.media_type, charset="utf-8", headers=_NOT_KEPT)

    def _episode(self, instance: Instance) -> str:
        report = f"/a/{instance.token}/report"
        about = {"seed": instance.seed, "nonce": instance.load(), "report": report}
        return "\n" + self._script.replace("__EPISODE__", json.dumps(about), 1)

    async def _report(self, request: web.Request) -> web.Response:
        instance = self._of(request)
        try:
            said = msgspec.json.decode(await request.read(), type=Report)
        except msgspec.DecodeError as error:
            raise web.HTTPBadRequest from error
        if not instance.report(request.headers.get("X-Episode", ""), said):
            raise web.HTTPForbidden
        return web.Response(status=204)

    def _of(self, request: web.Request) -> Instance:
        instance = self._instances.get(request.match_info["token"])
        if instance is None:
            raise web.HTTPNotFound
        return instance


@asynccontextmanager
async def serving(pages: Pages, host: str, port: int) -> AsyncGenerator[PageServer]:
    """Serve pages at a port of this host, or any free one if it is 0.

    Raises:
        ConfigError: The port is taken, or the host is not this machine.
    """
    try:
        listener = socket.create_server((host, port))
    except OSError as error:
        raise ConfigError(f"MiniWoB cannot be served at {host}:{port} (env.options): {error}") from error
    server = PageServer(pages, f"{host}:{listener.getsockname()[1]}")
    runner = web.AppRunner(server.application(), access_log=None, shutdown_timeout=0.5)
    try:
        await runner.setup()
        await web.SockSite(runner, listener).start()
        yield server
    finally:
        with anyio.CancelScope(shield=True):
            await runner.cleanup()
        listener.close()


def _page(asset: Asset) -> web.Response:
    """Return a page that runs no scripts but MiniWoB's: the terminal, for one, shows what is typed as HTML."""
    nonce = secrets.token_urlsafe(24)
    body = asset.body.replace(b"<script", f'<script nonce="{nonce}"'.encode())
    # The color picker makes functions of its options.
    compiled = " 'unsafe-eval'" if b"jscolor" in body else ""
    policy = f"script-src 'self' 'nonce-{nonce}'{compiled}; object-src 'none'; base-uri 'none'"
    headers = {**_NOT_KEPT, "Content-Security-Policy": policy}
    return web.Response(body=body, content_type=asset.media_type, charset="utf-8", headers=headers)


async def _nothing(request: web.Request) -> web.Response:
    del request
    return web.Response(status=204)
