"""Samples the tasks of an environment."""

from __future__ import annotations

import itertools
from functools import lru_cache
from typing import Protocol

import numpy as np

from webgym.errors import ConfigError, SiteUnknown
from webgym.interop.gym.config import EnvConfig
from webgym.records.task import Task
from webgym_hermetic.catalogue import SITES_PER_FAMILY, site, site_named
from webgym_hermetic.registry import FAMILIES, family
from webgym_hermetic.site import Site
from webgym_hermetic.tasks.generate import task_of, tasks_of

_KEPT_SITES = 512


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
    return HermeticTaskSampler(config) if config.is_hermetic else ListedTaskSampler(config)


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


class HermeticTaskSampler:
    """Samples sites, then tasks on them, without generating all of them first.

    The tasks of a site are generated when it is first drawn, which takes about half a second.
    """

    def __init__(self, config: EnvConfig) -> None:
        self._config = config
        self._sites: tuple[Site, ...] = ()

    def named(self, task_id: str) -> Task:
        """Return the task with this id: `SITE-NUMBER`, or `SITE-TEMPLATE-DRAW`."""
        return hermetic_task_named(task_id)

    def examples(self) -> list[Task]:
        """Return one task: sites are served all together."""
        if self._config.task_ids:
            return [hermetic_task_named(self._config.task_ids[0])]
        return [next(task for one in self._places() for task in _tasks(one))]

    def draw(self, rng: np.random.Generator) -> Task:
        """Draw one of `task_ids`, or else a site and then one of its matching tasks, uniformly."""
        if self._config.task_ids:
            return hermetic_task_named(self._config.task_ids[int(rng.integers(len(self._config.task_ids)))])
        places = self._places()
        order: list[int] = rng.permutation(len(places)).tolist()
        share = rng.random()
        for index in order:
            fitting = [task for task in _tasks(places[index]) if self._fits(task)]
            if fitting:
                return fitting[int(share * len(fitting))]
        raise ConfigError(f"no site of the split {self._config.split!r} has a matching task: {self._asked()}")

    def _places(self) -> tuple[Site, ...]:
        if not self._sites:
            config = self._config
            self._check_templates()
            every = (site(name, number) for name in config.families or FAMILIES for number in range(SITES_PER_FAMILY))
            self._sites = tuple(one for one in every if one.split == config.split)
        return self._sites

    def _check_templates(self) -> None:
        known = {template.name for name in self._config.families or FAMILIES for template in family(name).templates}
        if unknown := sorted(set(self._config.templates) - known):
            raise ConfigError(f"unknown template {unknown[0]!r}; choose from {', '.join(sorted(known))}")

    def _fits(self, task: Task) -> bool:
        config = self._config
        return config.level in (None, task.level) and (not config.templates or task.template in config.templates)

    def _asked(self) -> str:
        return f"level {self._config.level or 'any'}, templates {', '.join(self._config.templates) or 'any'}"


def hermetic_task_named(task_id: str) -> Task:
    """Return the task with this id: `SITE-NUMBER`, or `SITE-TEMPLATE-DRAW`.

    Raises:
        ConfigError: There is no such task.
    """
    name, _, rest = task_id.partition("-")
    try:
        where = site_named(name)
    except SiteUnknown as error:
        raise ConfigError(f"there is no task {task_id!r}: {error}") from error
    found = next((task for task in _tasks(where) if task.task_id == task_id), None) or _of_template(where, rest)
    if found is None:
        raise ConfigError(f"there is no task {task_id!r} on {name}; `webgym sites show {name}` lists them")
    return found


def _of_template(where: Site, rest: str) -> Task | None:
    wanted, _, draw = rest.rpartition("-")
    template = next((one for one in family(where.family).templates if one.name == wanted), None)
    return task_of(where, template, int(draw)) if template is not None and draw.isdecimal() else None


@lru_cache(maxsize=_KEPT_SITES)
def _tasks(where: Site) -> tuple[Task, ...]:
    return tuple(tasks_of(where))
