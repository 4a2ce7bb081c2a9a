"""A browser that takes its time, for tests in this process and in workers of a fleet."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

import anyio

from webgym.records.session import SessionSpec
from webgym.testing.fakes import FakeSession

SLOW = "tests.slow_browser:SlowBrowser"


def slow(opening_seconds: float = 60.0, closing_seconds: float = 0.0) -> SessionSpec:
    """A session that takes this long to open, and to close."""
    return SessionSpec(labels={"opening": str(opening_seconds), "closing": str(closing_seconds)})


class SlowBrowser:
    """Opens and closes sessions in the time that their labels say."""

    def __init__(self) -> None:
        self.opening = 0
        self.open_now = 0

    @asynccontextmanager
    async def open(self, spec: SessionSpec) -> AsyncGenerator[FakeSession]:
        """A fake session, after a while."""
        self.opening += 1
        try:
            await anyio.sleep(float(spec.labels.get("opening", 0)))
        finally:
            self.opening -= 1
        self.open_now += 1
        try:
            yield FakeSession(spec)
        finally:
            with anyio.CancelScope(shield=True):
                await anyio.sleep(float(spec.labels.get("closing", 0)))
            self.open_now -= 1
