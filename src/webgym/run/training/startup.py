"""Start everything that a training run needs, whether synchronous or asynchronous."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Awaitable, Callable, Generator, Sequence
from contextlib import AsyncExitStack, ExitStack, asynccontextmanager, closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

import anyio.lowlevel
import anyio.to_thread

from webgym.curves.about import RunFacts
from webgym.curves.file import append
from webgym.curves.serve import serve_curves
from webgym.curves.tracker import Tracker
from webgym.engine.settings import EngineSettings
from webgym.errors import ConfigError
from webgym.monitor.board import Board
from webgym.monitor.serve import serve_monitor
from webgym.monitor.wire import BoardFacts as Watched
from webgym.records.curve import Iteration
from webgym.records.event import Event
from webgym.records.sample import PolicyVersion
from webgym.records.task import Task
from webgym.rollout.pool import FinishedGroup
from webgym.run.attempt_resources import AttemptResources, attempt_resources, common_spec, environment_of
from webgym.run.checks import check_cast, check_support
from webgym.run.health import open_health
from webgym.run.import_path import made, named
from webgym.run.judges import JudgesFor, open_judges
from webgym.run.kept_tasks import TASKS_FILE, TESTS_FILE, drawn_once, keep_drawn
from webgym.run.malformed_replies import MalformedReplies
from webgym.run.monitor_token import monitor_token
from webgym.run.servers import LOGS
from webgym.run.start_pages import check_start_pages
from webgym.run.training.about import forget_end, keep_planned
from webgym.run.training.algorithms import check_algorithms, modules_of
from webgym.run.training.config import TrainConfig
from webgym.run.training.expected import expected_of, needs_told, rehearsal_told
from webgym.run.training.folders import Folders
from webgym.run.training.gauges import training_gauges
from webgym.run.training.models import check_model, model_folder
from webgym.run.training.pool_filter import Sift, everything, present
from webgym.run.training.sampler import Sampler, open_sampler
from webgym.run.training.shown import Shown
from webgym.run.training.trackers import trackers_of
from webgym.run.training.train_test_overlap import check_tasks
from webgym.run.training.wiring import Wiring, roomy
from webgym.stages import Trainer
from webgym.store.meta import RunMeta
from webgym.store.packs import PACK_FOLDER
from webgym.store.read import Run, open_run
from webgym.store.write import RunWriter, open_writer
from webgym.telemetry.events import EventBus
from webgym.train.messages import TrainerStart
from webgym.train.process import open_trainer_process
from webgym.train.settings import TrainerSettings

if TYPE_CHECKING:
    from webgym.run.task_sets.health_recorder import HealthRecorder


class Audience(Protocol):
    """Receives the progress of a training run."""

    def say(self, line: str) -> None:
        """Report a message for the user."""
        ...

    def happened(self, event: Event) -> None:
        """Receive any event of the run."""
        ...

    def evaluating(self, iteration: int, planned: int, finished: FinishedGroup | None) -> None:
        """Report that an evaluation started (`finished` is None), or that a group of its attempts finished."""
        ...

    def trained(self, iteration: Iteration) -> None:
        """Report an iteration that is finished except for its evaluation, which follows; `ended` then has both."""
        ...

    def ended(self, iteration: Iteration) -> None:
        """Report a finished iteration."""
        ...


class Silent:
    """An audience that ignores everything."""

    def say(self, line: str) -> None:
        """Do nothing."""

    def happened(self, event: Event) -> None:
        """Do nothing."""

    def evaluating(self, iteration: int, planned: int, finished: FinishedGroup | None) -> None:
        """Do nothing."""

    def trained(self, iteration: Iteration) -> None:
        """Do nothing."""

    def ended(self, iteration: Iteration) -> None:
        """Do nothing."""


Prepare = Callable[[], Awaitable[None]]
"""Waits until the trainer has loaded its model; raises if it cannot."""


@dataclass(frozen=True, slots=True)
class Needs:
    """What differs between synchronous and asynchronous training at startup."""

    engine: EngineSettings
    sessions: int
    """Browser sessions open at once, including those of evaluations."""
    sinks: tuple[Callable[[Event], None], ...] = ()
    """Additional receivers of events."""
    early: bool = False
    """Whether to open without a ready trainer; whoever needs it awaits `Opened.prepare`."""


@dataclass(frozen=True, slots=True)
class Opened:
    """A training run that is ready to start or resume."""

    config: TrainConfig
    folders: Folders
    tasks: Sequence[Task]
    tests: Sequence[Task]
    iterations: list[Iteration]
    """Finished iterations; `tell` appends to them."""
    writer: RunWriter
    store: Run
    model: Path
    """Folder of the initial model."""
    trainer: Trainer
    prepare: Prepare
    """Waits until the trainer is ready."""
    policy: PolicyVersion
    """Weights that the next iteration samples from."""
    sampler: Sampler
    shown: Shown
    resources: AttemptResources
    judges: JudgesFor
    health_recorder: HealthRecorder | None
    """Writes the health database of the training tasks."""
    test_health_recorder: HealthRecorder | None
    """Writes the health database of the evaluation tasks."""
    events: EventBus
    trackers: Sequence[Tracker]
    audience: Audience

    @property
    def wiring(self) -> Wiring:
        """What attempts are made with."""
        return Wiring(
            self.config, self.resources, self.events, self.judges, self.health_recorder, self.test_health_recorder
        )

    def sift(self) -> Sift:
        """Return a filter that skips groups whose task is quarantined in the health database. Blocks."""
        health_recorder = self.health_recorder
        if health_recorder is None or not self.config.tasks.quarantine:
            return everything
        begun = {row.group for row in self.store.rows()}
        return lambda groups: present(groups, self.tasks, health_recorder.is_away, begun=begun, say=self.audience.say)

    def tell(self, iteration: Iteration) -> None:
        """Record a finished iteration and report it."""
        append(self.folders.curve, iteration)
        self.iterations.append(iteration)
        for tracker in self.trackers:
            tracker.write(iteration)
        self.audience.ended(iteration)


@asynccontextmanager
async def opened(
    config: TrainConfig,
    folders: Folders,
    meta: RunMeta | None,
    audience: Audience,
    iterations: list[Iteration],
    needs: Needs,
    planned: int | None,
) -> AsyncGenerator[Opened]:
    """Start everything, beginning with what is most likely to fail.

    `planned` is the number of iterations that the run has in all; None if that is decided on the way.
    """
    environment = environment_of(config)
    tasks = drawn_once(config.tasks, config.seed, folders.run / TASKS_FILE, audience.say, environment)
    tests = drawn_once(config.evaluate.tasks, config.seed, folders.run / TESTS_FILE, audience.say, environment)
    check_tasks(tasks, tests)
    common_spec(config.browser)  # fail on missing files and variables before the run is created
    await anyio.to_thread.run_sync(check_algorithms, config.train.whole())
    await check_start_pages(config.browser, environment, [*tasks, *tests])
    check_support(config, environment, [*tasks, *tests])
    if meta is not None:
        await _check_names(config)
    async with AsyncExitStack() as stack:
        writer = await stack.enter_async_context(
            open_writer(folders.run, meta, image_budget_bytes=config.store.image_budget_bytes)
        )
        if writer.lost_pictures:
            audience.say(
                f"{writer.lost_pictures} pictures of this run are gone: {folders.run / PACK_FOLDER} is damaged"
            )
        forget_end(folders)
        keep_planned(folders, planned)
        keep_drawn(folders.run / TASKS_FILE, config.tasks, tasks)
        keep_drawn(folders.run / TESTS_FILE, config.evaluate.tasks, tests)
        health_recorder = await stack.enter_async_context(
            open_health(config.tasks, folders.run, audience.say, draws_on=True)
        )
        test_health_recorder = await stack.enter_async_context(open_health(config.evaluate.tasks, None, audience.say))
        store = stack.enter_context(open_run(folders.run))
        model = await anyio.to_thread.run_sync(model_folder, config, folders)
        starting = _trainer(config, model, folders, audience, tasks, timed=planned is not None)
        trainer, prepare = await stack.enter_async_context(starting)
        if not needs.early:
            await prepare()
        policy = _policy(iterations, model, folders)
        sampler = await stack.enter_async_context(
            open_sampler(config.policy, policy, folders.run / LOGS, audience.say, needs.engine)
        )
        board, shown = Board(), stack.enter_context(closing(Shown(writer)))
        about = RunFacts(run=writer.meta.name, planned=planned, facts=_facts(config))
        for line in await _pages(stack, config, board, shown, iterations, about):
            audience.say(line)
        judges = await stack.enter_async_context(open_judges(config, folders.run))
        sized = _sized(roomy(config), needs.sessions)
        resources = await stack.enter_async_context(attempt_resources(sized, [*tasks, *tests], environment))
        trackers = stack.enter_context(_closing(trackers_of(config, about, folders)))
        yield Opened(
            config=config,
            folders=folders,
            tasks=tasks,
            tests=tests,
            iterations=iterations,
            writer=writer,
            store=store,
            model=model,
            trainer=trainer,
            prepare=prepare,
            policy=policy,
            sampler=sampler,
            shown=shown,
            resources=resources,
            judges=judges,
            health_recorder=health_recorder,
            test_health_recorder=test_health_recorder,
            events=events_for(board, audience, needs),
            trackers=trackers,
            audience=audience,
        )


def events_for(board: Board, audience: Audience, needs: Needs) -> EventBus:
    """Return the bus on which everything that happens is told to whoever watches."""
    return EventBus(board.apply, audience.happened, MalformedReplies(audience.say), *needs.sinks)


async def _check_names(config: TrainConfig) -> None:
    """Check the names in the configuration before the run is created."""
    if config.train.use != "reference":
        named(config.train.use, "train.use")
    else:
        await anyio.to_thread.run_sync(_check_devices, config.trainer)
    check_cast(config)
    await anyio.to_thread.run_sync(check_model, config)


def _check_devices(settings: TrainerSettings) -> None:
    from webgym.train.device import check_devices  # noqa: PLC0415  slow to import

    check_devices(settings)


def _sized(config: TrainConfig, sessions: int) -> TrainConfig:
    return config.model_copy(update={"browser": config.browser.model_copy(update={"sessions": sessions})})


@asynccontextmanager
async def _trainer(
    config: TrainConfig, model: Path, folders: Folders, audience: Audience, tasks: Sequence[Task], *, timed: bool
) -> AsyncGenerator[tuple[Trainer, Prepare]]:
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
            audience.say(needs_told(await trainer.ready(), config.trainer.processes, timed=timed))
            if rehearsal := rehearsal_told(config.trainer):
                audience.say(rehearsal)

        yield trainer, prepare


def _deferred(config: TrainConfig) -> int:
    """Return the number of evaluations after updates that are made later: their weights are kept until then."""
    every = config.evaluate.every
    return (config.iterations // every if every else 1) if config.evaluate.later else 0


def _policy(iterations: Sequence[Iteration], model: Path, folders: Folders) -> PolicyVersion:
    """Return the weights that the next iteration samples from.

    Raises:
        ConfigError: They no longer exist.
    """
    version = iterations[-1].version if iterations else 0
    path = folders.policy(version) if version else model
    if not (path / "config.json").is_file():
        raise ConfigError(f"{path} is missing: the run cannot be resumed without the weights of version {version}")
    return PolicyVersion(version, str(path.resolve()))


async def _pages(
    stack: AsyncExitStack, config: TrainConfig, board: Board, shown: Shown, iterations: list[Iteration], about: RunFacts
) -> list[str]:
    """Serve the monitor and the curves; return lines that say where."""
    lines: list[str] = []
    if config.monitor.serve:
        training_gauges(board.metrics, lambda: iterations)
        serving = serve_monitor(
            board,
            screenshot=shown.blob,
            steps=shown.steps,
            about=Watched(run=about.run),
            folder=shown.training.path,
            port=config.monitor.port,
            token=monitor_token(config.monitor),
        )
        lines += (await stack.enter_async_context(serving)).lines()
    if config.curves.serve:
        curves = serve_curves(lambda: iterations, about=about, port=config.curves.port, option="curves.port")
        lines += (await stack.enter_async_context(curves)).lines()
    return lines


def _facts(config: TrainConfig) -> dict[str, str]:
    facts = {"model": config.policy.model, "recipe": config.train.recipe}
    return facts if config.control == "none" else {**facts, "control": config.control}


@contextmanager
def _closing(trackers: Sequence[Tracker]) -> Generator[Sequence[Tracker]]:
    with ExitStack() as stack:
        for tracker in trackers:
            stack.callback(tracker.close)
        yield trackers
