"""A training run from its configuration: everything started, wired and watched; or taken up where it was left."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable, Generator, Sequence
from contextlib import AsyncExitStack, ExitStack, asynccontextmanager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import anyio.to_thread

from webgym.curves.about import About
from webgym.curves.file import append, read
from webgym.curves.scribe import Scribe
from webgym.curves.serve import serve_curves
from webgym.engine.process import EngineProcess, open_engine
from webgym.errors import ConfigError
from webgym.monitor.board import Board
from webgym.monitor.serve import serve_monitor
from webgym.monitor.wire import About as Watched
from webgym.pipeline.runs.casting import casting_of
from webgym.pipeline.runs.engine import engine_settings, sampler
from webgym.pipeline.runs.ground import RunGround, ground_for
from webgym.pipeline.runs.named import made
from webgym.pipeline.runs.scenes import Casting
from webgym.pipeline.runs.tasks import tasks_for
from webgym.pipeline.runs.wiring import wired
from webgym.pipeline.train.batches import vocabulary_of
from webgym.pipeline.train.collect import Rollouts
from webgym.pipeline.train.config import TrainConfig
from webgym.pipeline.train.controls import Blindfolded, swapped_instructions
from webgym.pipeline.train.evaluate import Evaluator
from webgym.pipeline.train.folders import Folders
from webgym.pipeline.train.harvest import Harvester
from webgym.pipeline.train.loop import Loop, Plan, Stages
from webgym.pipeline.train.models import model_folder
from webgym.pipeline.train.pace import Pace, Planned
from webgym.pipeline.train.scribes import scribes_of
from webgym.pipeline.train.unseen import check_tasks
from webgym.pipeline.train.weights import EngineWeights
from webgym.records.curve import Iteration
from webgym.records.event import Event
from webgym.records.sample import PolicyVersion
from webgym.records.task import Task
from webgym.records.trajectory import Step
from webgym.rollout.pool import Finished, Roll, open_pool
from webgym.stages import Policy, Recorder, Trainer
from webgym.store.meta import RunMeta
from webgym.store.read import open_run
from webgym.store.write import RunWriter, open_writer
from webgym.telemetry.events import EventBus
from webgym.train.orders import Start
from webgym.train.process import open_trainer_process


class Audience(Protocol):
    """Who is told how training goes."""

    def say(self, line: str) -> None:
        """Something worth reading."""
        ...

    def happened(self, event: Event) -> None:
        """Anything at all."""
        ...

    def evaluating(self, iteration: int, planned: int, finished: Finished | None) -> None:
        """An evaluation begins, or some of its attempts are over."""
        ...

    def ended(self, iteration: Iteration) -> None:
        """One more iteration is over."""
        ...


@dataclass(slots=True)
class Shown:
    """Who writes what the monitor shows: training, or the evaluation that runs now."""

    training: RunWriter
    evaluating: RunWriter | None = None

    def write(self, writer: RunWriter | None) -> None:
        self.evaluating = writer

    def blob(self, address: str) -> bytes | None:
        found = self.evaluating.blob(address) if self.evaluating else None
        return found if found is not None else self.training.blob(address)

    def steps(self, attempt_id: str) -> tuple[Step, ...]:
        found = self.evaluating.steps(attempt_id) if self.evaluating else ()
        return found or self.training.steps(attempt_id)


async def train(
    config: TrainConfig,
    folder: Path,
    meta: RunMeta | None,
    audience: Audience,
    until: int,
    pace: Pace | None = None,
) -> list[Iteration]:
    """Make the iterations of a run up to this one that are not done yet. Without `meta` the run must be there.

    `pace` may end it sooner.
    """
    pace = pace or Planned(config.iterations)
    tasks = tasks_for(config.tasks, config.seed)
    tests = tasks_for(config.evaluate.tasks, config.seed)
    check_tasks(tasks, tests)
    folders = Folders(folder)
    iterations = read(folders.curve)
    async with AsyncExitStack() as stack:
        writer = await stack.enter_async_context(
            open_writer(folder, meta, image_budget_bytes=config.store.image_budget_bytes)
        )
        store = stack.enter_context(open_run(folder))
        model = await anyio.to_thread.run_sync(model_folder, config, folders)
        trainer = await stack.enter_async_context(_trainer(config, model, folders, audience))
        policy = _policy(iterations, model, folders)
        engine = await stack.enter_async_context(open_engine(policy, engine_settings(config.policy)))
        board, shown = Board(), Shown(writer)
        about = About(run=writer.meta.name, planned=config.iterations, facts=_facts(config))
        for line in await _pages(stack, config, board, shown, iterations, about):
            audience.say(line)
        ground = await stack.enter_async_context(ground_for(_roomy(config), [*tasks, *tests]))
        scribes = stack.enter_context(_closing(scribes_of(config, about, folders)))
        events = EventBus(board.apply, audience.happened)
        wiring = Wiring(config, ground, events, engine)
        pool = await stack.enter_async_context(
            open_pool(wiring.training(writer, tasks), events, slots=config.browser.sessions)
        )
        rollouts = Rollouts(pool, tasks, store.trajectory, writer.finished, config.seed)
        stages = Stages(
            Harvester(
                config.train.whole(),
                rollouts,
                vocabulary_of(model),
                shuffles=config.control == "shuffled-rewards",
                size=pace.groups,
            ),
            trainer,
            EngineWeights(engine),
            Evaluator(
                config,
                tests,
                folders,
                writer.meta,
                wiring.evaluation(tests),
                events,
                store,
                shown.write,
                audience.evaluating,
                pace,
            ),
            store,
            folders,
        )

        def told(iteration: Iteration) -> None:
            append(folders.curve, iteration)
            iterations.append(iteration)
            for scribe in scribes:
                scribe.write(iteration)
            audience.ended(iteration)

        plan = Plan(config.iterations, config.evaluate.every, config.train.keep, pace)
        await Loop(stages, plan, policy, told).run(tuple(iterations), until)
    return iterations


@dataclass(frozen=True, slots=True)
class Wiring:
    """Makes attempts of training and of evaluations."""

    config: TrainConfig
    ground: RunGround
    events: EventBus
    engine: EngineProcess

    def training(self, recorder: Recorder, tasks: Sequence[Task]) -> Roll:
        policy = sampler(self.engine, self.config.policy, self.config.policy.temperature, self.config.seed)
        return self._roll(_roomy(self.config), policy, recorder, tasks)

    def evaluation(self, tasks: Sequence[Task]) -> Callable[[Recorder], Roll]:
        config = _roomy(self.config.evaluation())

        def wire(recorder: Recorder) -> Roll:
            policy = sampler(self.engine, config.policy, config.evaluate.temperature, config.seed)
            return self._roll(config, policy, recorder, tasks)

        return wire

    def _roll(self, config: TrainConfig, policy: Policy, recorder: Recorder, tasks: Sequence[Task]) -> Roll:
        casting: Casting = casting_of(config, policy)
        if config.control == "swapped-instructions":
            casting = swapped_instructions(casting, tasks, config.seed)
        blind = Blindfolded(self.ground.browser) if config.control == "blank-screenshots" else None
        return wired(config, self.ground, casting, recorder, self.events, browser=blind)


def _roomy(config: TrainConfig) -> TrainConfig:
    """Websites for training and evaluation alike: one server has them all."""
    most = max(config.tasks.sites_per_family, config.evaluate.tasks.sites_per_family)
    return config.model_copy(update={"tasks": config.tasks.model_copy(update={"sites_per_family": most})})


@asynccontextmanager
async def _trainer(config: TrainConfig, model: Path, folders: Folders, audience: Audience) -> AsyncGenerator[Trainer]:
    if config.train.use != "reference":
        yield made(config.train.use, "train.use", Trainer, config, folders.run)
        return
    start = Start(
        model=str(model),
        recipe=config.train.whole().model_dump_json(),
        settings=config.trainer.model_dump_json(),
        run=str(folders.run),
        checkpoints=str(folders.checkpoints),
        keep=config.train.keep,
    )
    async with open_trainer_process(start) as trainer:
        ready = await trainer.ready()
        audience.say(
            f"{ready.parameters / 1e6:,.1f} million parameters, {ready.learning / 1e6:,.1f} of them learn; about "
            f"{ready.memory_bytes / 1e9:.1f} GB of memory and {ready.disk_bytes / 1e9:.1f} GB of disk to train"
        )
        yield trainer


def _policy(iterations: Sequence[Iteration], model: Path, folders: Folders) -> PolicyVersion:
    """What the next iteration samples from.

    Raises:
        ConfigError: It is gone.
    """
    version = iterations[-1].version if iterations else 0
    path = folders.policy(version) if version else model
    if not (path / "config.json").is_file():
        raise ConfigError(f"{path} is gone: without the weights of version {version} this run cannot go on")
    return PolicyVersion(version, str(path.resolve()))


async def _pages(
    stack: AsyncExitStack, config: TrainConfig, board: Board, shown: Shown, iterations: list[Iteration], about: About
) -> list[str]:
    """Serve monitor and curves; where they are."""
    lines: list[str] = []
    if config.monitor.serve:
        watched = Watched(run=about.run)
        folder, port = shown.training.path, config.monitor.port
        serving = serve_monitor(
            board, screenshot=shown.blob, steps=shown.steps, about=watched, folder=folder, port=port
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
def _closing(scribes: Sequence[Scribe]) -> Generator[Sequence[Scribe]]:
    with ExitStack() as stack:
        for scribe in scribes:
            stack.callback(scribe.close)
        yield scribes
