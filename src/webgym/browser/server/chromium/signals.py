"""Lets browser events interrupt what a step is waiting for."""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import contextmanager

import anyio


class Signals:
    """One per session. Events that affect the current step call `nudge`, on which the step re-checks its conditions."""

    def __init__(self, is_blocked: Callable[[], bool]) -> None:
        self._is_blocked = is_blocked
        self._scope: anyio.CancelScope | None = None
        self._event = anyio.Event()

    @property
    def blocked(self) -> bool:
        """Whether the step cannot continue: a dialog is open, or the tab or the browser is gone."""
        return self._is_blocked()

    def nudge(self) -> None:
        """Wake up waiters, and cancel the current attempt if the session is now blocked."""
        self._event.set()
        self._event = anyio.Event()
        if self._scope is not None and self._is_blocked():
            self._scope.cancel()

    @contextmanager
    def attempt(self, seconds: float) -> Generator[anyio.CancelScope]:
        """Cancel the block when it times out or the session is blocked; `scope.cancelled_caught` tells if so."""
        with anyio.CancelScope(deadline=anyio.current_time() + seconds) as scope:
            self._scope = scope
            if self._is_blocked():
                scope.cancel()
            try:
                yield scope
            finally:
                self._scope = None

    async def until(self, condition: Callable[[], bool], deadline: float) -> bool:
        """Wait until the condition holds; return False if the deadline passes or the session is blocked first."""
        while not condition():
            if self._is_blocked():
                return False
            with anyio.CancelScope(deadline=deadline) as scope:
                await self._event.wait()
            if scope.cancelled_caught:
                return condition()
        return True
