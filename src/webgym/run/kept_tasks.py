"""Store the tasks that a run sampled: the health database may have changed when the run is resumed."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from pathlib import Path

import msgspec

from webgym.errors import StoreError
from webgym.files import write_whole
from webgym.records.task import Task
from webgym.run.config import TasksConfig
from webgym.run.tasks import tasks_for
from webgym.stages import Environment

TASKS_FILE = "drawn-tasks.json"
"""File in the run's folder with the ids of its tasks, in order."""
TESTS_FILE = "drawn-tests.json"
"""The same for the evaluation tasks of training."""
logger = logging.getLogger(__name__)


def drawn_once(
    config: TasksConfig,
    seed: int,
    kept: Path,
    say: Callable[[str], None] = logger.warning,
    environment: Environment | None = None,
) -> list[Task]:
    """Return the tasks of a run: the stored ones if there are any, else a new sample.

    Raises:
        ConfigError: There are none, or one has no website.
        StoreError: The stored ids cannot be read, or a task no longer exists.
        TaskSetError: There is no such task set, or no task can be sampled from it.
    """
    if not _by_book(config) or not kept.exists():
        return tasks_for(config, seed, say, environment)
    names = _read(kept)
    whole = {"task_ids": names, "count": 0, "sampler": "uniform", "health": "", "quarantine": False}
    found = {task.task_id: task for task in tasks_for(config.model_copy(update=whole), seed, say, environment)}
    if gone := [name for name in names if name not in found]:
        raise StoreError(f"the run was started with {len(gone)} tasks that {config.file} lacks now, such as {gone[0]}")
    return [found[name] for name in names]


def keep_drawn(kept: Path, config: TasksConfig, tasks: Sequence[Task]) -> None:
    """Store the ids of the tasks, unless the configuration alone determines them."""
    if _by_book(config) and not kept.exists():
        write_whole(kept, msgspec.json.encode([task.task_id for task in tasks]))


def _by_book(config: TasksConfig) -> bool:
    return bool(config.health) and (config.quarantine or config.sampler == "adaptive")


def _read(kept: Path) -> tuple[str, ...]:
    try:
        return msgspec.json.decode(kept.read_bytes(), type=tuple[str, ...])
    except (OSError, msgspec.MsgspecError) as error:
        raise StoreError(f"{kept} cannot be read: {error}") from None
