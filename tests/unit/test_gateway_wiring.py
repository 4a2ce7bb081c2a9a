"""What the gateway asks of nodes: with everything that a request carries, and of another node where one refuses."""

from __future__ import annotations

import anyio
import pytest
from aiohttp import web
from aiohttp.test_utils import TestServer
from fastapi import Request

from webgym.browser import wire
from webgym.browser.config import GatewayConfig
from webgym.browser.server.gateway.app import GatewayHandlers
from webgym.browser.server.gateway.placement import Placement
from webgym.browser.server.gateway.registry import KnownNode, Registry
from webgym.browser.server.gateway.relay import node_client
from webgym.errors import CapacityError, LossReason, SessionLost, TransportError, WebGymError
from webgym.records.session import SessionSpec
from webgym.testing.rollouts import EventList

pytestmark = pytest.mark.anyio


def said(node: str, *, free: int = 4, url: str = "", sessions: dict[str, int] | None = None) -> wire.Announcement:
    return wire.Announcement(node=node, epoch="1", url=url, capacity=4, free=free, sessions=sessions or {})


def request(path: str, headers: dict[str, str]) -> Request:
    raw = [(name.lower().encode(), value.encode()) for name, value in headers.items()]
    scope = {"type": "http", "method": "POST", "path": path, "query_string": b"", "headers": raw, "server": ("x", 80)}
    return Request(scope)


async def test_a_relayed_request_carries_what_the_node_needs_and_not_the_clients_token():
    got: list[dict[str, str]] = []

    async def step(asked: web.Request) -> web.Response:
        got.append({name.lower(): value for name, value in asked.headers.items()} | {"body": await asked.text()})
        return web.Response(body=b"reply", headers={"Content-Type": wire.MSGPACK, "Retry-After": "7", "X-Own": "1"})

    app = web.Application()
    app.router.add_post("/v1/sessions/s/step", step)
    registry = Registry(4.0, EventList())
    sent = {wire.FENCE: "3", wire.DEADLINE: "12.5", "Content-Type": wire.MSGPACK, "Accept": wire.MSGPACK}
    async with TestServer(app) as server, node_client(registry, "join-secret", "") as nodes:
        registry.hear(said("a", url=f"http://127.0.0.1:{server.port}", sessions={"s": 3}))
        asked = request("/v1/sessions/s/step", {**sent, "Authorization": "Bearer client-secret"})
        answer = await nodes.relay(asked, "s", b"order")
    [one] = got
    assert {name: one[name.lower()] for name in sent} == sent
    assert (one["authorization"], one["body"]) == ("Bearer join-secret", "order")
    assert (answer.body, answer.headers["retry-after"], answer.headers.get("x-own")) == (b"reply", "7", None)


class Nodes:
    """Nodes of which one refuses."""

    def __init__(self, refusal: WebGymError) -> None:
        self.asked: list[str] = []
        self._refusal = refusal

    async def open(self, node: KnownNode, order: wire.NodeOpenRequest) -> wire.Lease:
        self.asked.append(node.said.node)
        await anyio.lowlevel.checkpoint()
        if node.said.node == "refuses":
            raise self._refusal
        return wire.Lease(order.session, 1, "", order.ttl_seconds)


@pytest.mark.parametrize(
    "refusal",
    [CapacityError("full"), TransportError("gone"), SessionLost("died", reason=LossReason.WORKER_DIED)],
)
async def test_another_node_is_asked_where_one_refuses(refusal: WebGymError):
    registry = Registry(4.0, EventList())
    registry.hear(said("refuses", free=4))
    registry.hear(said("opens", free=2))
    nodes = Nodes(refusal)
    handlers = GatewayHandlers(GatewayConfig(), registry, Placement(registry, 10), nodes)
    with anyio.fail_after(30):
        lease = await handlers._open(wire.OpenRequest(SessionSpec()), 10.0, 2.0)
    assert nodes.asked == ["refuses", "opens"]
    assert registry.node_of(lease.session).said.node == "opens"
