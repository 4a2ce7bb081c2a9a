"""Synchronous training with fakes: what an iteration tells."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import pytest
from tests.unit.buffer.making import MAKER, attempt

from webgym.buffer.batches import Weighing, batch_of
from webgym.buffer.groups import Group, score_group
from webgym.records.curve import Iteration
from webgym.records.sample import PolicyVersion, TrainingResult
from webgym.records.trajectory import Failure, Success
from webgym.run.training.folders import Folders
from webgym.run.training.iteration_batch import IterationBatch
from webgym.run.training.loop import Loop, Plan, Stages
from webgym.run.training.run_length import Planned
from webgym.train.batch_file import read_batch

pytestmark = pytest.mark.anyio


class Everyone:
    """Harvests the same batch again and again, and learns nothing from it."""

    remembers = 0

    async def make(self, iteration: int, version: int) -> IterationBatch:
        members = tuple(attempt(f"{iteration}/{n}", (Success(), Failure())[n], version=version) for n in range(2))
        batch = batch_of([score_group(Group("g", members), "grpo")], MAKER, Weighing(), version)
        return IterationBatch(batch, {"kept": 1}, lacking=iteration - 1)

    def remember(self, *told: object) -> None:
        del told

    async def step(self, batch, version, folder) -> TrainingResult:
        del batch
        return TrainingResult(PolicyVersion(version + 1, str(folder)), 4, 40, 1, 1e-5, 0.1, {"loss": 0.1})

    async def rest(self) -> None:
        pass

    async def publish(self, policy: PolicyVersion) -> None:
        pass

    async def evaluate(self, iteration: int, policy: PolicyVersion) -> tuple[()]:
        del iteration, policy
        return ()


async def test_every_iteration_tells_how_many_samples_were_left_out_before_it_learned(tmp_path):
    told: list[Iteration] = []
    who = Everyone()
    stages = Stages(who, who, who, who.evaluate, SimpleNamespace(rows=list), Folders(tmp_path))
    await Loop(stages, Plan(2, 0, 9, Planned(2)), PolicyVersion(0, "model"), told.append).run((), 2)
    figures = [one.learned.figures for one in told if one.learned is not None]
    assert figures == [{"loss": 0.1}, {"loss": 0.1, "lacking": 1.0}]


async def test_the_training_of_an_iteration_is_told_before_its_evaluation_begins(tmp_path):
    told: list[str] = []
    who = Everyone()

    async def evaluate(iteration: int, policy: PolicyVersion) -> tuple[()]:
        del policy
        told.append(f"evaluation {iteration}")
        return ()

    def trained(one: Iteration) -> None:
        told.append(f"trained {one.iteration}, evaluated: {one.evaluation is not None}")

    def ended(one: Iteration) -> None:
        told.append(f"ended {one.iteration}, evaluated: {one.evaluation is not None}")

    stages = Stages(who, who, who, evaluate, SimpleNamespace(rows=list), Folders(tmp_path))
    plan = Plan(2, 0, 9, Planned(2))
    await Loop(stages, plan, PolicyVersion(0, "model"), ended, trained).run((), 2)
    assert told == [
        "evaluation 0",
        "ended 0, evaluated: True",
        "ended 1, evaluated: False",
        "trained 2, evaluated: False",
        "evaluation 2",
        "ended 2, evaluated: True",
    ]


async def test_an_average_of_the_weights_is_evaluated_and_rollouts_go_on_with_the_weights(tmp_path):
    published: list[str] = []
    evaluated: list[str] = []

    class Averaging(Everyone):
        async def step(self, batch, version, folder) -> TrainingResult:
            (folder / "averaged").mkdir(parents=True)
            return await super().step(batch, version, folder)

        async def publish(self, policy: PolicyVersion) -> None:
            published.append(Path(policy.path).name)

        async def evaluate(self, iteration: int, policy: PolicyVersion) -> tuple[()]:
            evaluated.append(f"{iteration}: {Path(policy.path).name}")
            return ()

    who = Averaging()
    stages = Stages(who, who, who, who.evaluate, SimpleNamespace(rows=list), Folders(tmp_path))
    await Loop(stages, Plan(2, 0, 9, Planned(2)), PolicyVersion(0, "model"), lambda _: None).run((), 2)
    assert evaluated == ["0: model", "2: averaged"]
    assert published == ["v00001", "v00002", "averaged", "v00002"]


async def test_every_batch_tells_how_much_of_the_run_is_over(tmp_path):
    who = Everyone()
    folders = Folders(tmp_path)
    stages = Stages(who, who, who, who.evaluate, SimpleNamespace(rows=list), folders)
    await Loop(stages, Plan(2, 0, 9, Planned(2)), PolicyVersion(0, "model"), lambda _: None).run((), 2)
    assert [read_batch(folders.batch(version)).done for version in (0, 1)] == [0, 0.5]
