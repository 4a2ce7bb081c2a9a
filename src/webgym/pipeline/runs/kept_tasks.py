"""What a run drew stays its own: a book of health says something else when the run is resumed."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from pathlib import Path

import msgspec

from webgym.errors import StoreError
from webgym.files import write_whole
from webgym.pipeline.runs.config import TasksConfig
from webgym.pipeline.runs.tasks import tasks_for
from webgym.records.task import Task

TASKS_FILE = "drawn-tasks.json"
"""In the folder of a run: the names of its tasks, in their order."""
TESTS_FILE = "drawn-tests.json"
"""Likewise, of those that training is evaluated on."""
logger = logging.getLogger(__name__)


def drawn_once(config: TasksConfig, seed: int, kept: Path, say: Callable[[str], None] = logger.warning) -> list[Task]:
    """The tasks of a run: those that it began with, if it kept them.

    Raises:
        ConfigError: There are none, or one has no website.
        StoreError: What was kept cannot be read, or is no longer to be had.
        TaskSetError: There is no such task set, or nothing of it can be drawn.
    """
    if not _by_book(config) or not kept.exists():
        return tasks_for(config, seed, say)
    names = _read(kept)
    whole = {"task_ids": names, "count": 0, "sampler": "uniform", "health": "", "quarantine": False}
    found = {task.task_id: task for task in tasks_for(config.model_copy(update=whole), seed, say)}
    if gone := [name for name in names if name not in found]:
        raise StoreError(f"the run began with {len(gone)} tasks that {config.file} no longer has, such as {gone[0]}")
    return [found[name] for name in names]


def keep_drawn(kept: Path, config: TasksConfig, tasks: Sequence[Task]) -> None:
    """Write down which tasks these are, unless the configuration alone decides that."""
    if _by_book(config) and not kept.exists():
        write_whole(kept, msgspec.json.encode([task.task_id for task in tasks]))


def _by_book(config: TasksConfig) -> bool:
    return bool(config.health) and (config.quarantine or config.sampler == "adaptive")


def _read(kept: Path) -> tuple[str, ...]:
    try:
        return msgspec.json.decode(kept.read_bytes(), type=tuple[str, ...])
    except (OSError, msgspec.MsgspecError) as error:
        raise StoreError(f"{kept} cannot be read: {error}") from None
