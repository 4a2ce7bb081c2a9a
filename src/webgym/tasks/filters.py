"""Filters on task sets."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from webgym.errors import ConfigError
from webgym.records.task import MOST_EASY_FACTS, MOST_MEDIUM_FACTS
from webgym.tasks.arrow import arrow, compute
from webgym.tasks.sets import TaskSet

_RANGES = {
    "easy": (1, MOST_EASY_FACTS),
    "medium": (MOST_EASY_FACTS + 1, MOST_MEDIUM_FACTS),
    "hard": (MOST_MEDIUM_FACTS + 1, 2**31 - 1),
}


@dataclass(frozen=True, slots=True)
class Filter:
    """A conjunction of the conditions that are given."""

    level: str = ""
    site: str = ""
    source: str = ""
    domain: str = ""
    split: str = ""
    task_ids: tuple[str, ...] = ()
    ready: bool = False
    """Only tasks with a website and a rubric that are not sealed."""
    sealed: bool = False
    """With `ready`: include sealed tasks that have a rubric or a reference answer."""
    anywhere: bool = False
    """With `ready`: include tasks without a website."""
    clear: bool = False
    """Only tasks that are not sealed."""

    def of(self, tasks: TaskSet) -> TaskSet:
        """Return the matching tasks.

        Raises:
            ConfigError: The level is unknown.
        """
        mask = self._mask(tasks.table)
        return tasks if mask is None else tasks.where(mask)

    def _mask(self, table: Any) -> Any:
        pc = compute()
        masks = [
            pc.equal(table[name].cast("string"), value)
            for name, value in (
                ("site", self.site),
                ("source", self.source),
                ("domain", self.domain),
                ("split", self.split),
            )
            if value
        ]
        if self.level:
            masks.append(in_level(table["difficulty"], self.level))
        if self.task_ids:
            masks.append(pc.is_in(table["task_id"], value_set=arrow().array(self.task_ids)))
        if self.ready:
            masks.append(is_ready(table, sealed=self.sealed, anywhere=self.anywhere))
        if self.clear:
            masks.append(pc.equal(table["sealed"].cast("string"), ""))
        mask = None
        for other in masks:
            mask = other if mask is None else pc.and_(mask, other)
        return mask


def in_level(difficulty: Any, level: str) -> Any:
    """Return a mask of the tasks of a level.

    Raises:
        ConfigError: The level is unknown.
    """
    if level not in _RANGES:
        raise ConfigError(f"unknown level {level!r}; choose from {', '.join(_RANGES)}")
    low, high = _RANGES[level]
    return compute().and_(compute().greater_equal(difficulty, low), compute().less_equal(difficulty, high))


def is_ready(table: Any, *, sealed: bool = False, anywhere: bool = False) -> Any:
    """Return a mask of the tasks that can be attempted and judged: with a website and a rubric, and not sealed.

    `sealed` includes sealed tasks with a rubric or an answer; `anywhere` includes tasks without a website.
    """
    pc = compute()
    clear = pc.equal(table["sealed"].cast("string"), "")
    judged = pc.greater(table["difficulty"], 0)
    if sealed:
        ready = pc.or_(judged, pc.and_(pc.invert(clear), pc.is_valid(table["answer"])))
    else:
        ready = pc.and_(judged, clear)
    return ready if anywhere else pc.and_(ready, pc.not_equal(table["website"], ""))
