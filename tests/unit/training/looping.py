"""The loop with stages that learn nothing."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

import msgspec
from tests.unit.buffer.making import MAKER, attempt

from webgym.buffer.batches import Weighing, batch_of
from webgym.buffer.groups import Group, score_group
from webgym.curves.tracker import Tracker
from webgym.records.curve import Iteration
from webgym.records.sample import PolicyVersion, TrainingResult
from webgym.records.trajectory import Failure, Success
from webgym.run.batches import BuiltBatch, lags_of
from webgym.run.curve_log import CurveLog
from webgym.run.evaluations.evaluations import EvaluationsInTurn
from webgym.run.figures import tried
from webgym.run.folders import Folders
from webgym.run.loop import Loop, LoopParts
from webgym.run.progress import NoProgress
from webgym.run.schedule import Schedule
from webgym.run.sources.batch_source import Harvest
from webgym.store.rows import Row
from webgym.train.batch_file import write_batch


class Everyone:
    """Source, trainer and sampler: harvests the same batch again and again, and learns nothing from it."""

    rolls_on = False
    folders: Folders
    """Set by `went_around`."""

    @asynccontextmanager
    async def rolling(self, first: int) -> AsyncGenerator[None]:
        del first
        yield

    async def take(self, iteration: int, version: int) -> Harvest:
        del version
        return Harvest(iteration, fates={"kept": 1})

    def batch(self, harvest: Harvest, version: int, done: float) -> BuiltBatch:
        number = harvest.iteration
        members = tuple(attempt(f"{number}/{n}", (Success(), Failure())[n], version=version) for n in range(2))
        batch = batch_of([score_group(Group("g", members), "grpo")], MAKER, Weighing(), version)
        write_batch(self.folders.batch(version), msgspec.structs.replace(batch, done=done))
        return BuiltBatch(self.folders.batch(version), lags_of(batch), number - 1)

    def moved(self, version: int) -> None:
        del version

    def rows(self, harvest: Harvest) -> Sequence[Row]:
        del harvest
        return []

    def flow(self, *_: object) -> None:
        return None

    def noted(self, harvest: Harvest) -> None:
        del harvest

    async def step(self, batch: Path, version: int, folder: Path) -> TrainingResult:
        del batch
        return TrainingResult(PolicyVersion(version + 1, str(folder)), 4, 40, 1, 1e-5, 0.1, {"loss": 0.1})

    async def rest(self) -> None:
        pass

    async def publish(self, policy: PolicyVersion) -> None:
        pass

    async def evaluate(self, iteration: int, policy: PolicyVersion) -> Sequence[Row]:
        del iteration, policy
        return ()


def progress_of(
    ended: Callable[[Iteration], None], trained: Callable[[Iteration], None] = lambda _: None
) -> NoProgress:
    """A listener that hears of iterations."""

    class Listening(NoProgress):
        def on_iteration(self, iteration: Iteration) -> None:
            ended(iteration)

        def on_update(self, iteration: Iteration) -> None:
            trained(iteration)

    return Listening()


async def went_around(
    who: Everyone,
    folder: Path,
    schedule: Schedule,
    *,
    until: int = 0,
    curve: list[Iteration] | None = None,
    progress: NoProgress | None = None,
    trackers: Sequence[Tracker] = (),
) -> list[Iteration]:
    """The curve after training in turn; it goes on with `curve`."""
    who.folders = Folders(folder)
    listener = progress or NoProgress()
    log = CurveLog(who.folders.curve, [] if curve is None else curve, trackers, listener)
    model = folder / "model"
    newest = log.iterations[-1].version if log.iterations else 0
    policy = PolicyVersion(newest, str((who.folders.policy(newest) if newest else model).resolve()))

    def told(iteration: int, evaluated: PolicyVersion, rows: Sequence[Row], seconds: float) -> None:
        listener.on_iteration(log.enter(iteration, evaluated, tried(rows), seconds))

    parts = LoopParts(
        source=who,
        trainer=who,
        weights=who,
        evaluations=EvaluationsInTurn(who.evaluate, told, who),
        curve=log,
        schedule=schedule,
        folders=who.folders,
        model=model,
    )
    await Loop(parts, policy).run(until or schedule.iterations)
    return log.iterations
