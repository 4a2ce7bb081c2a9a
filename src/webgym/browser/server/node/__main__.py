"""`python -m webgym.browser.server.node PLAN`: one node, started by `webgym serve`."""

from __future__ import annotations

import math
import os
import signal
from pathlib import Path
from urllib.parse import urlsplit

import anyio

from webgym.browser.config import NodeConfig
from webgym.browser.server.launch_plan import LaunchPlan, run
from webgym.browser.server.node.announce import Announcer
from webgym.browser.server.node.app import NodeTokens, create_node_app
from webgym.browser.server.node.node import Node
from webgym.browser.server.node.workers import WorkerPlan
from webgym.browser.server.processes import SCRATCH, tell_standing
from webgym.errors import ConfigError
from webgym.serving import listen
from webgym.telemetry import log

_TELL_SECONDS = 0.1


def _worker_plan(config: NodeConfig, plan: LaunchPlan, port: int) -> WorkerPlan:
    workers = math.ceil(config.max_sessions / config.sessions_per_worker)
    active_steps = config.active_steps or 4 * (os.cpu_count() or 1)
    egress = config.chromium.egress
    own_ports = {port, *filter(None, (urlsplit(config.gateway).port,)), *egress.deny_ports}
    egress = egress.model_copy(update={"deny_ports": tuple(sorted(own_ports))})
    return WorkerPlan(
        count=workers,
        sessions_each=config.sessions_per_worker,
        scratch=Path(os.environ[SCRATCH]),
        orders={
            "browser": config.browser,
            "chromium": config.chromium.model_copy(update={"egress": egress}).model_dump_json(),
            "active_steps": math.ceil(active_steps / workers),
            "log_style": plan.log_style,
        },
    )


async def _tell_standing(node: Node) -> None:
    """Report readiness to `webgym serve` whenever it changes."""
    told = ""
    while True:
        if node.standing != told:
            told = node.standing
            tell_standing(Path(os.environ[SCRATCH]), told)
        await anyio.sleep(_TELL_SECONDS)


def _is_loopback(url: str) -> bool:
    return listen.is_loopback(urlsplit(url).hostname or "")


async def _serve(plan: LaunchPlan) -> None:
    config = plan.node
    sock = listen.bind(config.host, config.port, "--node-port")
    port: int = sock.getsockname()[1]
    node = Node(config, _worker_plan(config, plan, port))
    node.url = config.advertise or listen.url_of(config.host, port, tls=bool(config.tls.certificate))
    if _is_loopback(node.url) and not _is_loopback(config.gateway):
        raise ConfigError(f"{config.gateway} cannot reach this node at {node.url}: give --host and --advertise")
    log.context.set({"node": node.name})
    tokens = NodeTokens(plan.join_token)
    app = create_node_app(node, tokens)
    server = listen.SocketServer(app, certificate=config.tls.certificate, key=config.tls.key)
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(node.run)
        tasks.start_soon(_tell_standing, node)
        tasks.start_soon(server.serve_on, sock)
        tasks.start_soon(Announcer(node, tokens, plan.join_token).run)
        with anyio.open_signal_receiver(signal.SIGTERM, signal.SIGINT) as signals:
            async for _ in signals:
                await node.drain()
                tasks.cancel_scope.cancel()


if __name__ == "__main__":
    run(_serve)
