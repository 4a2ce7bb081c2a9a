"""The viewer application: a web page and its JSON API."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TypeVar

import anyio
import anyio.to_thread
import msgspec
from starlette.applications import Starlette
from starlette.datastructures import QueryParams
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from webgym.errors import AuthError, RequestError, WebGymError
from webgym.serving.pages import PageFiles, PageGuard
from webgym.viewer.api import LibraryApi
from webgym.viewer.judgements import Judgements
from webgym.viewer.labelling import MOST_BYTES, Labeller, check_sender, put_label, read_wish
from webgym.viewer.library import Library
from webgym.viewer.training import Trainings

_FILES = Path(__file__).parent / "static"
_READERS = 4
"""Maximum concurrent requests that read from disk."""
_DEADLINE = 60.0

Answer = Callable[[QueryParams], object]
Asked = TypeVar("Asked")


def viewer_app(
    root: Path,
    *,
    token: str,
    labeller: Labeller | None = None,
    judgements: Judgements | None = None,
    trainings: Trainings | None = None,
) -> Starlette:
    """Create the application. `root` is the folder of a run, or one that contains runs at any depth.

    Without a labeller it is read-only. `judgements` are judgements made after the runs, and `trainings` knows what
    training runs are about.
    """
    files = PageFiles(_FILES)
    library = Library(root, judgements, trainings)
    api = LibraryApi(library)
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
            Route("/api/runs", reading(api.runs)),
            Route("/api/run", reading(api.run)),
            Route("/api/rows", reading(api.rows)),
            Route("/api/groups", reading(api.groups)),
            Route("/api/failures", reading(api.failures)),
            Route("/api/compare", reading(api.compare)),
            Route("/api/attempt", reading(api.attempt)),
            Route("/api/prompt", reading(api.prompt)),
            Route("/api/picture", reading(api.picture)),
            *_labelling(library, labeller),
        ],
        middleware=[Middleware(PageGuard, token=token, name="view")],
    )


def _labelling(library: Library, labeller: Labeller | None) -> list[Route]:
    async def who(request: Request) -> Response:
        known = labeller is not None and labeller.known(request.headers)
        return _json({"who": labeller.who if labeller and known else ""}, 200)

    async def label(request: Request) -> Response:
        try:
            sender = check_sender(labeller, request.headers)
            with anyio.fail_after(_DEADLINE):
                wish = read_wish(await _body(request))
                return await anyio.to_thread.run_sync(_reply, partial(put_label, library, sender.who), wish)
        except AuthError as error:
            return _problem(error.code, str(error), 403)  # not 401: the page's token was valid
        except RequestError as error:
            return _problem(error.code, str(error), error.status)
        except TimeoutError:
            return _problem("deadline", "the label was not received in time", 504)

    return [Route("/api/labeller", who), Route("/api/label", label, methods=["POST"])]


async def _body(request: Request) -> bytes:
    """Read the body of a request, stopping once it is too large for a label."""
    body = b""
    async for chunk in request.stream():
        body += chunk
        if len(body) > MOST_BYTES:
            break
    return body


def _reply(answer: Callable[[Asked], object], asked: Asked) -> Response:
    try:
        found = answer(asked)
    except WebGymError as error:
        return _problem(error.code, str(error), error.status)
    return found if isinstance(found, Response) else _json(found, 200)


def _problem(code: str, message: str, status: int) -> Response:
    return _json({"error": code, "message": message}, status)


def _json(value: object, status: int) -> Response:
    return Response(msgspec.json.encode(value), status, media_type="application/json")
