"""The HTTP API of a node."""

from __future__ import annotations

from fastapi import FastAPI, Request, Response

from webgym.browser import wire
from webgym.browser.server import http
from webgym.browser.server.node.node import Node
from webgym.browser.server.session_routes import add_session_routes, fence_of
from webgym.errors import ConfigError, RequestError
from webgym.records.observation import Capture
from webgym.serving.bearer import bears, digest
from webgym.telemetry.measures import CONTENT_TYPE

_BLOB_SECONDS = 10.0


class NodeHandlers:
    """Executes requests on the node's own sessions."""

    def __init__(self, node: Node) -> None:
        self._node = node
        self._limits = node.config.limits

    async def open(self, request: Request) -> Response:
        """Open a session under the id that the gateway chose."""
        body = await http.read_body(request, self._limits.body_bytes)
        order = wire.decode(wire.NodeOpenRequest, body, http.sent(request))
        lease = await http.while_connected(request, lambda: self._node.open(order))
        return http.reply(lease, request)

    async def renew(self, request: Request) -> Response:
        """Renew leases."""
        body = await http.read_body(request, self._limits.body_bytes)
        return http.reply(self._node.renew(wire.decode(wire.RenewRequest, body, http.sent(request))), request)

    async def of_session(self, request: Request, session: str) -> Response:
        """Dispatch a request by its method and the path below the session."""
        verb = request.url.path.split("/")[4:5]
        match (request.method, *verb):
            case ("GET",):
                self._node.freeze.check()
                return http.reply(self._node.status(self._node.leases.check(session, None)), request)
            case ("DELETE",):
                await self._node.release(session, fence_of(request))
                return Response(status_code=204)
            case ("POST", "step"):
                return await self._step(request, session)
            case ("POST", "take"):
                self._node.freeze.check()
                return http.reply(self._node.lease_record(self._node.leases.take(session)), request)
            case ("GET", "blobs"):
                return await self._blob(request, session)
            case _:
                raise RequestError(f"{request.method} {request.url.path} is not a known session route")

    async def _step(self, request: Request, session: str) -> Response:
        fence = fence_of(request)
        body = await http.read_body(request, self._limits.body_bytes)
        if http.sent(request) == wire.JSON:
            body = wire.encode(wire.decode(wire.StepRequest, body or b"{}", wire.JSON))
        seconds = http.header_number(request, wire.DEADLINE, wire.DEFAULT_DEADLINE_SECONDS)
        seconds = min(seconds, self._limits.step_seconds)
        capture = await http.while_connected(request, lambda: self._node.call("step", session, fence, body, seconds))
        if http.accepted(request) == wire.JSON:
            return http.reply(wire.decode(Capture, capture).observation, request)
        return Response(capture, media_type=wire.MSGPACK)

    async def _blob(self, request: Request, session: str) -> Response:
        address = request.path_params["address"]
        lease = self._node.leases.check(session, None)
        data = await self._node.call("blob", session, lease.fence, address.encode(), _BLOB_SECONDS)
        # Content that a page produced is untrusted: it must never be rendered as a document of this server.
        headers = {"X-Content-Type-Options": "nosniff", "Content-Security-Policy": "sandbox; default-src 'none'"}
        return Response(data, media_type=_image_type(data), headers=headers)


def _image_type(data: bytes) -> str:
    for start, media_type in ((b"\xff\xd8", "image/jpeg"), (b"\x89PNG", "image/png"), (b"RIFF", "image/webp")):
        if data.startswith(start):
            return media_type
    return "application/octet-stream"


class NodeTokens:
    """The tokens that a node accepts: the join token, and the client token for requests on sessions."""

    def __init__(self, join_token: str) -> None:
        if not join_token:
            raise ConfigError("a node needs the fleet's join token")
        self._join = digest(join_token)
        self.client_digest = ""
        """Digest of the client token, as received from the gateway."""

    def allow(self, header: str | None, path: str) -> bool:
        """Only the gateway may open sessions; every other route is open to clients as well."""
        if path == "/v1/sessions":
            return bears(header, self._join)
        return bears(header, self._join, self.client_digest)


def create_node_app(node: Node, tokens: NodeTokens) -> FastAPI:
    """Create the node's HTTP application."""
    app = http.create_app("WebGym node", "One machine of a WebGym browser fleet. Sessions are opened at the gateway.")
    app.add_middleware(http.TokenGuard, allowed=tokens.allow)
    add_session_routes(app, NodeHandlers(node), wire.NodeOpenRequest)

    @app.get("/healthz", response_class=Response, tags=["fleet"], summary="Health check: 200 if a worker is ready")
    async def healthz() -> Response:  # pyright: ignore[reportUnusedFunction]
        healthy = bool(node.workers)
        return Response("ok\n" if healthy else "no worker is ready\n", 200 if healthy else 503, media_type="text/plain")

    @app.get("/metrics", response_class=Response, tags=["fleet"], summary="Prometheus metrics")
    async def render_metrics() -> Response:  # pyright: ignore[reportUnusedFunction]
        return Response(node.metrics.render(), media_type=CONTENT_TYPE)

    @app.get("/v1/held", response_class=Response, tags=["fleet"], summary="Sessions on this node")
    async def held(request: Request) -> Response:  # pyright: ignore[reportUnusedFunction]
        return http.reply([node.status(lease) for lease in node.leases], request)

    return app
