"""Select the tasks and attempts of a run, deterministically from its configuration."""

from __future__ import annotations

import dataclasses
import itertools
import logging
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

import msgspec

from webgym.environments.registry import environment_named
from webgym.errors import ConfigError
from webgym.plugins import TASKS, beside, brought, loaded, remedy
from webgym.records.environment import TaskSelection
from webgym.records.task import Task
from webgym.records.trajectory import Attempt
from webgym.rng import Rng
from webgym.run.config import TasksConfig
from webgym.run.import_path import named
from webgym.stages import Environment
from webgym.tasks.address import host_of

logger = logging.getLogger(__name__)
_OF_SETS = ("sampler", "health", "sealed", "start")


def tasks_for(
    config: TasksConfig,
    seed: int,
    say: Callable[[str], None] = logger.warning,
    environment: Environment | None = None,
) -> list[Task]:
    """Return the tasks of a run with this seed.

    Args:
        config: Which tasks.
        seed: The run's seed.
        say: Receives messages for the user.
        environment: Where the tasks take place; None: the hermetic sites.

    Raises:
        ConfigError: There are none, one has no website, or two have the same id.
        TaskSetError: There is no such task set, or no task can be sampled from it.
    """
    _check_of_sets(config)
    seed = seed if config.seed is None else config.seed
    match config.use:
        case "env":
            found = (environment or environment_named("hermetic")).tasks(selection_of(config, seed))
        case "file":
            found = _from_file(Path(config.file))
        case "set":
            # Imported here, as only runs on task sets need Arrow.
            from webgym.run.task_sets.drawing import Drawing  # noqa: PLC0415
            from webgym.run.task_sets.drawn import drawn_tasks  # noqa: PLC0415

            names = (field.name for field in dataclasses.fields(Drawing))
            more = {name: getattr(config, name) for name in names if name != "seed"}
            found = drawn_tasks(config.file, config.split, Drawing(seed=seed, **more), say)
        case "given":
            found = (_task(msgspec.json.encode(one), "tasks.given") for one in config.given)
        case name if name in brought(TASKS):
            found = loaded(brought(TASKS)[name])(seed)
        case name if name in beside(TASKS):
            raise ConfigError(f"tasks.use = {name!r} is not installed: {remedy(TASKS, name)}")
        case path:
            found = _own(path)
    tasks = list(itertools.islice(_kept(found, config), config.count or None))
    if not tasks:
        where = f"env={environment.name}" if environment else "env=hermetic"
        raise ConfigError(
            f"no task of {where} matches the tasks.* settings; `webgym env show`, and `webgym sites list` for hermetic "
            "sites, show what there is"
        )
    _check_each(tasks)
    return tasks


def groups_for(tasks: Iterable[Task], repeats: int, seed: int) -> list[tuple[Attempt, ...]]:
    """Return a group of `repeats` attempts for each task."""
    return [
        tuple(
            Attempt(f"{task.task_id}/{member}", task, task.task_id, member, _seed(seed, task, member))
            for member in range(repeats)
        )
        for task in tasks
    ]


def _seed(seed: int, task: Task, member: int) -> int:
    return Rng("attempt", seed, task.task_id, member).below(2**31)


def _check_each(tasks: Sequence[Task]) -> None:
    for task in tasks:
        if not host_of(task.website):
            raise ConfigError(f"task {task.task_id}: {task.website!r} is not a website address")
    # Attempt ids derive from task ids, so a duplicate would stop the run.
    if twice := [name for name, times in Counter(task.task_id for task in tasks).items() if times > 1]:
        raise ConfigError(f"{len(twice)} task ids occur more than once, such as {twice[0]}")


def _check_of_sets(config: TasksConfig) -> None:
    """Reject settings that only task sets have, instead of ignoring them."""
    if config.use == "set":
        return
    if given := [name for name in _OF_SETS if getattr(config, name) != TasksConfig.model_fields[name].default]:
        raise ConfigError(f"{', '.join(f'tasks.{name}' for name in given)}: only for tasks.use=set")


def selection_of(config: TasksConfig, seed: int) -> TaskSelection:
    """Return what these settings ask of an environment."""
    return TaskSelection(
        split=config.split,
        seed=seed,
        families=config.families,
        levels=config.levels,
        templates=config.templates,
        task_ids=config.task_ids,
        sites_per_family=config.sites_per_family,
        sites_from=config.sites_from,
    )


def _kept(tasks: Iterable[Task], config: TasksConfig) -> Iterator[Task]:
    selection = selection_of(config, 0)
    return (task for task in tasks if selection.wants(task.task_id, task.template, task.level))


def _from_file(path: Path) -> Iterator[Task]:
    try:
        with path.open("rb") as lines:
            for number, line in enumerate(lines, start=1):
                if line.strip():
                    yield _task(line, f"{path}:{number}")
    except OSError as error:
        raise ConfigError(f"tasks.file = {str(path)!r} cannot be read: {error.strerror}") from error


def _task(line: bytes, where: str) -> Task:
    try:
        return msgspec.json.decode(line, type=Task)
    except msgspec.DecodeError as error:
        raise ConfigError(f"{where} is not a task: {error}") from error


def _own(path: str) -> Iterable[Task]:
    make: Callable[[], Iterable[Task]] = named(path, "tasks.use")
    return make()
