"""Answers that are not a fleet's: what stands in front of a gateway or a node answers while that restarts."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import anyio
import pytest
from aiohttp import web

from webgym.browser import wire
from webgym.browser.client import connect
from webgym.browser.config import GatewayConfig, NodeConfig
from webgym.browser.server.gateway.registry import Registry
from webgym.browser.server.gateway.relay import node_client
from webgym.browser.server.node.announce import Announcer
from webgym.browser.server.node.app import NodeTokens
from webgym.browser.server.node.node import Node
from webgym.browser.server.node.workers import WorkerPlan
from webgym.errors import ConfigError, LossReason, SessionLost, TransportError
from webgym.records.action import Click, Point
from webgym.telemetry.events import EventBus

pytestmark = pytest.mark.anyio
HTML = "<html><h1>502 Bad Gateway</h1></html>"
Answer = Callable[[web.Request], web.Response]


class Balancer:
    """Stands in front of a fleet, and answers itself as often as it is told to."""

    def __init__(self, answer: Answer) -> None:
        self.url = ""
        self.down = 0
        """Requests that it will answer itself."""
        self.status = 502
        self.asked: list[str] = []
        self._answer = answer

    async def handle(self, request: web.Request) -> web.Response:
        self.asked.append(f"{request.method} {request.path}")
        if self.down > 0:
            self.down -= 1
            return web.Response(status=self.status, text=HTML, content_type="text/html")
        return self._answer(request)


@asynccontextmanager
async def answering(handle: Callable[[web.Request], Awaitable[web.Response]]) -> AsyncGenerator[str]:
    """The URL of a server that answers everything like this."""
    app = web.Application()
    app.router.add_route("*", "/{path:.*}", handle)
    runner = web.AppRunner(app, shutdown_timeout=0.1, access_log=None)
    await runner.setup()
    try:
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        yield f"http://127.0.0.1:{runner.addresses[0][1]}"
    finally:
        await runner.cleanup()


@asynccontextmanager
async def balanced(answer: Answer) -> AsyncGenerator[Balancer]:
    balancer = Balancer(answer)
    async with answering(balancer.handle) as balancer.url:
        yield balancer


def ours(record: object) -> web.Response:
    return web.Response(body=wire.encode(record), content_type=wire.MSGPACK)


def a_lease(request: web.Request) -> web.Response:
    match request.method, request.path:
        case "POST", "/v1/sessions":
            return ours(wire.Lease("a-session", 1, f"http://{request.host}", 10.0))
        case _:
            return ours(wire.RenewReply())


def a_lease_elsewhere(request: web.Request) -> web.Response:
    """Of a session on a node that only the gateway reaches."""
    if request.path == "/v1/sessions":
        return ours(wire.Lease("a-session", 1, "http://127.0.0.1:9", 10.0))
    return a_lease(request)


@pytest.mark.parametrize("status", [502, 404, 200])
async def test_a_node_outlives_a_gateway_whose_balancer_answers_for_it(tmp_path: Path, status: int):
    reply = wire.AnnounceReply(client_token_digest="digest")
    async with balanced(lambda _: ours(reply)) as balancer, anyio.create_task_group() as tasks:
        balancer.down, balancer.status = 2, status
        config = NodeConfig(gateway=balancer.url, announce_seconds=0.05)
        node = Node(config, WorkerPlan(1, 1, tmp_path, {}))
        tokens = NodeTokens("join")
        seen: list[str] = []

        async def watch() -> None:
            while node.unheard:
                seen.append(node.unheard)
                await anyio.sleep(0.01)

        with anyio.fail_after(30):
            tasks.start_soon(Announcer(node, tokens, "join").run)
            await watch()
        assert any(f"it answered {status}, which is not the reply of a WebGym fleet" in said for said in seen)
        assert tokens.client_digest == "digest"
        tasks.cancel_scope.cancel()


async def test_one_announcement_without_an_answer_does_not_make_a_node_silent(tmp_path: Path):
    heard: list[float] = []
    asked = 0

    async def hear(_: web.Request) -> web.Response:
        nonlocal asked
        asked += 1
        if asked == 2:  # over a connection that something on the way has given up
            await anyio.sleep_forever()
        heard.append(anyio.current_time())
        return ours(wire.AnnounceReply())

    async with answering(hear) as url, anyio.create_task_group() as tasks:
        node = Node(NodeConfig(gateway=url), WorkerPlan(1, 1, tmp_path, {}))
        tasks.start_soon(Announcer(node, NodeTokens("join"), "join").run)
        with anyio.fail_after(10):
            while len(heard) < 2:
                await anyio.sleep(0.05)
        tasks.cancel_scope.cancel()
    assert heard[1] - heard[0] < GatewayConfig().silent_seconds - 0.25


async def test_a_client_asks_again_while_a_balancer_answers_for_the_gateway():
    async with balanced(a_lease) as balancer, connect(balancer.url, token="t") as client:
        balancer.down = 2
        async with client.open(wait_seconds=5.0) as session:
            assert session.name == "a-session"
        assert balancer.asked == [*3 * ["POST /v1/sessions"], "DELETE /v1/sessions/a-session"]


async def test_a_client_that_waited_long_enough_is_told_who_answered():
    async with balanced(a_lease) as balancer, connect(balancer.url, token="t") as client:
        balancer.down = 100
        with pytest.raises(
            TransportError, match=f"{balancer.url} answered 502, which is not the reply of a WebGym fleet"
        ):
            async with client.open(wait_seconds=0.3):
                pass


async def test_a_step_that_a_balancer_answers_is_not_sent_again():
    async with balanced(a_lease) as balancer, connect(balancer.url, token="t") as client:
        async with client.open() as session:
            balancer.down = 1
            with pytest.raises(SessionLost) as caught:
                await session.step(Click(Point(1, 1)))
            assert caught.value.reason is LossReason.POISONED
        assert balancer.asked.count("POST /v1/sessions/a-session/step") == 1
        assert balancer.asked[-1] == "DELETE /v1/sessions/a-session"  # it is still there, and of no more use


async def test_a_step_that_is_cut_off_on_its_way_through_the_gateway_is_not_blamed_on_the_node():
    async with balanced(a_lease_elsewhere) as balancer, connect(balancer.url, token="t") as client:
        async with client.open() as session:
            balancer.down = 1
            with pytest.raises(SessionLost) as caught:
                await session.step(Click(Point(1, 1)))
        assert caught.value.reason is LossReason.POISONED
        assert balancer.asked[-1] == "DELETE /v1/sessions/a-session"


async def test_a_lease_is_renewed_through_the_gateway_if_its_node_cannot_be_reached():
    async with balanced(a_lease_elsewhere) as balancer, connect(balancer.url, token="t", ttl_seconds=0.3) as client:
        async with client.open():  # and think, before the first step
            await anyio.sleep(0.5)
        assert "POST /v1/renew" in balancer.asked


async def test_leases_are_renewed_again_after_a_balancer_answered_for_the_gateway():
    async with balanced(a_lease) as balancer, connect(balancer.url, token="t", ttl_seconds=0.3) as client:
        async with client.open():
            balancer.down, balancer.status = 1, 200
            await anyio.sleep(0.5)
        assert balancer.asked.count("POST /v1/renew") > 1


async def test_a_client_goes_on_when_a_lease_was_lost_for_a_reason_it_does_not_know():
    def sold(request: web.Request) -> web.Response:
        if request.path != "/v1/renew":
            return a_lease(request)
        return ours(wire.RenewReply({"a-session": wire.ErrorBody("session_lost", "sold", reason="sold_to_another")}))

    async with balanced(sold) as balancer, connect(balancer.url, token="t", ttl_seconds=0.3) as client:
        async with client.open() as session:
            await anyio.sleep(0.3)
            with pytest.raises(SessionLost, match="sold_to_another"):
                await session.step(Click(Point(1, 1)))


async def test_a_gateway_takes_a_balancers_answer_for_no_answer_of_the_node():
    registry = Registry(4.0, EventBus())
    async with balanced(a_lease) as balancer, node_client(registry, "join", "") as nodes:
        registry.hear(
            wire.Announcement(node="a", epoch="1", url=balancer.url, capacity=1, free=0, sessions={"a-session": 1})
        )
        balancer.down = 1
        failed = await nodes.renew([wire.LeaseKey("a-session", 1)])
    assert failed["a-session"].code == TransportError.code
    assert failed["a-session"].message == "node a answered 502, which is not the reply of a WebGym fleet"


@pytest.mark.parametrize("url", ["127.0.0.1:7000", "gateway", "ws://gateway:7000"])
async def test_a_url_that_no_gateway_can_have_is_told_at_once(url: str):
    with pytest.raises(ConfigError, match="must look like http://"):
        async with connect(url, token="t"):
            pass
