"""The latest steps of attempts, bounded per attempt and in total."""

from __future__ import annotations

import collections
from dataclasses import dataclass, field

from webgym.monitor.wire import HistoryLine

MOST_LINES = 30_000
MOST_LINES_EACH = 40


@dataclass(slots=True)
class Past:
    """The lines of one attempt, oldest first."""

    lines: collections.deque[HistoryLine] = field(default_factory=collections.deque[HistoryLine])
    gone: int = 0
    """Lines removed early, whose entries in the global order are still pending."""


class Histories:
    """Drops the globally oldest line when there are too many."""

    def __init__(self, most: int = MOST_LINES, most_each: int = MOST_LINES_EACH) -> None:
        self._most = most
        self._most_each = most_each
        self._order: collections.deque[Past] = collections.deque()
        """The owner of each line, oldest first. Includes lines removed early, so its length bounds all lines."""

    def __len__(self) -> int:
        return len(self._order)

    def add(self, past: Past, line: HistoryLine) -> None:
        past.lines.append(line)
        self._order.append(past)
        if len(past.lines) > self._most_each:
            past.lines.popleft()
            past.gone += 1
        if len(self._order) > self._most:
            self._forget(self._order.popleft())

    def clear(self, past: Past) -> None:
        """Remove all lines of an attempt."""
        past.gone += len(past.lines)
        past.lines.clear()

    def _forget(self, past: Past) -> None:
        if past.gone:
            past.gone -= 1
        else:
            past.lines.popleft()
