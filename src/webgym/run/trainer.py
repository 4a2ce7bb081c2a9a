"""Open the trainer that a configuration names."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

import anyio.lowlevel
import anyio.to_thread

from webgym.records.task import Task
from webgym.run.algorithms import modules_of
from webgym.run.expected import expected_of, needs_told, rehearsal_told
from webgym.run.folders import Folders
from webgym.run.import_path import made, named
from webgym.run.train_config import TrainConfig
from webgym.stages import Trainer
from webgym.train.messages import TrainerStart
from webgym.train.process import open_trainer_process
from webgym.train.settings import TrainerSettings

Prepare = Callable[[], Awaitable[None]]
"""Waits until the trainer has loaded its model; raises if it cannot."""


async def check_trainer(config: TrainConfig) -> None:
    """Check that the trainer exists, or has the devices that it needs."""
    if config.train.use != "reference":
        named(config.train.use, "train.use")
    else:
        await anyio.to_thread.run_sync(_check_devices, config.trainer)


def _check_devices(settings: TrainerSettings) -> None:
    from webgym.train.device import check_devices  # noqa: PLC0415  slow to import

    check_devices(settings)


@asynccontextmanager
async def open_trainer(
    config: TrainConfig,
    model: Path,
    folders: Folders,
    say: Callable[[str], None],
    tasks: Sequence[Task],
    *,
    timed: bool,
) -> AsyncGenerator[tuple[Trainer, Prepare]]:
    """Start the trainer, which loads meanwhile. `timed`: whether the length of the run is known."""
    if config.train.use != "reference":
        yield made(config.train.use, "train.use", Trainer, config, folders.run), anyio.lowlevel.checkpoint
        return
    start = TrainerStart(
        model=str(model),
        recipe=config.train.whole().model_dump_json(),
        settings=config.trainer.model_dump_json(),
        run=str(folders.run),
        checkpoints=str(folders.checkpoints),
        keep=config.train.keep,
        deferred=_deferred(config),
        expected=expected_of(config, tasks),
        modules=modules_of(config.train.whole()),
    )
    async with open_trainer_process(start, step_seconds=config.trainer.step_seconds) as trainer:

        async def prepare() -> None:
            say(needs_told(await trainer.ready(), config.trainer.processes, timed=timed))
            if rehearsal := rehearsal_told(config.trainer):
                say(rehearsal)

        yield trainer, prepare


def _deferred(config: TrainConfig) -> int:
    """Return the number of evaluations after updates that are made later: their weights are kept until then."""
    every = config.evaluate.every
    return (config.iterations // every if every else 1) if config.evaluate.later else 0
