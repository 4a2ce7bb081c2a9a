"""Supervises a fleet's processes on this machine: starts them, restarts them with backoff, and stops them at exit.

What a killed process leaves behind (browsers, profiles) is cleaned up before its successor starts.
"""

from __future__ import annotations

import contextlib
import functools
import itertools
import logging
import os
import ssl
import sys
from collections.abc import AsyncGenerator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import anyio
import anyio.abc

from webgym.browser.config import GatewayConfig, NodeConfig, TlsConfig
from webgym.browser.server.backoff import Backoff
from webgym.browser.server.launch_plan import MISCONFIGURED, LaunchPlan, write_plan
from webgym.browser.server.processes import READY, SCRATCH, RunFolder, read_standing, remove_scratch
from webgym.browser.tokens import FleetTokens, load_tokens
from webgym.concurrency import background
from webgym.errors import ConfigError
from webgym.serving import listen
from webgym.telemetry.log import LogStyle

logger = logging.getLogger(__name__)

_STOP_SECONDS = 15.0
READY_SECONDS = 60.0
_POLL_SECONDS = 0.1


@dataclass
class Fleet:
    """A running fleet."""

    url: str
    """URL of the gateway."""
    tokens: FleetTokens
    pids: dict[str, int] = field(default_factory=dict[str, int])
    """Current process ids by name: `gateway`, `node`, …"""
    folders: dict[str, Path] = field(default_factory=dict[str, Path])
    """Scratch folders of the processes by name; each reports its readiness there."""

    @property
    def token(self) -> str:
        """The client token."""
        return self.tokens.client

    async def wait_ready(self, seconds: float = READY_SECONDS) -> None:
        """Wait until the gateway listens and every node can open sessions; `ConfigError` if that takes too long."""
        trouble: dict[str, str] = {}
        with anyio.move_on_after(seconds):
            while True:
                standing = {name: read_standing(folder) for name, folder in self.folders.items()}
                trouble = {name: said for name, said in standing.items() if said != READY}
                if standing and not trouble:
                    return
                await anyio.sleep(_POLL_SECONDS)
        reasons = "; ".join(f"the {name} {said}" for name, said in trouble.items())
        raise ConfigError(f"the fleet was not ready after {seconds:g} s: {reasons or 'nothing has started'}")


@contextlib.asynccontextmanager
async def run_fleet(
    gateway: GatewayConfig | None,
    nodes: Sequence[NodeConfig],
    *,
    tokens: FleetTokens | None = None,
    log_style: LogStyle = "plain",
) -> AsyncGenerator[Fleet]:
    """Run a gateway (None: join one elsewhere) and nodes, each as its own process, for the duration of the block."""
    tokens = tokens or load_tokens()
    for config in (*nodes, *filter(None, (gateway,))):
        _check_files(config.tls)
    if gateway is not None:
        gateway = _with_port(gateway)
        nodes = [node.model_copy(update={"gateway": _gateway_url(gateway)}) for node in nodes]
    folder = RunFolder()
    plan = LaunchPlan(client_token=tokens.client, join_token=tokens.join, log_style=log_style)
    names = ["node"] if len(nodes) == 1 else [f"node-{index}" for index in range(len(nodes))]
    fleet = Fleet(nodes[0].gateway if gateway is None else _gateway_url(gateway), tokens)
    start = functools.partial(_keep_alive, folder=folder.path, fleet=fleet)
    try:
        # Nodes stop before their gateway, so that they can sign off from it.
        async with background() as outer:
            if gateway is not None:
                outer.start_soon(start, "gateway", plan.model_copy(update={"gateway": gateway}))
            async with background() as inner:
                for name, node in zip(names, nodes, strict=True):
                    inner.start_soon(start, name, plan.model_copy(update={"node": node}))
                yield fleet
    finally:
        folder.remove()


def _check_files(tls: TlsConfig) -> None:
    for path in filter(None, (tls.certificate, tls.key, tls.authority)):
        if not Path(path).is_file():
            raise ConfigError(f"the TLS file {path} does not exist")
    if tls.key and not tls.certificate:
        raise ConfigError(f"the TLS key {tls.key} was given without a certificate: give the certificate too")
    try:
        ssl.create_default_context(cafile=tls.authority or None)
    except OSError as error:  # includes `ssl.SSLError`
        raise ConfigError(f"cannot read the certificate authority {tls.authority}: {error.strerror}") from error
    if tls.certificate:
        _check_certificate(tls)


def _check_certificate(tls: TlsConfig) -> None:
    try:
        # An empty password instead of a prompt: nobody could answer one when a process is restarted.
        ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER).load_cert_chain(tls.certificate, tls.key or None, lambda: "")
    except OSError as error:
        files = f"{tls.certificate} and {tls.key}" if tls.key else f"{tls.certificate}, which must contain its key too,"
        raise ConfigError(f"{files} cannot be used for TLS: {error.strerror}") from error


def _with_port(gateway: GatewayConfig) -> GatewayConfig:
    """Replace port 0 by a free port, so that the gateway keeps its port across restarts."""
    with listen.bind(gateway.host, gateway.port) as sock:
        return gateway.model_copy(update={"port": sock.getsockname()[1]})


def _gateway_url(gateway: GatewayConfig) -> str:
    return listen.url_of(gateway.host, gateway.port, tls=bool(gateway.tls.certificate))


async def _keep_alive(name: str, plan: LaunchPlan, folder: Path, fleet: Fleet) -> None:
    backoff = Backoff()
    for generation in itertools.count(1):
        backoff.start()
        scratch = folder / f"{name}-{generation}"
        scratch.mkdir(mode=0o700)
        try:
            code = await _run(name, plan, scratch, fleet)
            why = read_standing(scratch) if code == MISCONFIGURED else f"exit code {code}"
        finally:
            fleet.pids.pop(name, None)
            with anyio.CancelScope(shield=True):
                await anyio.to_thread.run_sync(remove_scratch, scratch)
        if code == MISCONFIGURED and generation == 1:
            raise ConfigError(f"the {name} cannot run: {why}")
        pause = backoff.pause()
        logger.warning("the %s ended: %s; starting it again in %.1f s", name, why, pause)
        await anyio.sleep(pause)


async def _run(name: str, plan: LaunchPlan, scratch: Path, fleet: Fleet) -> int:
    """Run one process until it exits, and return its exit code; stop it when cancelled."""
    path = scratch / "plan.json"
    write_plan(plan, path)
    module = f"webgym.browser.server.{name.partition('-')[0]}"
    process = await anyio.open_process(
        [sys.executable, "-m", module, str(path)],
        stdin=None,
        stdout=None,
        stderr=None,
        env={**os.environ, SCRATCH: str(scratch)},
        start_new_session=True,
    )
    fleet.pids[name] = process.pid
    fleet.folders[name] = scratch
    try:
        return await process.wait()
    finally:
        await _stop(process, plan.node.drain_seconds + _STOP_SECONDS)


async def _stop(process: anyio.abc.Process, seconds: float) -> None:
    if process.returncode is None:
        process.terminate()
        with anyio.move_on_after(seconds, shield=True):
            await process.wait()
    if process.returncode is None:
        process.kill()
        with anyio.CancelScope(shield=True):
            await process.wait()
