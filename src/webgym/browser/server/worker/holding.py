"""One session in a worker, from opening to the last trace of it."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import anyio

from webgym.errors import DeadlineError, LossReason, SessionBusy, SessionLost, SessionUnknown, WebGymError
from webgym.records.session import SessionSpec
from webgym.stages import Browser, Session

CLOSE_SECONDS = 10.0


@dataclass
class Holding:
    """A session that somebody has leased. Steps are taken one at a time."""

    name: str
    session: Session | None = None
    opening: anyio.CancelScope | None = None
    """The opening under way."""
    step: anyio.CancelScope | None = None
    """The step under way."""
    loss: SessionLost | None = None
    """Why it ended, if nobody asked for that."""
    opening_failed: Exception | None = None
    usable: anyio.Event = field(default_factory=anyio.Event)
    """Set when opening has succeeded or failed."""
    ending: anyio.Event = field(default_factory=anyio.Event)
    """Set to have it closed."""
    gone: anyio.Event = field(default_factory=anyio.Event)
    """Set when it is closed and nothing is left of it."""

    async def live(self, browser: Browser, spec: SessionSpec, seconds: float) -> None:
        """Open the session, keep it until it is to end, close it."""
        try:
            with anyio.CancelScope(deadline=anyio.current_time() + seconds) as scope:
                self.opening = scope
                if self.ending.is_set():
                    scope.cancel()
                async with browser.open(spec) as self.session:
                    # One scope for opening and keeping: a scope of its own for opening could not end before what
                    # `open` entered inside it.
                    self.opening = None
                    scope.deadline = math.inf
                    self.usable.set()
                    await self.ending.wait()
            if not self.usable.is_set():
                self.opening_failed = self._unopened(seconds)
        except Exception as error:
            if self.usable.is_set():
                raise
            self.opening_failed = error
        finally:
            self.usable.set()
            self.gone.set()

    def _unopened(self, seconds: float) -> WebGymError:
        if not self.ending.is_set():
            return DeadlineError(f"the session did not open in {seconds:g} s")
        return self.loss or SessionUnknown(f"session {self.name[:8]} was closed while it was opened")

    def end(self, loss: SessionLost | None = None) -> None:
        """Have it closed; an opening or a step under way is cut off."""
        self.loss = self.loss or loss
        self.ending.set()
        for scope in (self.opening, self.step):
            if scope is not None:
                scope.cancel()

    def begin(self) -> Session:
        """The session, if a step may begin now."""
        if self.loss is not None:
            raise self.loss
        if self.session is None or self.ending.is_set():
            raise SessionUnknown(f"session {self.name[:8]} is not open")
        if self.step is not None:
            raise SessionBusy(f"session {self.name[:8]} is taking another step")
        return self.session

    def poison(self, why: str) -> WebGymError:
        """Close it because its state is unknown; the error to answer with."""
        lost = SessionLost(f"{why}; the session was closed", reason=LossReason.POISONED)
        self.end(lost)
        return self.loss or lost
