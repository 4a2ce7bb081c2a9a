"""`webgym serve`: run a gateway and a node on this machine, or a node for another gateway."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from rich.console import Console

    from webgym.browser.config import GatewayConfig, NodeConfig
    from webgym.browser.tokens import FleetTokens


@dataclass(frozen=True, slots=True)
class Beside:
    """An environment to serve beside the fleet."""

    use: str
    sites: int
    """Per family."""


CHROMIUM = "webgym.browser.server.chromium.browser:ChromiumBrowser"


def serve(
    context: typer.Context,
    config: Path | None = typer.Option(None, metavar="FILE", help="TOML file with all settings; options override it."),
    host: str = typer.Option(
        "127.0.0.1", help="Address to listen on; 0.0.0.0 accepts connections from other machines."
    ),
    port: int = typer.Option(7000, min=0, max=65535, help="Port of the gateway."),
    node_port: int = typer.Option(0, min=0, max=65535, help="Port of the node; 0 picks a free port."),
    join: str = typer.Option("", metavar="URL", help="Add a node to the gateway at URL instead of starting one."),
    advertise: str = typer.Option("", metavar="URL", help="URL under which clients and the gateway reach this node."),
    sessions: int = typer.Option(0, min=0, help="Maximum concurrent sessions. Default: 8 per core."),
    sessions_per_worker: int = typer.Option(16, help="Sessions that share one worker process and one Chromium."),
    queue: int = typer.Option(256, help="Session requests that may wait for capacity; more are refused."),
    allow: list[str] = typer.Option(
        [], metavar="HOST:PORT", help="Private or loopback address that sessions may reach; repeatable."
    ),
    env: str = typer.Option(
        "", metavar="NAME", help="Also serve this environment, such as hermetic, to the runs that use the fleet."
    ),
    gateway_only: bool = typer.Option(
        False, "--gateway-only", help="Run only the gateway; its nodes are on other machines."
    ),
    drain: float = typer.Option(
        0.0, min=0, metavar="SECONDS", help="How long sessions may go on when the node is told to stop."
    ),
    sites: int = typer.Option(
        0, min=0, help="Number of its websites of each family. Default: 50. Without --env: those of the default one."
    ),
    browser: str = typer.Option(CHROMIUM, metavar="MODULE:CLASS", help="Browser class that provides sessions."),
    headed: bool = typer.Option(False, "--headed", help="Run headed browsers, for live websites; needs Xvfb."),
    token: str = typer.Option("", envvar="WEBGYM_TOKEN", help="Token for clients. Default: generated once and stored."),
    join_token: str = typer.Option(
        "", envvar="WEBGYM_JOIN_TOKEN", help="Token for joining nodes. Default: generated once and stored."
    ),
    tls_certificate: str = typer.Option("", help="Certificate file (PEM) to serve HTTPS."),
    tls_key: str = typer.Option("", help="Private key file of the certificate."),
    tls_authority: str = typer.Option("", help="Certificate authority file to verify other servers with."),
    json_logs: bool = typer.Option(False, "--json-logs", help="Log one JSON object per line."),
) -> None:
    """Run a browser fleet on this machine, or add this machine to one."""
    import anyio

    from webgym.browser.tokens import FleetTokens, load_tokens
    from webgym.cli.fleet_options import read_fleet
    from webgym.cli.setup import ensure_ready
    from webgym.errors import ConfigError
    from webgym.records.environment import TaskSelection
    from webgym.run.config import EnvironmentConfig
    from webgym.telemetry import log

    if gateway_only and join:
        raise ConfigError("--gateway-only and --join exclude each other: a node that joins has its gateway elsewhere")
    if (sites or env) and (join or gateway_only):
        raise ConfigError("--sites needs gateway and node in one: use `webgym sites serve`, as docs/sites.md describes")
    shared = Beside(env or EnvironmentConfig().use, sites or TaskSelection().sites_per_family) if sites or env else None
    options = context.params.items()
    given = {name: value for name, value in options if value not in (None, "", []) and _was_given(context, name)}
    if join:
        given["join"] = join.rstrip("/")
    gateway, node = read_fleet(config, given)
    chromium = node.chromium
    browsers = node.browser == CHROMIUM and not gateway_only
    ensure_ready(browser=browsers, headed=chromium.headed, executable=chromium.executable)
    _check_egress(node)
    log.configure("json" if json_logs else "plain")
    kept = load_tokens()
    tokens = FleetTokens(token or kept.client, join_token or kept.join)
    anyio.run(_serve, None if join else gateway, None if gateway_only else node, tokens, json_logs, shared)


def _was_given(context: typer.Context, name: str) -> bool:
    source = context.get_parameter_source(name)
    return source is not None and source.name != "DEFAULT"


def _check_egress(node: NodeConfig) -> None:
    from webgym.browser.server.proxy.policy import parse_policy

    parse_policy(node.chromium.egress)


def _tell_how_to_join(host: str, url: str, console: Console) -> None:
    """Print how other machines can join, unless the gateway only listens on loopback."""
    from urllib.parse import urlsplit

    from rich.markup import escape

    from webgym.serving.listen import is_everywhere, is_loopback

    if is_loopback(host):
        return
    where = ""
    if is_everywhere(host):  # the URL only works on this machine
        parts = urlsplit(url)
        url, where = f"{parts.scheme}://ADDRESS:{parts.port}", "; ADDRESS: one of this machine that they can reach"
    console.print(f"add machines:  [bold]webgym serve --join {escape(url)}[/]  with WEBGYM_JOIN_TOKEN set{where}")


@asynccontextmanager
async def _with_environment(
    node: NodeConfig | None, shared: Beside | None, token: str
) -> AsyncGenerator[tuple[list[NodeConfig], str]]:
    """Serve an environment for the duration of the block; yield the nodes that reach it, and what to tell."""
    from webgym.environments.optional import SharedEnvironment
    from webgym.environments.registry import environment_named
    from webgym.errors import ConfigError

    if node is None or shared is None:
        yield [node] if node else [], ""
        return
    environment = environment_named(shared.use)
    if not isinstance(environment, SharedEnvironment):
        raise ConfigError(f"env={shared.use} cannot be served for other runs: each run opens its own")
    async with environment.serve(token, shared.sites) as served:
        egress = node.chromium.egress
        allow = tuple(dict.fromkeys((*egress.allow, *served.egress.allow)))
        reaching = egress.model_copy(update={"hermetic": {**served.egress.routes, **egress.hermetic}, "allow": allow})
        chromium = node.chromium.model_copy(update={"egress": reaching})
        yield [node.model_copy(update={"chromium": chromium})], served.told


async def _serve(
    gateway: GatewayConfig | None, node: NodeConfig | None, tokens: FleetTokens, json_logs: bool, shared: Beside | None
) -> None:
    import signal
    from contextlib import AsyncExitStack

    import anyio
    from rich.console import Console
    from rich.markup import escape

    from webgym.browser.server.supervise import READY_SECONDS, Fleet, run_fleet
    from webgym.browser.tokens import load_tokens, state_folder

    console = Console(highlight=False, soft_wrap=True)

    async def tell(fleet: Fleet) -> None:
        if gateway is None:
            console.print(f"waiting up to {READY_SECONDS:g} s for the gateway {escape(fleet.url)}")
        await fleet.wait_ready()
        url = escape(fleet.url)
        has = f"{node.max_sessions} sessions" if node else "sessions as nodes join"
        console.print(f"[green]ready[/]  {url}  ({has})")
        if gateway is not None:
            kept = escape(str(state_folder() / "token"))
            told = f"{kept}   [dim]on other machines, set WEBGYM_TOKEN to the content of this file[/]"
            console.print(f"token  {told if tokens.client == load_tokens().client else 'as configured'}")
            _tell_how_to_join(gateway.host, fleet.url, console)
        if where:
            console.print(where, markup=False)

    style = "json" if json_logs else "plain"
    async with AsyncExitStack() as stack:
        nodes, where = await stack.enter_async_context(_with_environment(node, shared, tokens.client))
        fleet = await stack.enter_async_context(run_fleet(gateway, nodes, tokens=tokens, log_style=style))
        tasks = await stack.enter_async_context(anyio.create_task_group())
        tasks.start_soon(tell, fleet)
        with anyio.open_signal_receiver(signal.SIGINT, signal.SIGTERM) as signals:
            async for _ in signals:
                console.print(
                    f"stopping: sessions may go on for {node.drain_seconds:g} s"
                    if node and node.drain_seconds
                    else "stopping"
                )
                tasks.cancel_scope.cancel()
                break
