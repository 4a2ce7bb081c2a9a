"""A simulated browser, whose pages only take time to load."""

from __future__ import annotations

import itertools
from collections.abc import AsyncGenerator, Iterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager

import anyio

from webgym.errors import RequestError
from webgym.records.action import Action
from webgym.records.observation import Blob, Capture, Observation, PageChange, Tab, address_of
from webgym.records.session import Look, SessionSpec
from webgym_bench.rollouts.screenshots import draw_all, screenshot
from webgym_bench.rollouts.work import Work, page_path, place_of

WEBSITE = "http://bench.localhost"


class SimulatedSession:
    """A session on the pages of one attempt. Every action leads to the next page."""

    def __init__(self, work: Work, attempt: int, numbers: Iterator[int]) -> None:
        self._work = work
        self._attempt = attempt
        self._numbers = numbers
        self._page = 0
        self._looks = 0

    async def step(self, action: Action | None, look: Look) -> Capture:
        """Load the next page, if there is an action, and observe."""
        del look
        if action is not None:
            self._page += 1
            await self.load()
        self._looks += 1
        url = WEBSITE + page_path(self._attempt, self._page)
        data = screenshot(next(self._numbers))
        shot = Blob(address_of(data), "image/jpeg", len(data))
        observation = Observation(
            self._looks,
            url,
            f"Page {self._page}",
            screenshot=shot,
            tabs=(Tab(1, url, f"Page {self._page}", active=True),),
            effect=PageChange(("url", "content")) if action is not None else None,
        )
        return Capture(observation, {shot.address: data})

    async def load(self) -> None:
        """Wait for the current page to load."""
        await anyio.sleep(self._work.page_seconds(self._attempt, self._page))

    async def blob(self, address: str) -> bytes:
        """Raise: captures are not retained."""
        raise RequestError(f"nothing here has the address {address}")


class SimulatedBrowser:
    """Opens any number of simulated sessions."""

    def __init__(self, work: Work) -> None:
        draw_all()
        self._work = work
        self._numbers = itertools.count()

    def open(self, spec: SessionSpec) -> AbstractAsyncContextManager[SimulatedSession]:
        """Open a session and load its start page."""
        return self._open(spec)

    @asynccontextmanager
    async def _open(self, spec: SessionSpec) -> AsyncGenerator[SimulatedSession]:
        attempt, _ = place_of(spec.start_url)
        session = SimulatedSession(self._work, attempt, self._numbers)
        await session.load()
        yield session
