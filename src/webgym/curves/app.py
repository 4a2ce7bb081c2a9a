"""The web app for live curves: the page and its JSON data."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from pathlib import Path

import msgspec
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from webgym.curves.about import RunFacts
from webgym.curves.file import in_order, readable
from webgym.errors import WebGymError
from webgym.records.base import Record
from webgym.records.curve import Iteration
from webgym.serving.pages import PageFiles, PageGuard

PAGE = Path(__file__).parent / "page"

ReadAbout = Callable[[], RunFacts]
"""Returns what is known about the run now."""
ReadIterations = Callable[[], Sequence[Iteration]]
"""Returns the iterations so far. Called on the event loop, so it must be fast."""


class Curve(Record, frozen=True, omit_defaults=False):
    """The data of the page."""

    about: RunFacts
    iterations: tuple[Iteration, ...]


def curves_app(iterations: ReadIterations, *, about: RunFacts | ReadAbout, token: str) -> Starlette:
    """Create the app, accessible only with the token."""
    files = PageFiles(PAGE)

    async def page(_request: Request) -> Response:
        return files.response("index.html")

    async def file(request: Request) -> Response:
        return files.response(request.path_params["name"])

    async def curve(request: Request) -> Response:
        try:
            data = encoded(about if isinstance(about, RunFacts) else about(), iterations())
        except WebGymError as error:
            return _problem(error)
        tag = f'"{hashlib.sha256(data).hexdigest()[:32]}"'
        headers = {"etag": tag, "cache-control": "no-cache"}
        if request.headers.get("if-none-match") == tag:  # pages poll every few seconds, for days
            return Response(status_code=304, headers=headers)
        return Response(data, media_type="application/json", headers=headers)

    return Starlette(
        routes=[Route("/", page), Route("/static/{name:path}", file), Route("/curve.json", curve)],
        middleware=[Middleware(PageGuard, token=token, name="curves")],
    )


def encoded(about: RunFacts, iterations: Sequence[Iteration]) -> bytes:
    """Encode a curve as JSON."""
    return msgspec.json.encode(Curve(about, tuple(readable(iteration) for iteration in in_order(iterations))))


def _problem(error: WebGymError) -> Response:
    told = msgspec.json.encode({"code": error.code, "message": str(error)})
    return Response(told, error.status, media_type="application/json")
