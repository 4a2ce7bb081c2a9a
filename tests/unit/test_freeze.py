"""A node that did not run for a while serves none of its old leases, whatever it is asked first."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from pathlib import Path

import anyio
import pytest
from tests.asgi import asked

from webgym.browser import wire
from webgym.browser.config import NodeConfig
from webgym.browser.server.node import freeze
from webgym.browser.server.node.app import NodeTokens, create_node_app
from webgym.browser.server.node.freeze import FreezeGuard
from webgym.browser.server.node.node import Node
from webgym.browser.server.node.workers import WorkerPlan
from webgym.serving.bearer import digest

pytestmark = pytest.mark.anyio
HEADERS = {"Authorization": "Bearer client", "Content-Type": wire.JSON, "Accept": wire.JSON, wire.FENCE: "1"}


class Clock:
    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(freeze, "_clock", clock)
    return clock


@pytest.fixture
async def node(clock: Clock, tmp_path: Path) -> AsyncGenerator[Node]:
    """A node with a lease and without workers, whose own ticks do not come first."""
    node = Node(NodeConfig(max_sessions=1), WorkerPlan(0, 1, tmp_path, {}))
    node.leases.add("s", 1, 600.0, {})
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(node.run)
        await anyio.lowlevel.checkpoint()
        yield node
        tasks.cancel_scope.cancel()


def test_a_freeze_is_told_once_and_only_beyond_the_limit(clock: Clock):
    told: list[float] = []
    guard = FreezeGuard(4.0, told.append)
    clock.now += 3.9
    guard.check()
    clock.now += 3.9
    guard.check()
    assert told == []
    clock.now += 4.5
    guard.check()
    guard.check()
    assert told == [4.5]


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("GET", "/v1/sessions/s"),
        ("POST", "/v1/sessions/s/step"),
        ("POST", "/v1/sessions/s/take"),
        ("GET", "/v1/sessions/s/blobs/" + "0" * 64),
    ],
)
async def test_after_a_freeze_every_request_on_an_old_session_is_refused(node: Node, clock: Clock, method, path):
    tokens = NodeTokens("join")
    tokens.client_digest = digest("client")
    app, epoch = create_node_app(node, tokens), node.epoch
    clock.now += 5.0
    status, body = await asked(app, method, path, b"{}" if method == "POST" else b"", HEADERS)
    assert status == 410, body
    assert b"node_lost" in body
    assert b"frozen" in body
    assert node.epoch != epoch


async def test_after_a_freeze_no_old_lease_is_renewed_or_announced(node: Node, clock: Clock):
    epoch = node.epoch
    clock.now += 5.0
    assert node.renew(wire.RenewRequest((wire.LeaseKey("s", 1),))).lost["s"].reason == "node_lost"
    assert node.epoch != epoch
    node.leases.forget("s")
    node.leases.add("t", 1, 600.0, {})
    epoch = node.epoch
    clock.now += 5.0
    announced = node.announcement()
    assert announced.epoch != epoch
    assert announced.sessions == {}
    assert "t" in announced.ended
