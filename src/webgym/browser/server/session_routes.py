"""The session routes, which gateway and node share."""

from __future__ import annotations

import functools
import re
from typing import Any, Protocol

import msgspec
from fastapi import FastAPI, Request, Response

from webgym.browser import wire
from webgym.errors import RequestError
from webgym.records.observation import Capture, Observation


class SessionHandlers(Protocol):
    """Handlers of the session routes: the node executes requests, the gateway relays them."""

    async def open(self, request: Request) -> Response:
        """Handle `POST /v1/sessions`."""
        ...

    async def of_session(self, request: Request, session: str) -> Response:
        """Handle any request at or below `/v1/sessions/{session}`."""
        ...

    async def renew(self, request: Request) -> Response:
        """Handle `POST /v1/renew`."""
        ...


def _body(name: str) -> dict[str, Any]:
    schema = {"schema": {"$ref": f"#/components/schemas/{name}"}}
    return {"content": {wire.JSON: schema, wire.MSGPACK: schema}}


def _reply(name: str, description: str) -> dict[int | str, dict[str, Any]]:
    return {
        200: {"description": description, **_body(name)},
        "default": {"description": "What went wrong.", **_body("ErrorBody")},
    }


_FENCE_DIGITS = re.compile(r"[0-9]{1,18}")
_FENCE = {
    "name": wire.FENCE,
    "in": "header",
    "required": True,
    "schema": {"type": "integer"},
    "description": "The lease's fence.",
}
_DEADLINE = {"name": wire.DEADLINE, "in": "header", "schema": {"type": "number", "default": 30}}


def add_session_routes(app: FastAPI, handlers: SessionHandlers, open_body: type[wire.Record]) -> None:
    """Add the session routes, documented in OpenAPI."""
    route = functools.partial(app.api_route, response_class=Response, tags=["sessions"])

    @route(
        "/v1/sessions",
        methods=["POST"],
        summary="Open a session",
        responses=_reply("Lease", "The lease of a new session."),
        openapi_extra={"requestBody": _body(open_body.__name__)},
    )
    async def open_session(request: Request) -> Response:  # pyright: ignore[reportUnusedFunction]
        return await handlers.open(request)

    @route(
        "/v1/sessions/{session}", methods=["GET"], summary="Status", responses=_reply("SessionStatus", "The session.")
    )
    async def status(request: Request, session: str) -> Response:  # pyright: ignore[reportUnusedFunction]
        return await handlers.of_session(request, session)

    @route(
        "/v1/sessions/{session}",
        methods=["DELETE"],
        summary="Release a session",
        status_code=204,
        openapi_extra={"parameters": [_FENCE]},
    )
    async def close(request: Request, session: str) -> Response:  # pyright: ignore[reportUnusedFunction]
        return await handlers.of_session(request, session)

    @route(
        "/v1/sessions/{session}/step",
        methods=["POST"],
        summary="Perform an action, wait for the page to settle, and observe it",
        description="The reply is a Capture with its blobs in MessagePack, or only the Observation in JSON.",
        responses=_reply("Observation", "The observation after the action."),
        openapi_extra={"requestBody": _body("StepRequest"), "parameters": [_FENCE, _DEADLINE]},
    )
    async def step(request: Request, session: str) -> Response:  # pyright: ignore[reportUnusedFunction]
        return await handlers.of_session(request, session)

    @route(
        "/v1/sessions/{session}/take",
        methods=["POST"],
        summary="Take over a session and invalidate the previous holder's fence",
        responses=_reply("Lease", "The new lease."),
    )
    async def take(request: Request, session: str) -> Response:  # pyright: ignore[reportUnusedFunction]
        return await handlers.of_session(request, session)

    @route(
        "/v1/sessions/{session}/blobs/{address}", methods=["GET"], summary="Get the bytes of a screenshot or a download"
    )
    async def blob(request: Request, session: str, address: str) -> Response:  # pyright: ignore[reportUnusedFunction]  # noqa: ARG001 - read by the handler
        return await handlers.of_session(request, session)

    @route(
        "/v1/renew",
        methods=["POST"],
        summary="Renew leases",
        responses=_reply("RenewReply", "Leases that could not be renewed."),
        openapi_extra={"requestBody": _body("RenewRequest")},
    )
    async def renew(request: Request) -> Response:  # pyright: ignore[reportUnusedFunction]
        return await handlers.renew(request)

    _describe_records(app, open_body)


def _describe_records(app: FastAPI, open_body: type[wire.Record]) -> None:
    kinds = [open_body, wire.StepRequest, wire.Lease, wire.RenewRequest, wire.RenewReply, wire.ErrorBody]
    kinds += [wire.SessionStatus, wire.FleetStatus, Observation, Capture]
    _, components = msgspec.json.schema_components(kinds, ref_template="#/components/schemas/{name}")
    generate = app.openapi

    def with_records() -> dict[str, Any]:
        document = generate()
        document.setdefault("components", {}).setdefault("schemas", {}).update(components)
        return document

    app.openapi = with_records


def fence_of(request: Request) -> int:
    """Return the fencing token of the request."""
    text = request.headers.get(wire.FENCE)
    if text is None or not _FENCE_DIGITS.fullmatch(text):
        raise RequestError(f"header {wire.FENCE} is {text!r}; the lease's fence is expected")
    return int(text)
