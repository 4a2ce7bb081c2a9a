"""The environment of hermetic attempts: the sites, their control plane, and a browser fleet that reaches them."""

from __future__ import annotations

import logging
import math
import secrets
import sys
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from urllib.parse import urlsplit

import anyio
import anyio.abc
import msgspec
from anyio.streams.buffered import BufferedByteReceiveStream

from webgym.browser.client import BrowserClient, connect
from webgym.browser.config import ChromiumConfig, EgressConfig, GatewayConfig, NodeConfig
from webgym.browser.server.supervise import Fleet, run_fleet
from webgym.concurrency import background
from webgym.errors import ConfigError
from webgym_hermetic.__main__ import SitesPlan
from webgym_hermetic.catalogue import SITES_PER_FAMILY
from webgym_hermetic.control.client import SitesControl, connect_sites
from webgym_hermetic.registry import FAMILIES
from webgym_hermetic.serve import SitesServer

logger = logging.getLogger(__name__)

_START_SECONDS = 60.0
_PAUSE_SECONDS = 0.2
_STOP_SECONDS = 5.0
_LONGEST_LINE = 10_000


@dataclass(frozen=True, slots=True)
class Ground:
    """A running environment for attempts on hermetic sites."""

    browser: BrowserClient
    sites: SitesServer
    control: SitesControl
    fleet: Fleet


@asynccontextmanager
async def hermetic_ground(
    sessions: int,
    per_family: int = SITES_PER_FAMILY,
    families: tuple[str, ...] = FAMILIES,
    *,
    nodes: int = 1,
    headed: bool = False,
    allow: tuple[str, ...] = (),
) -> AsyncGenerator[Ground]:
    """Run sites and a fleet with this many sessions as local processes, for the duration of the block.

    `allow`: other private or loopback destinations that sessions may reach, each as `host:port`.
    """
    token = secrets.token_urlsafe(24)
    async with run_sites(SitesPlan(token, per_family, families)) as sites:
        chromium = ChromiumConfig(headed=headed, egress=EgressConfig(hermetic=sites.hermetic, allow=allow))
        node = NodeConfig(max_sessions=math.ceil(sessions / nodes), chromium=chromium)
        async with run_fleet(GatewayConfig(port=0), [node] * nodes, log_style="quiet") as fleet:
            await fleet.wait_ready()
            async with (
                connect(fleet.url, token=fleet.token) as browser,
                connect_sites(sites.control_url, token) as control,
            ):
                yield Ground(browser, sites, control, fleet)


@asynccontextmanager
async def run_sites(plan: SitesPlan) -> AsyncGenerator[SitesServer]:
    """Run the sites in a separate process, restarted on the same ports if it dies.

    All site states die with the process; affected attempts get an error and are retried. Calls of `connect_sites` wait
    for the restart.

    Raises:
        ConfigError: The process did not start.
    """
    async with background() as tasks:
        yield await tasks.start(_kept, plan)


class _KilledError(Exception):
    """The process was killed while it started."""


async def _kept(plan: SitesPlan, *, task_status: anyio.abc.TaskStatus[SitesServer]) -> None:
    """Serve until cancelled, restarting the process when it dies."""
    told = False
    give_up = anyio.current_time() + _START_SECONDS
    while True:
        try:
            async with _process(plan) as (process, server):
                if not told:
                    task_status.started(server)
                    told = True
                    control = urlsplit(server.control_url).port or 0
                    plan = msgspec.structs.replace(plan, port=server.port, control_port=control)
                await process.wait()
        except _KilledError as error:
            if not told and anyio.current_time() > give_up:
                raise ConfigError("the site server was killed each time it started; is there enough memory?") from error
        except ConfigError:
            if not told:
                raise
        logger.warning("the site server died; restarting it")
        await anyio.sleep(_PAUSE_SECONDS)


@asynccontextmanager
async def _process(plan: SitesPlan) -> AsyncGenerator[tuple[anyio.abc.Process, SitesServer]]:
    # A separate process session: Ctrl-C in the terminal is for the program, which may go on using the sites.
    process = await anyio.open_process([sys.executable, "-m", "webgym_hermetic"], stderr=None, start_new_session=True)
    try:
        yield process, await _started(process, plan)
    finally:
        await _stop(process)


async def _started(process: anyio.abc.Process, plan: SitesPlan) -> SitesServer:
    if process.stdin is None or process.stdout is None:
        raise ConfigError("the site server process has no pipes")
    try:
        await process.stdin.send(msgspec.json.encode(plan))
        await process.stdin.aclose()
        with anyio.fail_after(_START_SECONDS):
            line = await BufferedByteReceiveStream(process.stdout).receive_until(b"\n", _LONGEST_LINE)
    except (TimeoutError, anyio.IncompleteRead, anyio.BrokenResourceError) as error:
        if not isinstance(error, TimeoutError) and await _was_killed(process):
            raise _KilledError from error
        raise ConfigError("the site server did not start; see its output above") from error
    return msgspec.json.decode(line, type=SitesServer)


async def _was_killed(process: anyio.abc.Process) -> bool:
    """Return whether a process that has hung up was ended by a signal rather than by itself."""
    with anyio.move_on_after(_STOP_SECONDS):
        return await process.wait() < 0
    return False


async def _stop(process: anyio.abc.Process) -> None:
    with anyio.CancelScope(shield=True):
        if process.returncode is None:
            process.terminate()
        with anyio.move_on_after(_STOP_SECONDS):
            await process.wait()
        if process.returncode is None:
            process.kill()
        await process.aclose()
