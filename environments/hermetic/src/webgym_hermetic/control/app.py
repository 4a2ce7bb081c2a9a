"""The control plane's HTTP API. Every route requires the bearer token."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import TypeVar

import msgspec
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from webgym.errors import AuthError, BodyTooLarge, ConfigError, RequestError, SiteUnknown, WebGymError
from webgym.serving.bearer import bears, digest
from webgym.serving.strangers import admit
from webgym_hermetic.control.wire import Begin, Begun, Problem, Restart, Status
from webgym_hermetic.site import Site
from webgym_hermetic.states import States

T = TypeVar("T")
_LONGEST_BODY = 2**20
_UNSENT = "the control plane needs the header 'Authorization: Bearer TOKEN'"
_UNKNOWN = "the token that was sent is not the control plane's"


class _Handlers:
    def __init__(self, sites: Mapping[str, Site], states: States, pages_port: int) -> None:
        self._sites = sites
        self._states = states
        self._pages_port = pages_port

    async def status(self, _request: Request) -> object:
        return Status(len(self._sites), len(self._states), self._pages_port)

    async def begin(self, request: Request) -> object:
        wanted = _decoded(await _body(request), Begin)
        return Begun(self._states.begin(self._site(wanted.site), wanted.events, wanted.weather, wanted.visits))

    async def fork(self, request: Request) -> object:
        return Begun(self._states.fork(request.path_params["key"]))

    async def restart(self, request: Request) -> object:
        wanted = _decoded(await _body(request), Restart)
        self._states.restart(request.path_params["key"], wanted.like)
        return {}

    async def read(self, request: Request) -> object:
        site = self._site(request.path_params["site"])
        return self._states.get(request.path_params["key"]).on(site).snapshot()

    async def end(self, request: Request) -> object:
        self._states.end(request.path_params["key"])
        return {}

    def _site(self, name: str) -> Site:
        if name not in self._sites:
            raise SiteUnknown(
                f"this server has no site {name!r}; sites go by the name that `webgym sites list` shows first"
            )
        return self._sites[name]


def control_app(sites: Mapping[str, Site], states: States, token: str, pages_port: int) -> Starlette:
    """Return the control plane as an ASGI application; `ConfigError` without a token."""
    if not token:
        raise ConfigError("the sites' control plane needs a token")
    expected = digest(token)
    handlers = _Handlers(sites, states, pages_port)

    def guarded(handle: Callable[[Request], Awaitable[object]]) -> Callable[[Request], Awaitable[Response]]:
        async def handler(request: Request) -> Response:
            try:
                header = request.headers.get("authorization")
                if not bears(header, expected):
                    raise AuthError(_UNSENT if header is None else _UNKNOWN)
                admit(request.scope)
                return _json(await handle(request), 200)
            except WebGymError as error:
                return _json(Problem(error.code, str(error)), error.status)

        return handler

    return Starlette(
        routes=[
            Route("/v1/status", guarded(handlers.status)),
            Route("/v1/states", guarded(handlers.begin), methods=["POST"]),
            Route("/v1/states/{key}/fork", guarded(handlers.fork), methods=["POST"]),
            Route("/v1/states/{key}/restart", guarded(handlers.restart), methods=["POST"]),
            Route("/v1/states/{key}/sites/{site}", guarded(handlers.read)),
            Route("/v1/states/{key}", guarded(handlers.end), methods=["DELETE"]),
        ]
    )


def _json(value: object, status: int) -> Response:
    return Response(msgspec.json.encode(value), status, media_type="application/json")


async def _body(request: Request) -> bytes:
    body = b""
    async for chunk in request.stream():
        body += chunk
        if len(body) > _LONGEST_BODY:
            raise BodyTooLarge(f"a state may be described in {_LONGEST_BODY} bytes")
    return body


def _decoded(body: bytes, kind: type[T]) -> T:
    try:
        return msgspec.json.decode(body, type=kind)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise RequestError(f"the state cannot be read: {error}") from error
