"""`python -m webgym.browser.server.gateway PLAN`: the gateway, started by `webgym serve`."""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path

import anyio

from webgym.browser.server.gateway.app import GatewayHandlers, create_gateway_app
from webgym.browser.server.gateway.placement import Placement
from webgym.browser.server.gateway.registry import Registry
from webgym.browser.server.gateway.relay import node_client
from webgym.browser.server.launch_plan import LaunchPlan, run
from webgym.browser.server.processes import READY, SCRATCH, tell_standing
from webgym.browser.tokens import FleetTokens
from webgym.serving import listen
from webgym.telemetry import log
from webgym.telemetry.events import EventBus
from webgym.telemetry.metrics import Metrics

_SWEEP_SECONDS = 0.25


async def _sweep(registry: Registry) -> None:
    while True:
        due = time.monotonic() + _SWEEP_SECONDS
        await anyio.sleep(_SWEEP_SECONDS)
        registry.drop_silent(max(0.0, time.monotonic() - due))


async def _serve(plan: LaunchPlan) -> None:
    config = plan.gateway
    sock = listen.bind(config.host, config.port)
    tell_standing(Path(os.environ[SCRATCH]), READY)  # who connects before it serves waits in the socket's queue
    measured = Metrics()
    registry = Registry(config.silent_seconds, EventBus(measured.record, log.event))
    placement = Placement(registry, config.queue_length)
    measured.gauge("webgym_fleet_sessions", "Sessions on all nodes.", lambda: registry.sessions)
    measured.gauge("webgym_fleet_nodes", "Nodes in the fleet.", lambda: len(registry.nodes))
    measured.gauge("webgym_fleet_waiting", "Requests waiting to open a session.", lambda: placement.waiting)
    async with (
        node_client(registry, plan.join_token, config.tls.authority) as nodes,
        anyio.create_task_group() as tasks,
    ):
        handlers = GatewayHandlers(config, registry, placement, nodes)
        app = create_gateway_app(handlers, FleetTokens(plan.client_token, plan.join_token), measured)
        tasks.start_soon(_sweep, registry)
        tasks.start_soon(
            listen.SocketServer(app, certificate=config.tls.certificate, key=config.tls.key).serve_on, sock
        )
        with anyio.open_signal_receiver(signal.SIGTERM, signal.SIGINT) as signals:
            async for _ in signals:
                tasks.cancel_scope.cancel()


if __name__ == "__main__":
    run(_serve)
