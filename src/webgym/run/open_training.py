"""Start everything that a training run needs, whether synchronous or asynchronous."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass

import anyio.to_thread

from webgym.engine.settings import EngineSettings
from webgym.monitor.board import Board
from webgym.records.curve import Iteration
from webgym.records.event import Event
from webgym.run.about import forget_end, keep_planned
from webgym.run.folders import Folders
from webgym.run.initial_model import model_folder, sampled_weights
from webgym.run.malformed_replies import MalformedReplies
from webgym.run.progress import ProgressListener
from webgym.run.resources import open_resources
from webgym.run.train_config import TrainConfig
from webgym.run.trainer import open_trainer
from webgym.run.training_attempts import TrainingAttempts, roomy
from webgym.run.training_pages import open_pages
from webgym.run.training_resources import TrainingResources
from webgym.run.training_tasks import drawn_for_training
from webgym.store.meta import RunMeta
from webgym.store.read import open_run
from webgym.telemetry.events import EventBus


@dataclass(frozen=True, slots=True)
class Needs:
    """What differs between synchronous and asynchronous training at startup."""

    engine: EngineSettings
    sessions: int
    """Browser sessions open at once, including those of evaluations."""
    sinks: tuple[Callable[[Event], None], ...] = ()
    """Additional receivers of events."""
    is_left: bool = True
    """Whether iterations are left to run now."""
    early: bool = False
    """Whether to open without a ready trainer; whoever needs it awaits `TrainingResources.prepare`."""


@asynccontextmanager
async def open_training(
    config: TrainConfig,
    folders: Folders,
    meta: RunMeta | None,
    progress: ProgressListener,
    iterations: list[Iteration],
    needs: Needs,
    planned: int | None,
) -> AsyncGenerator[TrainingResources]:
    """Start everything, beginning with what is most likely to fail.

    `planned` is the number of iterations that the run has in all; None if that is decided on the way.
    """
    drawn = await drawn_for_training(config, folders, progress, is_new=meta is not None)
    async with open_resources(config, folders.run, progress) as resources:
        writer, stack = await resources.writer(meta), resources.stack
        forget_end(folders)
        keep_planned(folders, planned)
        drawn.keep(config, folders)
        health_recorder = await resources.health(config.tasks, draws_on=True)
        test_health_recorder = await resources.health(config.evaluate.tasks, resumed=False)
        store = stack.enter_context(open_run(folders.run))
        model = await anyio.to_thread.run_sync(model_folder, config, folders)
        starting = open_trainer(config, model, folders, progress.on_message, drawn.tasks, timed=planned is not None)
        trainer, prepare = await stack.enter_async_context(starting)
        if not needs.early:
            await prepare()
        policy = sampled_weights(iterations, model, folders)
        sampler = await resources.sampler(policy, needs.engine)
        pages = await open_pages(resources, config, writer, iterations, planned)
        events = events_for(pages.board, progress, needs)
        judges = await resources.judges()
        sized = _sized(roomy(config), needs.sessions)
        attempts = await resources.attempts([*drawn.tasks, *drawn.tests], drawn.environment, sized)
        yield TrainingResources(
            config=config,
            folders=folders,
            tasks=drawn.tasks,
            tests=drawn.tests,
            curve=pages.curve,
            writer=writer,
            store=store,
            model=model,
            trainer=trainer,
            prepare=prepare,
            policy=policy,
            sampler=sampler,
            shown=pages.shown,
            attempts=TrainingAttempts(config, attempts, events, judges, health_recorder, test_health_recorder),
            health_recorder=health_recorder,
            events=events,
            is_left=needs.is_left,
            progress=progress,
        )


def events_for(board: Board, progress: ProgressListener, needs: Needs) -> EventBus:
    """Return the bus on which everything that happens is told to whoever watches."""
    return EventBus(board.apply, progress.on_event, MalformedReplies(progress.on_message), *needs.sinks)


def _sized(config: TrainConfig, sessions: int) -> TrainConfig:
    return config.model_copy(update={"browser": config.browser.model_copy(update={"sessions": sessions})})
