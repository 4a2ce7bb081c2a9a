"""What was wrong with an entry of a file, told so that it can be found; the other entries are kept."""

from __future__ import annotations

from webgym.records.base import Record


class Problem(Record, frozen=True):
    """An entry that was not taken over."""

    file: str
    line: int
    """The line, or which entry of the list it is, from 1; 0 if it is about the whole file."""
    why: str
    kind: str = "bad"
    """`bad`: it cannot be read. `skipped`: it was read, and is none of those wanted."""

    def __str__(self) -> str:
        place = f"{self.file}:{self.line}" if self.line else self.file
        return f"{place}: {self.why}"


class BadEntry(Exception):
    """This entry cannot be taken over, and why."""


class SkippedEntry(Exception):
    """This entry is none of those wanted, and why."""
