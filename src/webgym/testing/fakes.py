"""Fakes of a browser and its sessions, with one page that counts actions. For tests of code that uses sessions."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import AbstractAsyncContextManager, asynccontextmanager

import anyio
import anyio.lowlevel

from webgym.errors import RequestError
from webgym.records import action as actions
from webgym.records.action import Action
from webgym.records.observation import (
    ActionFailure,
    Blob,
    Capture,
    Effect,
    FailedReason,
    NoChange,
    Observation,
    PageChange,
    Tab,
    address_of,
)
from webgym.records.session import Look, SessionSpec


class FakeSession:
    """A session with one page that counts actions; its title is the count."""

    def __init__(self, spec: SessionSpec) -> None:
        self._spec = spec
        self._url = spec.start_url or "about:blank"
        self._count = 0
        self._sequence = 0
        self._blobs: dict[str, bytes] = {}

    async def step(self, action: Action | None, look: Look) -> Capture:
        """Apply the action to the counter, and observe it."""
        await anyio.lowlevel.checkpoint()
        effect = None if action is None else await self._perform(action)
        self._sequence += 1
        data = f"page {self._url} at {self._count}".encode()
        shown = {} if look.screenshot is None else {address_of(data): data}
        self._blobs.update(shown)
        shot = Blob(address_of(data), f"image/{look.screenshot}", len(data)) if shown else None
        observation = Observation(
            sequence=self._sequence,
            url=self._url,
            title=str(self._count),
            viewport=self._spec.viewport,
            screenshot=shot,
            tabs=(Tab(1, self._url, str(self._count), active=True),),
            effect=effect,
            marks=() if look.marks else None,
        )
        return Capture(observation, shown)

    async def blob(self, address: str) -> bytes:
        """Return the bytes of one of this session's screenshots."""
        if address not in self._blobs:
            raise RequestError(f"nothing here has the address {address}")
        return self._blobs[address]

    async def _perform(self, action: Action) -> Effect:
        match action:
            case actions.Click(target=actions.Point(x, y)) if not self._inside(x, y):
                return ActionFailure(FailedReason.OFF_VIEWPORT, f"({x}, {y})")
            case actions.Click(target=actions.MarkRef(mark)):
                return ActionFailure(FailedReason.MARK_GONE, f"mark {mark}")
            case actions.Navigate(url) if not url.startswith(("http://", "https://")):
                return ActionFailure(FailedReason.INVALID_URL, url)
            case actions.Navigate(url):
                self._url = url
            case actions.Wait(seconds):
                await anyio.sleep(seconds)
                return NoChange()
            case actions.Answer():
                return NoChange()
            case _:
                pass
        self._count += 1
        return PageChange(("content",))

    def _inside(self, x: int, y: int) -> bool:
        return 0 <= x < self._spec.viewport.width and 0 <= y < self._spec.viewport.height


class FakeBrowser:
    """Opens fake sessions, and counts them."""

    def __init__(self) -> None:
        self.open_now = 0
        self.opened = 0

    def open(self, spec: SessionSpec) -> AbstractAsyncContextManager[FakeSession]:
        """Open a fake session."""
        return self._open(spec)

    @asynccontextmanager
    async def _open(self, spec: SessionSpec) -> AsyncGenerator[FakeSession]:
        self.open_now += 1
        self.opened += 1
        try:
            yield FakeSession(spec)
        finally:
            self.open_now -= 1
