"""Try one session before a run opens hundreds, to report setup errors once and early."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

import msgspec

from webgym.browser.client import BrowserClient
from webgym.errors import CapacityError, ConfigError, RequestError, SiteUnknown
from webgym.pipeline.runs.scenes import HERMETIC
from webgym.records.session import Look, SessionSpec
from webgym.sites.control.client import SitesControl
from webgym.sites.site import Site

_GLANCE = Look(screenshot=None)


async def check_opens(browser: BrowserClient, spec: SessionSpec) -> None:
    """Check that the browser accepts these session options.

    Raises:
        ConfigError: It does not.
    """
    try:
        with suppress(CapacityError):  # a fleet that is full now may have room later
            async with browser.open(spec):
                pass
    except RequestError as error:
        raise ConfigError(f"browser.session cannot be used: {error}") from error


async def check_sites(browser: BrowserClient, control: SitesControl, spec: SessionSpec, sites: Sequence[Site]) -> None:
    """Check that these sites are served, and that a session of the fleet reaches one of them.

    Raises:
        ConfigError: A site is not served, or the fleet does not reach it.
    """
    for site in _last_ones(sites):
        try:
            async with control.state(site.name):
                pass
        except SiteUnknown as error:
            raise ConfigError(
                f"the sites at browser.sites do not include {site.name} of family {site.family}: start them with "
                f"`webgym sites serve --sites {site.number + 1}`, or more"
            ) from error
    with suppress(CapacityError):
        await _check_reaches(browser, control, spec, sites[0])


def _last_ones(sites: Sequence[Site]) -> list[Site]:
    """Return the last site of each family: if it is served, so are all before it."""
    last: dict[str, Site] = {}
    for site in sorted(sites, key=lambda one: one.number):
        last[site.family] = site
    return list(last.values())


async def _check_reaches(browser: BrowserClient, control: SitesControl, spec: SessionSpec, site: Site) -> None:
    address = f"http://{site.name}{HERMETIC}/"
    async with control.state(site.name) as key:
        async with browser.open(msgspec.structs.replace(spec, start_url=address, state_key=key)) as session:
            await session.step(None, _GLANCE)
        if not (await control.read(key, site.name)).visits:
            raise ConfigError(
                f"sessions of the fleet at browser.url cannot reach {address} of browser.sites: each of its "
                'nodes needs the sites\' address in node.chromium.egress.hermetic, such as "*.localhost:80" = '
                '"ADDRESS:4300"'
            )
