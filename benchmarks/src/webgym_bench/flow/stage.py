"""The setup both training modes share: the same processes, slots and meters."""

from __future__ import annotations

import time
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

import msgspec

from webgym.engine.policy import EnginePolicy
from webgym.engine.process import EngineProcess, open_engine
from webgym.engine.settings import EngineSettings
from webgym.records.curve import Iteration
from webgym.records.event import Event
from webgym.records.sample import PolicyVersion, TrainingResult
from webgym.records.task import FactGroup, Task
from webgym.records.trajectory import Attempt, Ending
from webgym.rollout.gates import GateLimits, Gates
from webgym.rollout.limits import Limits
from webgym.rollout.play import Tools
from webgym.rollout.pool import Roll
from webgym.rollout.roll import roll
from webgym.run.folders import Folders
from webgym.run.meter import Meter
from webgym.run.progress import NoProgress
from webgym.run.watched_stages import MeteredPolicy, metered
from webgym.stages import Policy, Trainer
from webgym.store.meta import RunMeta
from webgym.store.read import Run, open_run
from webgym.store.write import RunWriter, open_writer
from webgym.train.messages import TrainerStart
from webgym.train.process import open_trainer_process
from webgym.train.recipe import GroupSource, Recipe, recipe_named
from webgym_bench.flow.checkpoint import pace_of, write
from webgym_bench.flow.conditions import Conditions
from webgym_bench.flow.engine import STATISTICS, Statistics
from webgym_bench.flow.episodes import FlowEpisodes
from webgym_bench.lockstep import LockstepGates
from webgym_bench.rollouts.simulated import SimulatedBrowser
from webgym_bench.rollouts.work import Work

_ENGINE = "webgym_bench.flow.engine"
_TRAINER = "webgym_bench.flow.trainer"
_RECIPE = "asyncwebrl-grpo"


class Nobody:
    """Discards events."""

    def emit(self, event: Event) -> None:
        """Discard the event."""


@dataclass(frozen=True, slots=True)
class MeteredTrainer:
    """A trainer that meters whether it is training."""

    inner: Trainer
    meter: Meter

    async def step(self, batch: Path, version: int, folder: Path) -> TrainingResult:
        with self.meter.one():
            return await self.inner.step(batch, version, folder)


@dataclass(slots=True)
class Log(NoProgress):
    """Records the time of every update, and the idle share of every resource after the warm-up."""

    browser: Meter
    inference: Meter
    trainer: Meter
    warmup: int
    told: Callable[[int], None]
    iterations: list[tuple[float, Iteration]] = field(default_factory=list[tuple[float, Iteration]])
    idle: dict[str, float] = field(default_factory=dict[str, float])

    def begin(self) -> None:
        """Record when the first update begins, as an update of its own: nothing is warmed up before it is timed."""
        self.on_iteration(Iteration(0, 0, time.time(), None, None, None, {}, 0.0, 0.0))

    def on_iteration(self, iteration: Iteration) -> None:
        """Record a finished update."""
        self.iterations.append((time.monotonic(), iteration))
        laps = {"browser": self.browser.lap(), "inference": self.inference.lap(), "trainer": self.trainer.lap()}
        self.idle = self._joined(laps) if iteration.iteration > self.warmup else {}
        self.told(iteration.iteration)

    def _joined(self, laps: dict[str, float]) -> dict[str, float]:
        """Return the idle shares over all timed updates so far, weighted by duration."""
        times = [at for at, one in self.iterations if one.iteration >= self.warmup]
        last, whole = times[-1] - times[-2], times[-1] - times[0]
        return {
            name: (self.idle.get(name, 0.0) * (whole - last) + share * last) / whole for name, share in laps.items()
        }


@dataclass(frozen=True, slots=True)
class FlowStage:
    """Everything a training loop needs, started."""

    conditions: Conditions
    folders: Folders
    recipe: Recipe
    source: GroupSource
    tasks: tuple[Task, ...]
    first: PolicyVersion
    writer: RunWriter
    store: Run
    engine: EngineProcess
    trainer: Trainer
    roll: Roll
    log: Log

    async def statistics(self) -> Statistics:
        """Return the counters of the inference process so far."""
        await self.engine.state()
        path = Path(self.first.path).parent / STATISTICS
        return msgspec.json.decode(path.read_bytes(), type=Statistics)


@asynccontextmanager
async def open_stage(
    conditions: Conditions, folder: Path, warmup: int, told: Callable[[int], None], *, lockstep: bool = False
) -> AsyncGenerator[FlowStage]:
    """Start the inference and trainer processes. Rollouts run in this process."""
    folders = Folders(folder)
    first = PolicyVersion(0, str(folders.policy(0)))
    write(folders.policy(0), pace_of(conditions))
    source = GroupSource(groups=conditions.groups, members=conditions.members, max_lag=conditions.max_lag)
    recipe = recipe_named(_RECIPE).model_copy(update={"source": source})
    start = TrainerStart(
        model=first.path, recipe="", settings="", run=str(folder), checkpoints=str(folders.checkpoints)
    )
    log = Log(Meter(conditions.browsers), Meter(conditions.inference), Meter(), warmup, told)
    settings = EngineSettings(slots=conditions.inference)
    meta = RunMeta(folder.name, time.time(), "webgym bench flow", kind="train")
    async with open_writer(folder, meta) as writer:
        with open_run(folder) as store:
            async with (
                open_engine(first, settings, _ENGINE) as engine,
                open_trainer_process(start, module=_TRAINER) as trainer,
            ):
                await trainer.ready()
                policy = MeteredPolicy(EnginePolicy(engine, seed=0), log.inference)
                yield FlowStage(
                    conditions=conditions,
                    folders=folders,
                    recipe=recipe,
                    source=source,
                    tasks=_tasks(conditions),
                    first=first,
                    writer=writer,
                    store=store,
                    engine=engine,
                    trainer=MeteredTrainer(trainer, log.trainer),
                    roll=_roll(conditions, policy, writer, log.browser, lockstep=lockstep),
                    log=log,
                )


def _roll(conditions: Conditions, policy: Policy, writer: RunWriter, meter: Meter, *, lockstep: bool) -> Roll:
    work = Work(conditions.real())
    steps = conditions.latencies.longest
    room = conditions.browsers, conditions.browsers
    # Neither mode should wait at a gate: the comparison is about when attempts start and what they wait for.
    wide = GateLimits.model_validate(dict.fromkeys(GateLimits.model_fields, room))
    gates = (LockstepGates if lockstep else Gates)(Nobody(), wide)
    tools = Tools(SimulatedBrowser(work), gates, writer, Nobody(), Limits(easy=steps, medium=steps, hard=steps))
    episodes = FlowEpisodes(conditions, work, policy)

    async def one(attempt: Attempt) -> Ending:
        return await roll(attempt, episodes, tools)

    return metered(one, meter)


def _tasks(conditions: Conditions) -> tuple[Task, ...]:
    """Return as many tasks as an update has groups. They are interchangeable."""
    rubric = (FactGroup(1, "The last page was reached", ("It was the last page.",)),)
    return tuple(
        Task(f"bench-{number}", "Follow the link to the last page.", "http://bench.localhost/", rubric)
        for number in range(conditions.groups)
    )
