"""Start or resume a training run: open what it needs, then go around the loop."""

from __future__ import annotations

from contextlib import AbstractAsyncContextManager
from functools import partial
from pathlib import Path

import anyio.to_thread
import msgspec

from webgym.curves.file import read
from webgym.run.about import keep_end
from webgym.run.asynchronous import asynchronous
from webgym.run.devices import with_devices
from webgym.run.engine import engine_settings
from webgym.run.evaluations.pinned_sampler import check_evaluations
from webgym.run.evaluations.setup import evaluation_sessions
from webgym.run.figures import trained_seconds
from webgym.run.folders import Folders
from webgym.run.interrupt import interruptible
from webgym.run.loop import Loop, LoopParts
from webgym.run.open_training import Needs, open_training
from webgym.run.progress import ProgressListener
from webgym.run.run_length import RunLength, run_length
from webgym.run.schedule import Schedule
from webgym.run.synchronous import synchronous
from webgym.run.train_config import TrainConfig
from webgym.run.training_resources import TrainingResources
from webgym.run.watch import Watch
from webgym.store.meta import RunMeta

_STOPPING = "stopping; finished work is kept"


async def train(
    config: TrainConfig,
    folder: Path,
    meta: RunMeta | None,
    progress: ProgressListener,
    until: int,
    length: RunLength | None = None,
) -> bool:
    """Run the remaining iterations up to `until`; return whether a signal stopped the run, at once.

    Without `meta` the run must exist already. `length` may end it earlier. Unfinished work is repeated on resume.
    """
    async with interruptible(progress.on_message, _STOPPING) as interrupt:
        await _train(config, folder, meta, progress, until, length)
    return interrupt.asked


async def _train(
    config: TrainConfig,
    folder: Path,
    meta: RunMeta | None,
    progress: ProgressListener,
    until: int,
    length: RunLength | None,
) -> None:
    folders = Folders(folder)
    iterations = read(folders.curve)
    length = length or run_length(config.iterations, config.minutes, trained_seconds(iterations))
    is_left = max((one.iteration for one in iterations), default=0) < min(until, config.iterations)
    config = await anyio.to_thread.run_sync(partial(with_devices, config, trains=is_left))
    flow = config.train.flow
    watch = Watch(progress.on_message, flow.stuck_seconds, flow.give_up_seconds)
    if config.train.mode == "async" and not config.evaluate.later:
        await check_evaluations(config)
    schedule = Schedule(config.iterations, config.evaluate.every, config.train.keep, length, config.evaluate.later)
    needs = needs_of(config, watch, is_left=is_left)
    async with (
        open_training(config, folders, meta, progress, iterations, needs, length.planned) as run,
        _parts(run, schedule, watch) as parts,
    ):
        await Loop(parts, run.policy).run(until)
        keep_end(run.folders, whole=until >= config.iterations)


def needs_of(config: TrainConfig, watch: Watch, *, is_left: bool = True) -> Needs:
    """Return what the mode needs; sessions of evaluations beside training are added to those of training."""
    engine, sessions = engine_settings(config.policy), config.browser.sessions
    if config.train.mode == "sync":
        return Needs(engine, sessions, is_left=is_left, early=not is_left)
    engine = msgspec.structs.replace(engine, in_flight=config.train.flow.in_flight)
    return Needs(engine, sessions + evaluation_sessions(config), (watch.happened,), is_left=is_left, early=True)


def _parts(run: TrainingResources, schedule: Schedule, watch: Watch) -> AbstractAsyncContextManager[LoopParts]:
    match run.config.train.mode:
        case "sync":
            return synchronous(run, schedule)
        case "async":
            return asynchronous(run, schedule, watch)
