"""The lifecycle of one session in a worker, from opening to complete removal."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import anyio

from webgym.errors import DeadlineError, LossReason, SessionBusy, SessionLost, SessionUnknown, WebGymError
from webgym.records.session import SessionSpec
from webgym.stages import Browser, Session

CLOSE_SECONDS = 10.0


@dataclass
class LeasedSession:
    """A leased session. Steps run one at a time."""

    name: str
    session: Session | None = None
    opening: anyio.CancelScope | None = None
    """Cancel scope of the opening in progress."""
    step: anyio.CancelScope | None = None
    """Cancel scope of the step in progress."""
    loss: SessionLost | None = None
    """Why the session was lost; None if it was not."""
    opening_failed: Exception | None = None
    usable: anyio.Event = field(default_factory=anyio.Event)
    """Set when opening has succeeded or failed."""
    ending: anyio.Event = field(default_factory=anyio.Event)
    """Set to request that the session be closed."""
    gone: anyio.Event = field(default_factory=anyio.Event)
    """Set when the session is fully closed."""

    async def live(self, browser: Browser, spec: SessionSpec, seconds: float) -> None:
        """Open the session, keep it open until `ending` is set, and close it."""
        try:
            with anyio.CancelScope(deadline=anyio.current_time() + seconds) as scope:
                self.opening = scope
                if self.ending.is_set():
                    scope.cancel()
                async with browser.open(spec) as self.session:
                    # The opening shares the scope of the whole block: a narrower scope could not exit before the
                    # scopes that `open` has entered inside it.
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
        """Request that the session be closed, and cancel an opening or step in progress."""
        # The first reason stays: later ones, such as a cancelled step, follow from it.
        self.loss = self.loss or loss
        self.ending.set()
        for scope in (self.opening, self.step):
            if scope is not None:
                scope.cancel()

    def begin(self) -> Session:
        """Return the session if a step may begin now; raise otherwise."""
        if self.loss is not None:
            raise self.loss
        if self.session is None or self.ending.is_set():
            raise SessionUnknown(f"session {self.name[:8]} is not open")
        if self.step is not None:
            raise SessionBusy(f"session {self.name[:8]} is taking another step")
        return self.session

    def poison(self, why: str) -> WebGymError:
        """Close the session because its state is unknown, and return the error to reply with."""
        lost = SessionLost(f"{why}; the session was closed", reason=LossReason.POISONED)
        self.end(lost)
        return self.loss or lost
