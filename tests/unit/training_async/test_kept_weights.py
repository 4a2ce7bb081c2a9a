"""Weights that stay while asynchronous training goes on."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from pathlib import Path

import anyio
import pytest
from tests.unit.training_async import test_loop
from tests.unit.training_async.test_feeder import World

from webgym.records.sample import PolicyVersion, TrainingResult
from webgym.run.training.flow.loop import FlowStages
from webgym.store.rows import Row

pytestmark = pytest.mark.anyio


class Writing(test_loop.Stages):
    """Leaves a folder of every version."""

    async def step(self, batch: Path, version: int, folder: Path) -> TrainingResult:
        folder.mkdir(parents=True)
        return await super().step(batch, version, folder)


@pytest.mark.parametrize(("best", "left"), [(set[int](), [4, 5]), ({1}, [1, 4, 5]), ({2, 3}, [2, 3, 4, 5])])
async def test_weights_that_did_well_outlive_the_newest(tmp_path, monkeypatch, best, left):
    monkeypatch.setattr(test_loop, "FlowStages", functools.partial(FlowStages, kept=lambda: best))
    await test_loop.run(Writing(World()), tmp_path, 5)
    assert sorted(int(one.name[1:]) for one in (tmp_path / "policies").iterdir()) == left


class Slow(Writing):
    """Evaluates the weights of the second update until training has ended, and looks whether they are still there."""

    def __init__(self) -> None:
        super().__init__(World())
        self.there: list[bool] = []

    async def evaluate(self, iteration: int, policy: PolicyVersion) -> Sequence[Row]:
        while iteration == 2 and len(self.told) < 5:
            await anyio.sleep(0.01)
        if iteration == 2:
            self.there.append(Path(policy.path).is_dir())
        return await super().evaluate(iteration, policy)


async def test_weights_stay_until_their_evaluation_is_over(tmp_path):
    stages = Slow()
    stages.evaluates_until = 0
    await test_loop.run(stages, tmp_path, 5)
    assert stages.there == [True]
