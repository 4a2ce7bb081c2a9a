"""Problems with entries of a file, with their position; other entries are kept."""

from __future__ import annotations

from webgym.records.base import Record


class Problem(Record, frozen=True):
    """An entry that was not imported."""

    file: str
    line: int
    """Line number or index in the list, from 1; 0 if the problem concerns the whole file."""
    why: str
    kind: str = "bad"
    """`bad`: it could not be read. `skipped`: it was read, but is not wanted."""

    def __str__(self) -> str:
        place = f"{self.file}:{self.line}" if self.line else self.file
        return f"{place}: {self.why}"


class BadEntry(Exception):
    """The entry cannot be imported; the message says why."""


class SkippedEntry(Exception):
    """The entry is not wanted; the message says why."""
