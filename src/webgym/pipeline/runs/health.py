"""The book of health of a run, if it has one."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from webgym.pipeline.runs.config import TasksConfig
from webgym.rollout.pool import Roll
from webgym.store.write import RunWriter

if TYPE_CHECKING:
    from webgym.pipeline.tasks.health_recorder import HealthRecorder


@asynccontextmanager
async def open_health(
    config: TasksConfig, run: Path | None, say: Callable[[str], None], *, draws_on: bool = False
) -> AsyncGenerator[HealthRecorder | None]:
    """Kept while the block lasts; None if no book is named.

    Args:
        config: Names it.
        run: Folder of a run that may have ended attempts before a restart.
        say: Told what people should know.
        draws_on: Whether tasks are drawn while the run goes on.

    Raises:
        TaskSetError: What is named is no book.
    """
    if not config.health:
        yield None
        return
    # Loaded here, because only runs on task sets have one.
    from webgym.pipeline.tasks.health_recorder import open_health_recorder  # noqa: PLC0415

    reviews = draws_on and config.quarantine
    async with open_health_recorder(Path(config.health), run, reviews=reviews, say=say) as health_recorder:
        yield health_recorder


def noted(roll: Roll, health_recorder: HealthRecorder | None, writer: RunWriter) -> Roll:
    """Likewise, and every ending is written into the book."""
    return roll if health_recorder is None else health_recorder.noting(roll, writer.meta)
