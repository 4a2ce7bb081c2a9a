"""The viewer: stored runs as a web page, and the JSON that it is made of."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import anyio
import anyio.to_thread
import msgspec
from starlette.applications import Starlette
from starlette.datastructures import QueryParams
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from webgym.errors import WebGymError
from webgym.serving.pages import PageFiles, PageGuard
from webgym.viewer.answers import Answers
from webgym.viewer.library import Library

_FILES = Path(__file__).parent / "static"
_READERS = 4
"""Requests that read from disk at once."""
_DEADLINE = 60.0

Answer = Callable[[QueryParams], object]


def viewer_app(root: Path, *, token: str) -> Starlette:
    """The application. `root` is a run's folder, or one that holds runs at any depth."""
    files = PageFiles(_FILES)
    answers = Answers(Library(root))
    readers = anyio.CapacityLimiter(_READERS)

    async def page(_request: Request) -> Response:
        return files.response("index.html")

    async def file(request: Request) -> Response:
        return files.response(request.path_params["name"])

    def reading(answer: Answer) -> Callable[[Request], object]:
        async def handler(request: Request) -> Response:
            try:
                with anyio.fail_after(_DEADLINE):
                    return await anyio.to_thread.run_sync(_reply, answer, request.query_params, limiter=readers)
            except TimeoutError:
                return _problem("deadline", "the run could not be read in time", 504)

        return handler

    return Starlette(
        routes=[
            Route("/", page),
            Route("/static/{name:path}", file),
            Route("/api/runs", reading(answers.runs)),
            Route("/api/run", reading(answers.run)),
            Route("/api/rows", reading(answers.rows)),
            Route("/api/failures", reading(answers.failures)),
            Route("/api/compare", reading(answers.compare)),
            Route("/api/attempt", reading(answers.attempt)),
            Route("/api/prompt", reading(answers.prompt)),
            Route("/api/picture", reading(answers.picture)),
        ],
        middleware=[Middleware(PageGuard, token=token, name="view")],
    )


def _reply(answer: Answer, params: QueryParams) -> Response:
    try:
        found = answer(params)
    except WebGymError as error:
        return _problem(error.code, str(error), error.status)
    return found if isinstance(found, Response) else _json(found, 200)


def _problem(code: str, message: str, status: int) -> Response:
    return _json({"error": code, "message": message}, status)


def _json(value: object, status: int) -> Response:
    return Response(msgspec.json.encode(value), status, media_type="application/json")
