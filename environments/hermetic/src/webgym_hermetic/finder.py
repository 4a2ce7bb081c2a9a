"""Finds sites and tasks by name, and the tasks of a selection site by site."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import lru_cache, partial

from webgym.errors import ConfigError, SiteUnknown
from webgym.records.environment import TaskSelection
from webgym.records.task import Task
from webgym_hermetic.catalogue import SITES_PER_FAMILY, site_named, sites
from webgym_hermetic.registry import FAMILIES, family
from webgym_hermetic.site import SPLITS, Site
from webgym_hermetic.tasks.generate import TASKS_PER_SITE, task_of, tasks_of

_KEPT_SITES = 512


def check_selection(selection: TaskSelection) -> None:
    """Check that there are such families and such a split.

    Raises:
        ConfigError: There are not.
    """
    if selection.split not in SPLITS:
        raise ConfigError(f"tasks.split = {selection.split!r}: hermetic sites have the splits {', '.join(SPLITS)}")
    if unknown := set(selection.families) - set(FAMILIES):
        raise ConfigError(f"unknown site family: {', '.join(sorted(unknown))}; choose from {', '.join(FAMILIES)}")


def selected_sites(selection: TaskSelection) -> list[Site]:
    """Return the sites that tasks are selected from."""
    known = sites(selection.sites_per_family, selection.families or FAMILIES)
    return [one for one in known if one.split == selection.split and one.number >= selection.sites_from]


def places_of(selection: TaskSelection) -> Sequence[Callable[[], Sequence[Task]]]:
    """Return a function for each site that generates its tasks, which takes about half a second.

    Raises:
        ConfigError: There is no such family, split or template.
    """
    check_selection(selection)
    known = {template.name for name in selection.families or FAMILIES for template in family(name).templates}
    if unknown := sorted(set(selection.templates) - known):
        raise ConfigError(f"unknown template {unknown[0]!r}; choose from {', '.join(sorted(known))}")
    return [partial(_tasks, one) for one in selected_sites(selection)]


def find(what: str) -> TaskSelection:
    """Return the selection of one task: the one of this name, or the first of the site of this name.

    Raises:
        SiteUnknown: There is no such site or task.
    """
    where, number = _found(what)
    wanted = None if number is None else f"{where.name}-{number:03d}"
    task = next((task.task_id for task in tasks_of(where) if wanted in (None, task.task_id)), None)
    if task is None:
        place = f"{where.family}-{where.number}"
        listed = f"`webgym sites show {place} --tasks {TASKS_PER_SITE}` lists the tasks of {place}"
        raise SiteUnknown(f"there is no task {what!r}; {listed}")
    # Raised only if needed: every site of the catalogue is searched by name.
    per_family = max(SITES_PER_FAMILY, where.number + 1)
    return TaskSelection(where.split, families=(where.family,), task_ids=(task,), sites_per_family=per_family)


def task_named(task_id: str) -> Task:
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


def _found(what: str) -> tuple[Site, int | None]:
    """Return the site, and the number of the task if the name ends in one."""
    try:
        return site_named(what), None
    except SiteUnknown:
        name, _, number = what.rpartition("-")
        with suppress(SiteUnknown):
            if number.isdecimal():
                return site_named(name), int(number)
        raise


def _of_template(where: Site, rest: str) -> Task | None:
    wanted, _, draw = rest.rpartition("-")
    template = next((one for one in family(where.family).templates if one.name == wanted), None)
    return task_of(where, template, int(draw)) if template is not None and draw.isdecimal() else None


@lru_cache(maxsize=_KEPT_SITES)
def _tasks(where: Site) -> tuple[Task, ...]:
    return tuple(tasks_of(where))
