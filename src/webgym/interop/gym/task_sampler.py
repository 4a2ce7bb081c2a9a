"""Samples the tasks of an environment."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from typing import Protocol

import numpy as np

from webgym.environments.optional import TaskFinder
from webgym.errors import ConfigError
from webgym.interop.gym.config import EnvConfig
from webgym.records.task import Task

_MOST_TASKS = 10_000


class TaskSampler(Protocol):
    """Samples tasks that match the options of an environment, deterministically for a given generator."""

    def draw(self, rng: np.random.Generator) -> Task:
        """Draw one of `task_ids`, or else a matching task.

        Raises:
            ConfigError: No task matches the options.
        """
        ...

    def named(self, task_id: str) -> Task:
        """Return the task with this id.

        Raises:
            ConfigError: There is no such task.
        """
        ...

    def examples(self) -> list[Task]:
        """Return some task, so that the environment can be opened for it."""
        ...


def sampler_for(config: EnvConfig) -> TaskSampler:
    """Return the sampler of the environment that the options name."""
    environment = config.environment()
    return PlacedTaskSampler(config, environment) if isinstance(environment, TaskFinder) else ListedTaskSampler(config)


class ListedTaskSampler:
    """Samples uniformly from the first ten thousand matching tasks."""

    def __init__(self, config: EnvConfig) -> None:
        self._config = config
        self._tasks: list[Task] = []

    def draw(self, rng: np.random.Generator) -> Task:
        """Draw a task."""
        tasks = self.examples()
        return tasks[int(rng.integers(len(tasks)))]

    def named(self, task_id: str) -> Task:
        """Return the task with this id, of the same split."""
        selection = self._config.selection(task_ids=(task_id,))
        found = next((task for task in self._config.environment().tasks(selection) if task.task_id == task_id), None)
        if found is None:
            raise ConfigError(
                f"there is no task {task_id!r} in the split {selection.split!r} of env={self._config.env}"
            )
        return found

    def examples(self) -> list[Task]:
        """Return all tasks that may be drawn."""
        if not self._tasks:
            selection = self._config.selection(task_ids=self._config.task_ids)
            found = self._config.environment().tasks(selection)
            fitting = (one for one in found if selection.wants(one.task_id, one.template, one.level))
            self._tasks = list(itertools.islice(fitting, _MOST_TASKS))
        if not self._tasks:
            raise ConfigError(f"env={self._config.env} has no task that matches these options")
        return self._tasks


class PlacedTaskSampler:
    """Samples places, then tasks there, without generating all of them first."""

    def __init__(self, config: EnvConfig, finder: TaskFinder) -> None:
        self._config = config
        self._finder = finder
        self._known: Sequence[Callable[[], Sequence[Task]]] = ()

    def named(self, task_id: str) -> Task:
        """Return the task with this id."""
        return self._finder.named(task_id)

    def examples(self) -> list[Task]:
        """Return one task: places are opened all together."""
        if self._config.task_ids:
            return [self.named(self._config.task_ids[0])]
        return [next(task for place in self._places() for task in place())]

    def draw(self, rng: np.random.Generator) -> Task:
        """Draw one of `task_ids`, or else a place and then one of its matching tasks, uniformly."""
        if self._config.task_ids:
            return self.named(self._config.task_ids[int(rng.integers(len(self._config.task_ids)))])
        places = self._places()
        order: list[int] = rng.permutation(len(places)).tolist()
        share, selection = rng.random(), self._config.selection(())
        for index in order:
            found = places[index]()
            fitting = [one for one in found if selection.wants(one.task_id, one.template, one.level)]
            if fitting:
                return fitting[int(share * len(fitting))]
        raise ConfigError(f"nothing in the split {self._config.split!r} has a matching task: {self._asked()}")

    def _places(self) -> Sequence[Callable[[], Sequence[Task]]]:
        if not self._known:
            self._known = self._finder.places(self._config.selection(()))
        return self._known

    def _asked(self) -> str:
        return f"level {self._config.level or 'any'}, templates {', '.join(self._config.templates) or 'any'}"
