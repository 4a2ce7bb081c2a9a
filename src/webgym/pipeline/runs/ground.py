"""What a run stands on: sessions, and the hermetic sites if its tasks are there."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Iterable
from contextlib import asynccontextmanager
from dataclasses import dataclass

from webgym.browser.client import BrowserClient, connect
from webgym.browser.config import GatewayConfig, NodeConfig
from webgym.browser.server.supervise import Fleet, run_fleet
from webgym.errors import ConfigError
from webgym.pipeline.hermetic.ground import hermetic_ground
from webgym.pipeline.runs.config import RunConfig
from webgym.pipeline.runs.scenes import HERMETIC
from webgym.records.task import Task
from webgym.sites.catalogue import MOST_SITES_PER_FAMILY, is_site, site_named
from webgym.sites.control.client import SitesControl
from webgym.store.rows import site_of


@dataclass(frozen=True, slots=True)
class RunGround:
    """Where a run takes place."""

    browser: BrowserClient
    control: SitesControl | None
    fleet: Fleet | None
    """None if it is someone else's."""


@asynccontextmanager
async def ground_for(config: RunConfig, tasks: Iterable[Task]) -> AsyncGenerator[RunGround]:
    """Start, or connect to, what these tasks need.

    Raises:
        ConfigError: Hermetic tasks on a fleet that does not know the sites, or on sites that are not served.
    """
    hosts = {site_of(task.website) for task in tasks}
    hermetic = {host.removesuffix(HERMETIC) for host in hosts if host.endswith(HERMETIC)}
    browser = config.browser
    if hermetic:
        _check_served(hermetic, config.tasks.sites_per_family)
        if browser.url:
            raise ConfigError("hermetic tasks run on a fleet of the run's own: leave browser.url empty")
        async with hermetic_ground(browser.sessions, config.tasks.sites_per_family, nodes=browser.nodes) as ground:
            yield RunGround(ground.browser, ground.control, ground.fleet)
    elif browser.url:
        async with connect(browser.url) as client:
            await client.status()
            yield RunGround(client, None, None)
    else:
        nodes = [NodeConfig(max_sessions=-(-browser.sessions // browser.nodes))] * browser.nodes
        async with run_fleet(GatewayConfig(port=0), nodes, log_style="quiet") as fleet:
            await fleet.wait_ready()
            async with connect(fleet.url, token=fleet.token) as client:
                yield RunGround(client, None, fleet)


def _check_served(names: set[str], per_family: int) -> None:
    """A file may have been drawn from more sites than this run serves."""
    missing = sorted(name for name in names if not is_site(name, per_family))
    if not missing:
        return
    wanted = per_family
    while wanted < MOST_SITES_PER_FAMILY and not all(is_site(name, wanted) for name in missing):
        wanted = min(2 * wanted, MOST_SITES_PER_FAMILY)
    numbered = [site_named(name, wanted).number for name in missing if is_site(name, wanted)]
    if len(numbered) < len(missing):
        raise ConfigError(f"no hermetic website is called {missing[0]!r}; `webgym sites list` shows some")
    raise ConfigError(
        f"{len(missing)} of {len(names)} websites of the tasks, such as {missing[0]}, are not among the first "
        f"{per_family} of their family: set tasks.sites_per_family={max(numbered) + 1}"
    )
