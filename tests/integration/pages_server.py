"""Test pages on loopback, served from the loop that the test runs in: slow, broken and endless ones included."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager

import anyio
from aiohttp import web

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


class Pages:
    """A site whose pages are put there by the test."""

    def __init__(self) -> None:
        self.port = 0
        self.requests: list[web.Request] = []
        self._handlers: dict[str, Handler] = {}

    @property
    def allowed(self) -> tuple[str, ...]:
        """For the egress policy. The same pages are of another site under the other name."""
        return (f"127.0.0.1:{self.port}", f"localhost:{self.port}")

    def url(self, path: str = "/", host: str = "127.0.0.1") -> str:
        return f"http://{host}:{self.port}{path}"

    def put(
        self,
        path: str,
        content: str | bytes,
        *,
        after: float = 0.0,
        status: int = 200,
        headers: dict[str, str] | None = None,
        media_type: str = "text/html",
    ) -> str:
        """Serve this at a path; its address."""
        body = content if isinstance(content, bytes) else content.encode()

        async def handle(_: web.Request) -> web.Response:
            await anyio.sleep(after)
            return web.Response(body=body, status=status, headers=headers, content_type=media_type, charset="utf-8")

        return self.serve(path, handle)

    def page(self, body: str, path: str = "/", title: str = "Test") -> str:
        return self.put(path, f"<!doctype html><title>{title}</title><body style='margin:0'>{body}")

    def serve(self, path: str, handler: Handler) -> str:
        """Serve a path by hand; its address."""
        self._handlers[path] = handler
        return self.url(path)

    def trickle(self, path: str, head: str = "", headers: dict[str, str] | None = None, chunk: bytes = b" ") -> str:
        """A response that begins and never ends."""

        async def handle(request: web.Request) -> web.StreamResponse:
            response = web.StreamResponse(headers={"Content-Type": "text/html", **(headers or {})})
            await response.prepare(request)
            await response.write(head.encode())
            try:
                while True:
                    await anyio.sleep(0.05)
                    await response.write(chunk)
            except ConnectionResetError:
                return response

        return self.serve(path, handle)

    def silence(self, path: str) -> str:
        """A request that is never answered."""

        async def handle(_: web.Request) -> web.Response:
            await anyio.sleep_forever()
            raise AssertionError

        return self.serve(path, handle)

    def clear(self) -> None:
        self._handlers.clear()
        self.requests.clear()

    async def handle(self, request: web.Request) -> web.StreamResponse:
        self.requests.append(request)
        handler = self._handlers.get(request.path)
        return web.Response(status=404, text="not here") if handler is None else await handler(request)


@asynccontextmanager
async def serving_pages() -> AsyncGenerator[Pages]:
    """A site on a free port, until the block ends."""
    pages = Pages()
    app = web.Application()
    app.router.add_route("*", "/{path:.*}", pages.handle)
    runner = web.AppRunner(app, shutdown_timeout=0.1, access_log=None)
    await runner.setup()
    try:
        site = web.TCPSite(runner, "127.0.0.1", 0)
        await site.start()
        pages.port = runner.addresses[0][1]
        yield pages
    finally:
        await runner.cleanup()
