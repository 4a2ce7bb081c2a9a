"""The environment of a run: a browser fleet, and the hermetic sites if its tasks need them."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Iterable
from contextlib import asynccontextmanager
from dataclasses import dataclass

from webgym.browser.client import BrowserClient, connect
from webgym.browser.config import ChromiumConfig, EgressConfig, GatewayConfig, NodeConfig
from webgym.browser.server.supervise import Fleet, run_fleet
from webgym.errors import ConfigError
from webgym.pipeline.hermetic.ground import hermetic_ground
from webgym.pipeline.hermetic.remote_ground import remote_ground
from webgym.pipeline.runs.config import BrowserConfig, RunConfig
from webgym.pipeline.runs.scenes import HERMETIC
from webgym.pipeline.runs.session import SessionConfig, session_spec
from webgym.pipeline.runs.session_trial import check_opens, check_sites
from webgym.records.observation import Viewport
from webgym.records.session import SessionSpec
from webgym.records.task import Task
from webgym.sites.catalogue import MOST_SITES_PER_FAMILY, is_site, site_named
from webgym.sites.control.client import SitesControl
from webgym.store.rows import site_of


@dataclass(frozen=True, slots=True)
class RunGround:
    """The browser fleet and sites of a run."""

    browser: BrowserClient
    control: SitesControl | None
    fleet: Fleet | None
    """The fleet started for this run; None if it uses a running one."""
    spec: SessionSpec
    """Options common to all sessions."""


def common_spec(browser: BrowserConfig) -> SessionSpec:
    """Return the options common to all sessions of a run.

    Raises:
        ConfigError: A file or environment variable that they name does not exist.
    """
    return session_spec(browser.session, Viewport(browser.width, browser.height))


@asynccontextmanager
async def ground_for(config: RunConfig, tasks: Iterable[Task]) -> AsyncGenerator[RunGround]:
    """Start, or connect to, the fleet and sites that these tasks need.

    Raises:
        ConfigError: The fleet does not reach the hermetic sites, a site is not served, or the browser rejects the
            session options.
    """
    hosts = {site_of(task.website) for task in tasks}
    hermetic = {host.removesuffix(HERMETIC) for host in hosts if host.endswith(HERMETIC)}
    async with _ground(config, hermetic) as ground:
        # Fail once now, rather than in every attempt.
        if config.browser.session != SessionConfig():
            await check_opens(ground.browser, ground.spec)
        if hermetic and ground.control and ground.fleet is None:
            sites = [site_named(name, config.tasks.sites_per_family) for name in hermetic]
            await check_sites(ground.browser, ground.control, ground.spec, sites)
        yield ground


@asynccontextmanager
async def _ground(config: RunConfig, hermetic: set[str]) -> AsyncGenerator[RunGround]:
    browser, per_family = config.browser, config.tasks.sites_per_family
    spec = common_spec(browser)
    if hermetic:
        _check_served(hermetic, per_family)
    if browser.url and hermetic:
        if not browser.sites:
            raise ConfigError(
                "hermetic tasks on an existing fleet need sites that the fleet can reach: set browser.sites to the "
                "control plane URL that `webgym sites serve` prints, or leave browser.url empty"
            )
        async with remote_ground(browser.url, browser.sites, authority=browser.authority) as remote:
            yield RunGround(remote.browser, remote.control, None, spec)
    elif browser.url:
        async with connect(browser.url, authority=browser.authority) as client:
            await client.status()
            yield RunGround(client, None, None, spec)
    elif hermetic:
        async with hermetic_ground(
            browser.sessions, per_family, nodes=browser.nodes, headed=browser.headed, allow=browser.allow
        ) as own:
            yield RunGround(own.browser, own.control, own.fleet, spec)
    else:
        sessions = -(-browser.sessions // browser.nodes)
        chromium = ChromiumConfig(headed=browser.headed, egress=EgressConfig(allow=browser.allow))
        node = NodeConfig(max_sessions=sessions, chromium=chromium)
        async with run_fleet(GatewayConfig(port=0), [node] * browser.nodes, log_style="quiet") as fleet:
            await fleet.wait_ready()
            async with connect(fleet.url, token=fleet.token) as client:
                yield RunGround(client, None, fleet, spec)


def _check_served(names: set[str], per_family: int) -> None:
    """Check that all sites of the tasks are served: a task file may use more sites than the run serves."""
    missing = sorted(name for name in names if not is_site(name, per_family))
    if not missing:
        return
    wanted = per_family
    while wanted < MOST_SITES_PER_FAMILY and not all(is_site(name, wanted) for name in missing):
        wanted = min(2 * wanted, MOST_SITES_PER_FAMILY)
    numbered = [site_named(name, wanted).number for name in missing if is_site(name, wanted)]
    if len(numbered) < len(missing):
        raise ConfigError(f"there is no hermetic website {missing[0]!r}; `webgym sites list` lists them")
    raise ConfigError(
        f"{len(missing)} of {len(names)} websites of the tasks, such as {missing[0]}, are not among the first "
        f"{per_family} of their family: set tasks.sites_per_family={max(numbered) + 1}"
    )
