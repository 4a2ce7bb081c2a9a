"""Detection of subtasks that ask for the same as another task."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable

from webgym.records.task_row import TaskRow

_BETWEEN = re.compile(r"[\W_]+")


def plain(text: str) -> str:
    """Normalize to lower-case letters and digits with single spaces."""
    words = _BETWEEN.sub(" ", unicodedata.normalize("NFKC", text).lower()).strip()
    return words or text


class SeenTasks:
    """The tasks seen so far by website, keyed by instruction and by facts."""

    def __init__(self, rows: Iterable[TaskRow] = ()) -> None:
        self._known: set[tuple[str, object]] = set()
        for row in rows:
            self.add(row)

    def add(self, row: TaskRow) -> bool:
        """Add a task; return whether it was new."""
        keys = self._keys(row)
        new = not any(key in self._known for key in keys)
        self._known.update(keys)
        return new

    def has_facts(self, website: str, facts: Iterable[str]) -> bool:
        """Whether a task with exactly these facts was seen."""
        return (website, _facts_key(facts)) in self._known

    @staticmethod
    def _keys(row: TaskRow) -> list[tuple[str, object]]:
        keys: list[tuple[str, object]] = [(row.website, hash(("words", plain(row.instruction))))]
        if row.rubric:
            keys.append((row.website, _facts_key(fact for group in row.rubric for fact in group.facts)))
        return keys


def _facts_key(facts: Iterable[str]) -> int:
    """A hash, so that 300,000 rubrics fit into memory beside their table."""
    return hash(("facts", frozenset(map(plain, facts))))
