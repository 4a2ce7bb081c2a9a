"""An event loop whose clock jumps to the next thing that is due instead of waiting for it."""

from __future__ import annotations

import asyncio
import selectors


class VirtualLoop(asyncio.SelectorEventLoop):
    """Only for code that waits for nothing but time: what comes from threads or the network comes late here."""

    def __init__(self) -> None:
        self._selector_without_patience = _Impatient()
        super().__init__(self._selector_without_patience)

    def time(self) -> float:
        """Seconds that it would have waited so far."""
        return self._selector_without_patience.skipped


class _Impatient(selectors.DefaultSelector):
    """Takes what is there now, and counts how long it would have waited."""

    def __init__(self) -> None:
        super().__init__()
        self.skipped = 0.0

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        """Waits only where nothing is due at all."""
        if timeout is None:
            return super().select(None)
        found = super().select(0)
        if not found:
            self.skipped += max(0.0, timeout)
        return found
