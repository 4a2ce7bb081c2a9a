"""A gateway that has just started, asked about sessions whose node has not announced itself to it yet."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

import aiohttp
import anyio
import pytest
from aiohttp import web

from webgym.browser import wire
from webgym.browser.client.heartbeat import Heartbeat
from webgym.browser.client.session import RemoteSession
from webgym.browser.client.transport import open_transport
from webgym.browser.config import GatewayConfig
from webgym.browser.server.gateway.app import GatewayHandlers, create_gateway_app
from webgym.browser.server.gateway.placement import Placement
from webgym.browser.server.gateway.registry import Registry
from webgym.browser.server.gateway.relay import node_client
from webgym.browser.tokens import FleetTokens
from webgym.errors import SessionUnknown
from webgym.records.action import Click, Point
from webgym.records.observation import Capture, Observation
from webgym.serving.listen import SocketServer, bind
from webgym.telemetry.events import EventBus
from webgym.telemetry.metrics import Metrics

pytestmark = pytest.mark.anyio
TOKENS = FleetTokens("client-secret", "join-secret")
SESSION = "a-session-that-was-here-before-the-gateway"


@dataclass
class Young:
    """The gateway, and the node that holds the session."""

    registry: Registry
    url: str
    node: str
    step_seconds: float = 0.0
    asked: list[str] = field(default_factory=list)

    async def answer(self, request: web.Request) -> web.Response:
        self.asked.append(f"{request.method} {request.path}")
        if request.path.endswith("/step"):
            await anyio.sleep(self.step_seconds)
            body = wire.encode(Capture(Observation(sequence=1, url="http://x", title="done")))
        else:
            body = wire.encode(wire.RenewReply())
        return web.Response(body=body, content_type=wire.MSGPACK)

    async def announce(self, after: float) -> None:
        await anyio.sleep(after)
        sessions = {SESSION: 1}
        self.registry.hear(wire.Announcement("a", "1", self.node, capacity=1, free=0, sessions=sessions))


@asynccontextmanager
async def gateway_of(silent_seconds: float = 4.0) -> AsyncGenerator[Young]:
    registry = Registry(silent_seconds, EventBus())
    sock = bind("127.0.0.1", 0)
    young = Young(registry, f"http://127.0.0.1:{sock.getsockname()[1]}", "")
    site = web.Application()
    site.router.add_route("*", "/{path:.*}", young.answer)
    runner = web.AppRunner(site, shutdown_timeout=0.1, access_log=None)
    await runner.setup()
    try:
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        young.node = f"http://127.0.0.1:{runner.addresses[0][1]}"
        async with node_client(registry, TOKENS.join, "") as nodes, anyio.create_task_group() as tasks:
            handlers = GatewayHandlers(GatewayConfig(), registry, Placement(registry, 1), nodes)
            server = SocketServer(create_gateway_app(handlers, TOKENS, Metrics()))
            tasks.start_soon(server.serve_on, sock)
            try:
                yield young
            finally:
                server.should_exit = True
    finally:
        await runner.cleanup()


@asynccontextmanager
async def holding(young: Young, base: str) -> AsyncGenerator[tuple[RemoteSession, Heartbeat]]:
    """The session as its holder has it, with its lease renewed ten times in a second."""
    async with open_transport(TOKENS.client, "") as transport, anyio.create_task_group() as tasks:
        session = RemoteSession(transport, young.url, wire.Lease(SESSION, 1, base, 0.3), 30.0)
        heartbeat = Heartbeat(transport, 0.3)
        tasks.start_soon(heartbeat.run)
        yield session, heartbeat
        tasks.cancel_scope.cancel()


async def test_a_relayed_step_waits_for_its_node_to_announce_itself():
    async with gateway_of() as young, holding(young, young.url) as (session, _), anyio.create_task_group() as tasks:
        tasks.start_soon(young.announce, 0.5)
        with anyio.fail_after(3):
            assert (await session.step(Click(Point(1, 1)))).observation.title == "done"
        assert young.asked == [f"POST /v1/sessions/{SESSION}/step"]


async def test_a_lease_that_is_renewed_through_it_is_not_lost():
    async with gateway_of() as young, holding(young, young.url) as (session, heartbeat):
        heartbeat.add(session)
        await anyio.sleep(0.5)
        assert young.asked == []
        await young.announce(0.0)
        await anyio.sleep(0.3)
        assert "POST /v1/renew" in young.asked
        assert (await session.step(Click(Point(1, 1)))).observation.title == "done"


async def test_a_step_that_its_node_carries_out_is_not_cut_off():
    async with gateway_of(silent_seconds=8.0) as young, holding(young, young.node) as (session, _):
        young.step_seconds = 5.0  # the client asks the gateway after two seconds, and again
        assert (await session.step(Click(Point(1, 1)))).observation.title == "done"


async def test_a_session_that_is_nowhere_is_told_as_such_in_the_end():
    async with gateway_of(silent_seconds=0.5) as young, holding(young, young.url) as (session, _):
        with anyio.fail_after(3), pytest.raises(SessionUnknown):
            await session.step(Click(Point(1, 1)))


async def test_a_client_that_hangs_up_is_not_waited_for():
    headers = {"Authorization": f"Bearer {TOKENS.client}", wire.FENCE: "1"}
    async with gateway_of() as young:
        async with aiohttp.ClientSession(young.url, headers=headers) as raw:
            with pytest.raises(TimeoutError):
                await raw.post(f"/v1/sessions/{SESSION}/step", json={}, timeout=aiohttp.ClientTimeout(total=0.2))
        await young.announce(0.2)
        await anyio.sleep(0.2)
        assert young.asked == []
