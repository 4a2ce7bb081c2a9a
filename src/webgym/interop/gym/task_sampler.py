"""Samples the tasks of an environment."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from webgym.errors import ConfigError, SiteUnknown
from webgym.interop.gym.config import EnvConfig
from webgym.records.task import Task
from webgym.sites.catalogue import SITES_PER_FAMILY, site, site_named
from webgym.sites.registry import family
from webgym.sites.site import Site
from webgym.sites.tasks.generate import task_of, tasks_of

_KEPT_SITES = 512


@dataclass(frozen=True, slots=True)
class SiteTask:
    """A task and its site."""

    site: Site
    task: Task


class TaskSampler:
    """Samples tasks that match the options of an environment, deterministically for a given generator.

    The tasks of a site are generated when it is first drawn, which takes about half a second.
    """

    def __init__(self, config: EnvConfig) -> None:
        self._config = config
        self._sites: tuple[Site, ...] = ()

    def draw(self, rng: np.random.Generator) -> SiteTask:
        """Draw one of `task_ids`, or else a site and then one of its matching tasks, uniformly.

        Raises:
            ConfigError: No task matches the options.
        """
        if self._config.task_ids:
            return site_task_named(self._config.task_ids[int(rng.integers(len(self._config.task_ids)))])
        places = self._places()
        order: list[int] = rng.permutation(len(places)).tolist()
        share = rng.random()
        for index in order:
            fitting = [task for task in _tasks(places[index]) if self._fits(task)]
            if fitting:
                return SiteTask(places[index], fitting[int(share * len(fitting))])
        raise ConfigError(f"no site of the split {self._config.split!r} has a matching task: {self._asked()}")

    def _places(self) -> tuple[Site, ...]:
        if not self._sites:
            config = self._config
            self._check_templates()
            every = (site(name, number) for name in config.families for number in range(SITES_PER_FAMILY))
            self._sites = tuple(one for one in every if one.split == config.split)
        return self._sites

    def _check_templates(self) -> None:
        known = {template.name for name in self._config.families for template in family(name).templates}
        if unknown := sorted(set(self._config.templates) - known):
            raise ConfigError(f"unknown template {unknown[0]!r}; choose from {', '.join(sorted(known))}")

    def _fits(self, task: Task) -> bool:
        config = self._config
        return config.level in (None, task.level) and (not config.templates or task.template in config.templates)

    def _asked(self) -> str:
        return f"level {self._config.level or 'any'}, templates {', '.join(self._config.templates) or 'any'}"


def site_task_named(task_id: str) -> SiteTask:
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
    return SiteTask(where, found)


def _of_template(where: Site, rest: str) -> Task | None:
    wanted, _, draw = rest.rpartition("-")
    template = next((one for one in family(where.family).templates if one.name == wanted), None)
    return task_of(where, template, int(draw)) if template is not None and draw.isdecimal() else None


@lru_cache(maxsize=_KEPT_SITES)
def _tasks(where: Site) -> tuple[Task, ...]:
    return tuple(tasks_of(where))
