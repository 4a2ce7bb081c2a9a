"""The health database of a run, if it has one."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from webgym.rollout.pool import Roll
from webgym.run.config import TasksConfig
from webgym.store.write import RunWriter

if TYPE_CHECKING:
    from webgym.run.task_sets.health_recorder import HealthRecorder


@asynccontextmanager
async def open_health(
    config: TasksConfig, run: Path | None, say: Callable[[str], None], *, draws_on: bool = False
) -> AsyncGenerator[HealthRecorder | None]:
    """Open the recorder of the health database; None if none is configured.

    Args:
        config: Names the database.
        run: Folder of a resumed run, whose finished attempts are recorded if they are missing.
        say: Receives messages for the user.
        draws_on: Whether the run keeps sampling tasks, so that quarantine must be kept up to date.

    Raises:
        TaskSetError: The file is no health database.
    """
    if not config.health:
        yield None
        return
    # Imported here, as only runs on task sets have one.
    from webgym.run.task_sets.health_recorder import open_health_recorder  # noqa: PLC0415

    reviews = draws_on and config.quarantine
    async with open_health_recorder(Path(config.health), run, reviews=reviews, say=say) as health_recorder:
        yield health_recorder


def noted(roll: Roll, health_recorder: HealthRecorder | None, writer: RunWriter) -> Roll:
    """Wrap `roll` to record every ending in the health database."""
    return roll if health_recorder is None else health_recorder.noting(roll, writer.meta)
