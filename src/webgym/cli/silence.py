"""Ends silences: where a console has no status line, a line now and then says what is going on."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING

import anyio

if TYPE_CHECKING:
    from rich.console import Console


class SilenceBreaker:
    """Prints a line whenever nothing was printed for so many seconds.

    Its owner prints through it, so that a line just printed is not followed by another one.
    """

    def __init__(self, console: Console, seconds: float, line: Callable[[], str]) -> None:
        """`line` returns what is going on; empty if nothing is."""
        self._console = console
        self._seconds = seconds
        self._line = line
        self._printed = time.monotonic()

    def print(self, line: str, *, markup: bool = False) -> None:
        self._printed = time.monotonic()
        self._console.print(line, markup=markup)

    async def run(self) -> None:
        """Run until cancelled. Does nothing in a terminal, where the status line says it all the time."""
        while not self._console.is_terminal or self._console.is_dumb_terminal:
            rest = self._printed + self._seconds - time.monotonic()
            if rest <= 0:
                rest = self._seconds
                if line := self._line():
                    self.print(line)
            await anyio.sleep(rest)
