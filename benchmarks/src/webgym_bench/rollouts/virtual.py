"""An event loop in virtual time: instead of waiting, its clock jumps to the next timer."""

from __future__ import annotations

import asyncio
import selectors


class VirtualLoop(asyncio.SelectorEventLoop):
    """For code that waits for timers only. Results from threads or the network arrive late in virtual time."""

    def __init__(self) -> None:
        self._selector_without_patience = _Impatient()
        super().__init__(self._selector_without_patience)

    def time(self) -> float:
        """Return the virtual time: the seconds skipped so far."""
        return self._selector_without_patience.skipped


class _Impatient(selectors.DefaultSelector):
    """A selector that never waits for a timeout, and sums up the time skipped."""

    def __init__(self) -> None:
        super().__init__()
        self.skipped = 0.0

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        """Poll without blocking, or block if no timer is pending."""
        if timeout is None:
            return super().select(None)
        found = super().select(0)
        if not found:
            self.skipped += max(0.0, timeout)
        return found
