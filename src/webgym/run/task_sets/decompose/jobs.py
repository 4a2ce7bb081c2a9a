"""Selects the subtasks to generate."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from webgym.records.task import FactGroup
from webgym.records.task_row import TaskRow
from webgym.tasks.decompose.alike import SeenTasks
from webgym.tasks.decompose.rule import MOST_PARTS, can_be_cut, parts_of


@dataclass(frozen=True, slots=True)
class Subtask:
    """A subtask: some fact groups of a task, by index."""

    row: TaskRow
    places: tuple[int, ...]

    @property
    def task_id(self) -> str:
        return f"{self.row.task_id}-part-{'-'.join(str(place + 1) for place in self.places)}"

    @property
    def kept(self) -> tuple[FactGroup, ...]:
        return tuple(self.row.rubric[place] for place in self.places)

    @property
    def dropped(self) -> tuple[FactGroup, ...]:
        return tuple(group for place, group in enumerate(self.row.rubric) if place not in self.places)


def is_wanted(row: TaskRow, *, test: bool = False) -> bool:
    """Whether to decompose a task: not a subtask itself, not sealed, and not a test task unless `test` is set.

    A test set has one task per website, which subtasks would break.
    """
    if row.decomposed_from is not None or row.sealed or (row.split.startswith("test") and not test):
        return False
    return can_be_cut(row.rubric)


def parts_to_make(
    rows: Iterable[TaskRow], seen: SeenTasks, known: frozenset[str], most: int = MOST_PARTS, *, test: bool = False
) -> Iterator[Subtask]:
    """Yield the subtasks that no existing task asks for; `known` are ids already in use."""
    for row in rows:
        if not is_wanted(row, test=test):
            continue
        for places in parts_of(row.rubric, most):
            part = Subtask(row, places)
            facts = [fact for group in part.kept for fact in group.facts]
            if part.task_id not in known and not seen.has_facts(row.website, facts):
                yield part
