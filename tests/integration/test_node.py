"""One node with a worker process, spoken to without a gateway: what it counts, and what a worker's death leaves."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

import anyio
import pytest
from tests.slow_browser import SLOW, slow

from webgym.browser import wire
from webgym.browser.config import ChromiumConfig, FleetLimitsConfig, NodeConfig
from webgym.browser.server.node.node import Node
from webgym.browser.server.node.workers import WorkerPlan
from webgym.errors import DeadlineError, SessionLost, SessionUnknown
from webgym.records.session import SessionSpec

pytestmark = pytest.mark.anyio


@asynccontextmanager
async def node_in(scratch: Path, **limits: float) -> AsyncGenerator[Node]:
    orders = {"browser": SLOW, "chromium": ChromiumConfig().model_dump_json(), "active_steps": 4, "log_style": "quiet"}
    node = Node(NodeConfig(limits=FleetLimitsConfig(**limits)), WorkerPlan(1, 4, scratch, orders))
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(node.run)
        with anyio.fail_after(30):
            while not node.workers:
                await anyio.sleep(0.02)
        yield node
        tasks.cancel_scope.cancel()


def order(session: str, spec: SessionSpec) -> wire.NodeOpenRequest:
    return wire.NodeOpenRequest(session, spec, 10.0)


def closed(node: Node) -> dict[str, float]:
    """How many sessions ended, by reason."""
    [counter] = [one for one in node.metrics.registry.collect() if one.name == "webgym_sessions_closed"]
    return {one.labels["why"]: one.value for one in counter.samples if one.name.endswith("_total")}


async def test_a_session_that_did_not_open_is_not_counted_among_those_that_ended(tmp_path: Path):
    async with node_in(tmp_path, open_seconds=0.3) as node:
        with pytest.raises(DeadlineError):
            await node.open(order("s", slow(opening_seconds=60)))
        assert len(node.leases) == 0
        assert closed(node) == {}


async def test_a_session_whose_worker_dies_while_it_is_released_ends_once(tmp_path: Path):
    async with node_in(tmp_path) as node:
        await node.open(order("s", slow(opening_seconds=0, closing_seconds=60)))
        await node.open(order("t", slow(opening_seconds=0)))
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(node.release, "s", 1)
            await anyio.sleep(0.2)
            [worker] = node.workers
            node._on_worker_died(worker, "its end was noticed before the answers to its calls")
            worker.kill()
        with anyio.fail_after(30):
            while len(node.leases):
                await anyio.sleep(0.02)
        assert closed(node) == {"released": 1, "worker_died": 1}
        with pytest.raises(SessionUnknown, match="released"):
            node.leases.check("s", 1)
        with pytest.raises(SessionLost):
            node.leases.check("t", 1)
