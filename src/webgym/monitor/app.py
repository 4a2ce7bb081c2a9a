"""The monitor application: a page, its updates, attempt details, and metrics."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path

import msgspec
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from webgym.errors import StoreError, WebGymError
from webgym.monitor.board import Board
from webgym.monitor.feed import Feed
from webgym.monitor.steps import with_earlier
from webgym.monitor.wire import BoardFacts
from webgym.records.trajectory import Step
from webgym.serving.pages import PageFiles, PageGuard
from webgym.telemetry import measures

ReadPicture = Callable[[str], bytes | None]
"""Reads the image at an address; None if there is none. Called in the event loop, so it must be fast."""
ReadSteps = Callable[[str], Sequence[Step]]
"""Reads the stored steps of an attempt's latest try. Must also be fast."""

_STATIC = Path(__file__).parent / "static"
_ADDRESS = re.compile(r"sha256:[0-9a-f]{64}")
_PICTURES = {b"\xff\xd8\xff": "image/jpeg", b"\x89PNG\r\n\x1a\n": "image/png", b"RIFF": "image/webp"}
_FOREVER = {"cache-control": "private, max-age=86400, immutable"}


class _Handlers:
    """Request handlers."""

    def __init__(self, board: Board, about: BoardFacts, screenshot: ReadPicture, steps: ReadSteps) -> None:
        self._board = board
        self._about = msgspec.json.encode(about)
        self._screenshot = screenshot
        self._steps = steps
        self._feed = Feed(board)
        self._files = PageFiles(_STATIC)

    async def page(self, _: Request) -> Response:
        return self._files.response("index.html")

    async def static(self, request: Request) -> Response:
        return self._files.response(request.path_params["name"])

    async def about(self, _: Request) -> Response:
        return _json(self._about)

    async def snapshot(self, _: Request) -> Response:
        return _json(msgspec.json.encode(self._board.snapshot()))

    async def events(self, request: Request) -> Response:
        return self._feed.stream(request.headers.get("last-event-id", ""))

    async def metrics(self, _: Request) -> Response:
        return Response(self._board.metrics.render(), media_type=measures.CONTENT_TYPE)

    async def attempt(self, request: Request) -> Response:
        detail = self._board.detail(request.path_params["attempt"])
        if detail is None:
            return _problem("attempt_unknown", "no such attempt here, or no longer", 404)
        history = with_earlier(detail.history, self._stored(detail.attempt))
        return _json(msgspec.json.encode(msgspec.structs.replace(detail, history=history)))

    async def picture(self, request: Request) -> Response:
        address: str = request.path_params["address"]
        data = self._bytes(address) if _ADDRESS.fullmatch(address) else None
        kind = next((kind for magic, kind in _PICTURES.items() if data and data.startswith(magic)), None)
        if data is None or kind is None:
            return _problem("picture_unknown", "no picture has this address", 404)
        return Response(data, media_type=kind, headers=_FOREVER)

    def _stored(self, attempt: str) -> Sequence[Step]:
        try:
            return self._steps(attempt)
        except StoreError:  # show what the board knows without them
            return ()

    def _bytes(self, address: str) -> bytes | None:
        try:
            return self._screenshot(address)
        except StoreError:  # never stored, or dropped since then
            return None


def monitor_app(
    board: Board, *, token: str, screenshot: ReadPicture, steps: ReadSteps, about: BoardFacts | None = None
) -> Starlette:
    """Create the application, which requires the token."""
    handlers = _Handlers(board, about or BoardFacts(run=""), screenshot, steps)
    return Starlette(
        routes=[
            Route("/", handlers.page),
            Route("/static/{name:path}", handlers.static),
            Route("/api/about", handlers.about),
            Route("/api/snapshot", handlers.snapshot),
            Route("/api/events", _told(handlers.events)),
            Route("/api/attempt/{attempt:path}", handlers.attempt),
            Route("/api/picture/{address}", handlers.picture),
            Route("/metrics", handlers.metrics),
        ],
        middleware=[Middleware(PageGuard, token=token, name="monitor")],
    )


def _told(handle: Callable[[Request], Awaitable[Response]]) -> Callable[[Request], Awaitable[Response]]:
    async def handler(request: Request) -> Response:
        try:
            return await handle(request)
        except WebGymError as error:
            return _problem(error.code, str(error), error.status)

    return handler


def _json(data: bytes) -> Response:
    return Response(data, media_type="application/json")


def _problem(code: str, message: str, status: int) -> Response:
    return Response(msgspec.json.encode({"code": code, "message": message}), status, media_type="application/json")
