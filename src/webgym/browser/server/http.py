"""HTTP plumbing shared by gateway and node: authentication, errors, body limits, client disconnects."""

from __future__ import annotations

import logging
import math
import ssl
from collections.abc import Awaitable, Callable
from typing import TypeVar

from fastapi import FastAPI, Request, Response
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from webgym.browser import wire
from webgym.browser.wire import ErrorBody
from webgym.concurrency import background
from webgym.errors import AuthError, BodyTooLarge, CapacityError, RequestError, WebGymError
from webgym.serving.strangers import admit
from webgym.version import __version__

logger = logging.getLogger(__name__)
T = TypeVar("T")


_UNSENT = "every route needs the header 'Authorization: Bearer TOKEN'"
_UNKNOWN = "this server does not accept the given token for this route"


class ClientGoneError(Exception):
    """The client disconnected before its response was ready."""


class UnexpectedErrorMiddleware:
    """ASGI middleware that answers errors which nobody planned, and logs them.

    Starlette would answer and raise them again, upon which uvicorn closes the connection: a gateway that sends somebody
    else's request on it at that moment cannot know whether it arrived.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on; answer an error unless an answer has begun."""
        begun = False

        async def noted(message: Message) -> None:
            nonlocal begun
            begun = True
            await send(message)

        try:
            await self._app(scope, receive, noted)
        except Exception as error:
            if begun:
                raise
            logger.exception("%s %s failed unexpectedly", scope.get("method"), scope.get("path"))
            headers: dict[bytes, bytes] = dict(scope["headers"])
            media_type = wire.media_type_of(headers.get(b"accept", b"").decode("latin-1"))
            await error_response(error, media_type)(scope, receive, send)


class TokenGuard:
    """ASGI middleware that requires a bearer token on every route, including the health check."""

    def __init__(self, app: ASGIApp, allowed: Callable[[str | None, str], bool]) -> None:
        self._app = app
        self._allowed = allowed

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on if its Authorization header carries a token that is valid for its path."""
        if scope["type"] == "http":
            headers: dict[bytes, bytes] = dict(scope["headers"])
            header = headers.get(b"authorization", b"").decode("latin-1") or None
            if not self._allowed(header, scope["path"]):
                media_type = wire.media_type_of(headers.get(b"accept", b"").decode("latin-1"))
                error = AuthError(_UNSENT if header is None else _UNKNOWN)
                await error_response(error, media_type)(scope, receive, send)
                return
            admit(scope)
        await self._app(scope, receive, send)


def create_app(title: str, description: str) -> FastAPI:
    """Create an application that reports every error as an `ErrorBody`."""
    app = FastAPI(title=title, description=description, version=__version__)

    async def on_error(request: Request, error: Exception) -> Response:
        return error_response(error, accepted(request))

    async def on_http_error(request: Request, error: Exception) -> Response:
        status = error.status_code if isinstance(error, HTTPException) else 500
        body = ErrorBody(code="bad_request", message=f"{request.method} {request.url.path}: {error}")
        return _body_response(body, status, accepted(request))

    app.add_exception_handler(WebGymError, on_error)
    for gone in (ClientGoneError, ClientDisconnect):  # the latter while its body is being read
        app.add_exception_handler(gone, lambda _request, _error: Response(status_code=499))
    app.add_exception_handler(HTTPException, on_http_error)
    app.add_middleware(UnexpectedErrorMiddleware)
    return app


def error_response(error: Exception, media_type: str) -> Response:
    """Render an error with its status and, for `CapacityError`, a Retry-After header."""
    status = error.status if isinstance(error, WebGymError) else 500
    response = _body_response(wire.error_body(error), status, media_type)
    if isinstance(error, CapacityError):
        response.headers["Retry-After"] = str(math.ceil(error.retry_after))
    return response


def _body_response(body: ErrorBody, status: int, media_type: str) -> Response:
    return Response(wire.encode(body, media_type), status, media_type=media_type)


def accepted(request: Request) -> str:
    """Return the media type that the client accepts; JSON unless it accepts MessagePack."""
    return wire.media_type_of(request.headers.get("accept"))


def sent(request: Request) -> str:
    """Return the media type of the request body; JSON unless declared as MessagePack."""
    return wire.media_type_of(request.headers.get("content-type"))


def reply(record: object, request: Request, status: int = 200) -> Response:
    """Render a record in the media type that the client accepts."""
    media_type = accepted(request)
    return Response(wire.encode(record, media_type), status, media_type=media_type)


async def read_body(request: Request, limit: int) -> bytes:
    """Read the request body; `BodyTooLarge` if it exceeds the limit."""
    declared = request.headers.get("content-length", "0")
    if declared.isdigit() and int(declared) > limit:
        raise BodyTooLarge(f"the body has {declared} bytes; at most {limit} are allowed")
    chunks: list[bytes] = []
    size = 0
    async for chunk in request.stream():
        size += len(chunk)
        if size > limit:
            raise BodyTooLarge(f"the body has more than {limit} bytes")
        chunks.append(chunk)
    return b"".join(chunks)


class StoppedError(Exception):
    """The condition on which the work depended ended first."""


async def unless(stopped: Callable[[], Awaitable[object]], work: Callable[[], Awaitable[T]]) -> T:
    """Run `work`, but cancel it and raise `StoppedError` if `stopped` returns first."""
    results: list[T] = []
    async with background() as tasks:

        async def watch() -> None:
            await stopped()
            tasks.cancel_scope.cancel()

        tasks.start_soon(watch)
        results.append(await work())
    if not results:
        raise StoppedError
    return results[0]


async def while_connected(request: Request, work: Callable[[], Awaitable[T]]) -> T:
    """Run `work`, but cancel it if the client disconnects. The body must have been read before."""

    async def hung_up() -> None:
        while (await request.receive())["type"] != "http.disconnect":
            pass

    try:
        return await unless(hung_up, work)
    except StoppedError as error:
        raise ClientGoneError from error


def header_number(request: Request, name: str, default: float) -> float:
    """Parse a non-negative number from a header."""
    text = request.headers.get(name)
    if text is None:
        return default
    try:
        number = float(text)
    except ValueError:
        number = math.nan
    if not math.isfinite(number) or number < 0:
        raise RequestError(f"header {name} is {text!r}; a number is expected")
    return number


def ssl_context(authority: str) -> ssl.SSLContext | bool:
    """Return how to verify peers' certificates: with this authority, or with the system's if empty."""
    return ssl.create_default_context(cafile=authority) if authority else True
