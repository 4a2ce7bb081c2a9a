"""A browser session on one site, shared by successive attempts.

Opening a session and loading a site's first page costs as much as several steps: a process is started, and styles,
scripts and fonts are fetched and compiled. Attempts on the same site can share that. Each attempt gets a fresh site
state, and the site clears what it left in the browser when it shows its next page. Attempts share the mouse position
and the history: an agent that goes back from its first page reaches pages of earlier attempts.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass

import msgspec

from webgym.records.action import Action, Navigate
from webgym.records.observation import Capture
from webgym.records.session import Look, SessionSpec
from webgym.stages import Session
from webgym_hermetic.control.client import SitesControl
from webgym_hermetic.ground import Ground
from webgym_hermetic.site import Site
from webgym_hermetic.states import Snapshot
from webgym_hermetic.weather import CLEAR, Weather


@dataclass(frozen=True, slots=True)
class Start:
    """Where an attempt starts."""

    state: str = ""
    """Key of the state to copy; empty: the site's initial state."""
    url: str = ""
    """URL of the first page; empty: the home page."""


HOME = Start()


class SiteSession:
    """A browser session with the key of its site state, and that of a pristine state."""

    def __init__(self, control: SitesControl, site: Site, session: Session, home: str, keys: tuple[str, str]) -> None:
        self._control = control
        self._session = session
        self._home = home
        self._key, self._untouched = keys
        self._latest: Capture | None = None
        self._used = False
        self.site = site

    @property
    def tidy(self) -> bool:
        """Whether the latest page is settled, alone and without dialog, so that it cannot affect the next attempt."""
        if self._latest is None:
            return True
        seen = self._latest.observation
        return seen.settled and seen.dialog is None and len(seen.tabs) == 1

    async def begin(self, look: Look, start: Start = HOME) -> Capture:
        """Go to the first page of a new attempt; the page already open is used if nothing was done on it."""
        if not self._used and start == HOME:
            return self._latest or await self.step(None, look)
        await self._control.restart(self._key, start.state or self._untouched)
        return await self.step(Navigate(start.url or self._home), look)

    async def step(self, action: Action | None, look: Look) -> Capture:
        self._used = self._used or action is not None
        self._latest = await self._session.step(action, look)
        return self._latest

    async def snapshot(self) -> Snapshot:
        """Read the site's state."""
        return await self._control.read(self._key, self.site.name)

    async def fork(self) -> str:
        """Copy the current state and return its key. The caller must end it."""
        return await self._control.fork(self._key)


@asynccontextmanager
async def open_site_session(
    ground: Ground, site: Site, spec: SessionSpec, weather: Weather = CLEAR
) -> AsyncGenerator[SiteSession]:
    """Open a session for the duration of the block; `spec` says how it starts."""
    control = ground.control
    async with (
        control.state(site.name, weather=weather) as untouched,
        control.state(site.name, weather=weather) as key,
        ground.browser.open(msgspec.structs.replace(spec, state_key=key)) as session,
    ):
        yield SiteSession(control, site, session, spec.start_url, (key, untouched))
