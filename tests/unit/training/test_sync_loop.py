"""Synchronous training with fakes: what an iteration tells."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.unit.training.looping import Everyone, progress_of, went_around

from webgym.records.curve import Iteration
from webgym.records.sample import PolicyVersion, TrainingResult
from webgym.run.folders import Folders
from webgym.run.run_length import PlannedLength
from webgym.run.schedule import Schedule
from webgym.train.batch_file import read_batch

pytestmark = pytest.mark.anyio


async def test_every_iteration_tells_how_many_samples_were_left_out_before_it_learned(tmp_path):
    told = await went_around(Everyone(), tmp_path, Schedule(2, 0, 9, PlannedLength(2)))
    figures = [one.learned.figures for one in told if one.learned is not None]
    assert figures == [{"loss": 0.1}, {"loss": 0.1, "lacking": 1.0}]


async def test_the_training_of_an_iteration_is_told_before_its_evaluation_begins(tmp_path):
    told: list[str] = []

    class Telling(Everyone):
        async def evaluate(self, iteration: int, policy: PolicyVersion) -> tuple[()]:
            del policy
            told.append(f"evaluation {iteration}")
            return ()

    def trained(one: Iteration) -> None:
        told.append(f"trained {one.iteration}, evaluated: {one.evaluation is not None}")

    def ended(one: Iteration) -> None:
        told.append(f"ended {one.iteration}, evaluated: {one.evaluation is not None}")

    await went_around(Telling(), tmp_path, Schedule(2, 0, 9, PlannedLength(2)), progress=progress_of(ended, trained))
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

    await went_around(Averaging(), tmp_path, Schedule(2, 0, 9, PlannedLength(2)))
    assert evaluated == ["0: model", "2: averaged"]
    assert published == ["v00001", "v00002", "averaged", "v00002"]


async def test_every_batch_tells_how_much_of_the_run_is_over(tmp_path):
    await went_around(Everyone(), tmp_path, Schedule(2, 0, 9, PlannedLength(2)))
    assert [read_batch(Folders(tmp_path).batch(version)).done for version in (0, 1)] == [0, 0.5]
