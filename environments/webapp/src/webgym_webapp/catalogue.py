"""The tasks of an application, with the user's functions that belong to them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import msgspec
from webgym.errors import ConfigError
from webgym.records.task import FactGroup, Task

from webgym_webapp.application import Application, WebappTask
from webgym_webapp.hooks import Hook, hook

HOST = ".localhost"


@dataclass(frozen=True, slots=True)
class Item:
    """A task, ready to be attempted."""

    given: WebappTask
    task: Task
    verdict: Hook
    fill: Hook | None
    prepare: Hook | None
    solver: Hook | None


def host_of(application: Application) -> str:
    """Return the host that stands for the application in tasks, whose instances have addresses only in a run."""
    return f"{application.name}{HOST}"


def catalogue(application: Application) -> dict[str, Item]:
    """Return the tasks of an application by id.

    Raises:
        ConfigError: There are none, two have the same id, or one is incomplete.
    """
    found: dict[str, Item] = {}
    for given in (*application.tasks, *_more(application)):
        if given.id in found:
            raise ConfigError(f"{application.name} has two tasks {given.id!r}")
        found[given.id] = _item(application, given)
    if not found:
        raise ConfigError(f"{application.name} has no tasks: add [[tasks]], or tasks_from")
    return found


def with_values(given: str, values: Mapping[str, Any]) -> str:
    """Return a text with its `{names}` replaced by values.

    Raises:
        ConfigError: One has no value.
    """
    if not values:
        return given
    try:
        return given.format_map(values)
    except (KeyError, IndexError, ValueError, AttributeError) as error:
        raise ConfigError(f"{given!r} cannot be filled in: {error!r}; values are {', '.join(values)}") from error


def filled_task(task: Task, given: WebappTask, values: Mapping[str, Any], instruction: str = "") -> Task:
    """Return the task of one attempt, with values filled in and kept in `exact`."""
    return msgspec.structs.replace(
        task,
        instruction=instruction or with_values(given.instruction, values),
        rubric=tuple(_filled_group(group, values) for group in _rubric(given)),
        exact=json.dumps(dict(values), default=str, sort_keys=True) if values else "",
    )


def _filled_group(group: FactGroup, values: Mapping[str, Any]) -> FactGroup:
    facts = tuple(with_values(fact, values) for fact in group.facts)
    return FactGroup(group.id, with_values(group.description, values), facts)


def _more(application: Application) -> Iterable[WebappTask]:
    more = hook(application.tasks_from, "tasks_from", application.hook_seconds)
    if more is None:
        return ()
    found = tuple(more.function())
    if strange := next((one for one in found if not isinstance(one, WebappTask)), None):
        raise ConfigError(f"{more.where} returned {strange!r}, which is not a WebappTask")
    return found


def _item(application: Application, given: WebappTask) -> Item:
    seconds, of = application.hook_seconds, f"of task {given.id}"
    verdict = hook(given.verdict, f"verdict {of}", seconds)
    if verdict is None:
        raise ConfigError(f"task {given.id} of {application.name} has no verdict")
    if not given.start.startswith("/"):
        raise ConfigError(f"start = {given.start!r} of task {given.id} has to be a path, such as '/'")
    rubric = _rubric(given)
    if not rubric or not all(group.facts for group in rubric):
        raise ConfigError(f"task {given.id} of {application.name} has no facts")
    task = Task(
        task_id=given.id,
        instruction=given.instruction,
        website=f"http://{host_of(application)}{given.start}",
        rubric=rubric,
        domain=application.name,
        split=given.split,
        template=given.template,
        site=given.site or application.name,
    )
    prepare = hook(given.prepare or application.prepare, "prepare", seconds)
    fill, solver = hook(given.fill, f"fill {of}", seconds), hook(given.solver, f"solver {of}", seconds)
    return Item(given, task, verdict, fill, prepare, solver)


def _rubric(given: WebappTask) -> tuple[FactGroup, ...]:
    own = (FactGroup(1, given.instruction, given.facts),) if given.facts else ()
    return given.rubric or own
