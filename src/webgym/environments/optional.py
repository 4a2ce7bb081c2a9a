"""What few environments can do, as protocols that are asked of those that have the methods."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from webgym.records.environment import Egress, TaskSelection
from webgym.records.task import Task
from webgym.records.task_row import TaskRow


@runtime_checkable
class TaskFinder(Protocol):
    """An environment that finds tasks without going through all of them."""

    def find(self, name: str) -> TaskSelection:
        """Return the selection of the task of this name, or of the first one at the place of this name.

        Raises:
            ConfigError: There is none.
        """
        ...

    def named(self, task_id: str) -> Task:
        """Return the task with this id.

        Raises:
            ConfigError: There is none.
        """
        ...

    def places(self, selection: TaskSelection) -> Sequence[Callable[[], Sequence[Task]]]:
        """Return a function for each selected place, such as a website, that returns all tasks there.

        Raises:
            ConfigError: The selection makes no sense here.
        """
        ...


@runtime_checkable
class RowSource(Protocol):
    """An environment whose tasks can be rows of a task set."""

    def rows(self, places: int, per_place: int) -> Iterable[TaskRow]:
        """Yield the first tasks of the first places, of all splits, with the environment's name as their source."""
        ...

    def part(self, row: TaskRow, groups: Sequence[int]) -> TaskRow:
        """Return the smaller task of these fact groups of a row, given by index.

        Raises:
            TaskSetError: The row is not one of this environment's.
        """
        ...


@dataclass(frozen=True, slots=True)
class ServedEnvironment:
    """An environment that runs for others."""

    egress: Egress
    told: str
    """Where its pages are, and which `EnvironmentNeeds.address` others use, for people."""


@runtime_checkable
class SharedEnvironment(Protocol):
    """An environment that can run for other runs, which need not be on this machine."""

    def serve(self, token: str, sites_per_family: int) -> AbstractAsyncContextManager[ServedEnvironment]:
        """Run it until the block exits, for those who know the token."""
        ...
