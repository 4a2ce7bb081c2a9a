"""The HTTP API of the gateway."""

from __future__ import annotations

import secrets
from dataclasses import dataclass

import anyio
from fastapi import FastAPI, Request, Response

from webgym.browser import wire
from webgym.browser.config import GatewayConfig
from webgym.browser.server import http
from webgym.browser.server.gateway.placement import Placement
from webgym.browser.server.gateway.registry import KnownNode, Registry
from webgym.browser.server.gateway.relay import NodeClient
from webgym.browser.server.session_routes import add_session_routes
from webgym.browser.tokens import FleetTokens
from webgym.errors import CapacityError, RequestError, SessionLost, TransportError, WebGymError
from webgym.serving.bearer import bears, digest
from webgym.telemetry.measures import CONTENT_TYPE
from webgym.telemetry.metrics import Metrics
from webgym.version import __version__


@dataclass(frozen=True, slots=True)
class GatewayHandlers:
    """Opens sessions on nodes, and relays requests on them."""

    config: GatewayConfig
    registry: Registry
    placement: Placement
    nodes: NodeClient

    async def open(self, request: Request) -> Response:
        """Queue for capacity if necessary, then open the session on a node."""
        body = await http.read_body(request, self.config.limits.body_bytes)
        order = wire.decode(wire.OpenRequest, body or b"{}", http.sent(request))
        limits = self.config.limits
        ttl = limits.default_ttl_seconds if order.ttl_seconds is None else order.ttl_seconds
        if not 0 < ttl <= limits.max_ttl_seconds:
            raise RequestError(f"ttl_seconds is {ttl:g}; it must be above 0 and at most {limits.max_ttl_seconds:g}")
        wait = min(max(order.wait_seconds, 0.0), limits.open_seconds)
        lease = await http.while_connected(request, lambda: self._open(order, ttl, wait))
        return http.reply(lease, request)

    async def _open(self, order: wire.OpenRequest, ttl: float, wait_seconds: float) -> wire.Lease:
        give_up = anyio.current_time() + wait_seconds
        failure: WebGymError | None = None
        while True:
            try:
                async with self.placement.place(max(0.0, give_up - anyio.current_time())) as node:
                    session = secrets.token_urlsafe(24)
                    try:
                        return await self._open_on(node, wire.NodeOpenRequest(session, order.spec, ttl))
                    except (CapacityError, TransportError, SessionLost) as error:
                        # No lease was granted, so it is safe to try another node, or this one later.
                        self.registry.is_full(node)
                        failure = error
            except CapacityError as no_place:
                raise failure or no_place from failure

    async def _open_on(self, node: KnownNode, order: wire.NodeOpenRequest) -> wire.Lease:
        try:
            lease = await self.nodes.open(node, order)
        except WebGymError:
            raise
        except BaseException:
            await self.nodes.abandon(node, order.session)
            raise
        self.registry.placed(order.session, node)
        return lease

    async def of_session(self, request: Request, session: str) -> Response:
        """Relay a request to the session's node."""
        body = await http.read_body(request, self.config.limits.body_bytes)
        return await http.while_connected(request, lambda: self.nodes.relay(request, session, body))

    async def renew(self, request: Request) -> Response:
        """Renew leases, each on the node that holds it."""
        body = await http.read_body(request, self.config.limits.body_bytes)
        order = wire.decode(wire.RenewRequest, body, http.sent(request))
        return http.reply(wire.RenewReply(await self.nodes.renew(order.holdings)), request)


def create_gateway_app(handlers: GatewayHandlers, tokens: FleetTokens, measured: Metrics) -> FastAPI:
    """Create the gateway's HTTP application."""
    app = http.create_app("WebGym gateway", "The entry point of a WebGym browser fleet.")
    client_digest, join_digest = digest(tokens.client), digest(tokens.join)

    def allowed(header: str | None, path: str) -> bool:
        return bears(header, join_digest) if path == "/v1/nodes" else bears(header, client_digest, join_digest)

    app.add_middleware(http.TokenGuard, allowed=allowed)
    add_session_routes(app, handlers, wire.OpenRequest)

    @app.post("/v1/nodes", response_class=Response, tags=["fleet"], summary="Announce a node to the gateway")
    async def announce(request: Request) -> Response:  # pyright: ignore[reportUnusedFunction]
        body = await http.read_body(request, handlers.config.limits.body_bytes)
        said = wire.decode(wire.Announcement, body, http.sent(request))
        welcome = handlers.registry.hear(said)
        handlers.placement.wake()
        return http.reply(wire.AnnounceReply(fenced=not welcome, client_token_digest=client_digest), request)

    @app.get("/v1/status", response_class=Response, tags=["fleet"], summary="Status of the fleet")
    async def status(request: Request) -> Response:  # pyright: ignore[reportUnusedFunction]
        return http.reply(handlers.registry.status(handlers.placement.waiting, __version__), request)

    @app.get("/healthz", response_class=Response, tags=["fleet"], summary="Health check: 200 if a node has joined")
    async def healthz() -> Response:  # pyright: ignore[reportUnusedFunction]
        healthy = bool(handlers.registry.nodes)
        return Response("ok\n" if healthy else "no node has joined\n", 200 if healthy else 503, media_type="text/plain")

    @app.get("/metrics", response_class=Response, tags=["fleet"], summary="Prometheus metrics")
    async def render_metrics() -> Response:  # pyright: ignore[reportUnusedFunction]
        return Response(measured.render(), media_type=CONTENT_TYPE)

    return app
