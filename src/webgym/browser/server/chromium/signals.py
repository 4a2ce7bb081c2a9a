"""How events of the browser end what a step is waiting for."""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import contextmanager

import anyio


class Signals:
    """One per session. Events that change what a step should do next call `nudge`; the step looks again."""

    def __init__(self, is_blocked: Callable[[], bool]) -> None:
        self._is_blocked = is_blocked
        self._scope: anyio.CancelScope | None = None
        self._event = anyio.Event()

    @property
    def blocked(self) -> bool:
        """Whether the step cannot go on with what it is doing: a dialog is open, or the tab or the browser is gone."""
        return self._is_blocked()

    def nudge(self) -> None:
        """Something happened that waiting steps should know of."""
        self._event.set()
        self._event = anyio.Event()
        if self._scope is not None and self._is_blocked():
            self._scope.cancel()

    @contextmanager
    def attempt(self, seconds: float) -> Generator[anyio.CancelScope]:
        """Try something for so long, or until it cannot succeed any more; `scope.cancelled_caught` says so."""
        with anyio.CancelScope(deadline=anyio.current_time() + seconds) as scope:
            self._scope = scope
            if self._is_blocked():
                scope.cancel()
            try:
                yield scope
            finally:
                self._scope = None

    async def until(self, condition: Callable[[], bool], deadline: float) -> bool:
        """Wait for events to make this true; False if the time is up, or the session blocked, first."""
        while not condition():
            if self._is_blocked():
                return False
            with anyio.CancelScope(deadline=deadline) as scope:
                await self._event.wait()
            if scope.cancelled_caught:
                return condition()
        return True
