"""Parts that ask for what another task asks for already."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable

from webgym.records.task_row import TaskRow

_BETWEEN = re.compile(r"[\W_]+")


def plain(text: str) -> str:
    """Lower case, only letters and digits, single spaces."""
    words = _BETWEEN.sub(" ", unicodedata.normalize("NFKC", text).lower()).strip()
    return words or text


class Seen:
    """What has been asked for so far, on which website: by its words and by its facts."""

    def __init__(self, rows: Iterable[TaskRow] = ()) -> None:
        self._known: set[tuple[str, object]] = set()
        for row in rows:
            self.add(row)

    def add(self, row: TaskRow) -> bool:
        """Whether it was new; it no longer is."""
        keys = self._keys(row)
        new = not any(key in self._known for key in keys)
        self._known.update(keys)
        return new

    def has_facts(self, website: str, facts: Iterable[str]) -> bool:
        """Whether a task asks for exactly these."""
        return (website, _facts_key(facts)) in self._known

    @staticmethod
    def _keys(row: TaskRow) -> list[tuple[str, object]]:
        keys: list[tuple[str, object]] = [(row.website, hash(("words", plain(row.instruction))))]
        if row.rubric:
            keys.append((row.website, _facts_key(fact for group in row.rubric for fact in group.facts)))
        return keys


def _facts_key(facts: Iterable[str]) -> int:
    """A hash: 300,000 rubrics are to fit into memory beside their table."""
    return hash(("facts", frozenset(map(plain, facts))))
