"""A line of progress now and then, for output that is no terminal and so shows no live bar."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Self

if TYPE_CHECKING:
    from rich.console import Console

EVERY_SECONDS = 30.0


class Heartbeat:
    """Prints a line every half minute, from a thread of its own: the event loop may be busy or waiting."""

    def __init__(self, console: Console, line: Callable[[], str], every: float = EVERY_SECONDS) -> None:
        self._console = console
        self._line = line
        self._every = every
        self._over = threading.Event()
        self._thread: threading.Thread | None = None
        self._began = 0.0

    def __enter__(self) -> Self:
        self._began = time.monotonic()
        if not self._console.is_terminal:
            self._thread = threading.Thread(target=self._beat, name="heartbeat", daemon=True)
            self._thread.start()
        return self

    def __exit__(self, *exception: object) -> None:
        self._over.set()
        if self._thread is not None:
            self._thread.join()

    def wait(self, seconds: float) -> bool:
        """Wait until the block has ended, at most this long; return whether it has."""
        return self._over.wait(seconds)

    def _beat(self) -> None:
        while not self.wait(self._every):
            whole = round(time.monotonic() - self._began)
            self._console.print(f"[{whole // 60}:{whole % 60:02d}] {self._line()}", markup=False)
