"""Weights that stay while asynchronous training goes on."""

from __future__ import annotations

import functools
from pathlib import Path

import pytest
from tests.unit.training_async import test_loop
from tests.unit.training_async.test_feeder import World

from webgym.pipeline.train.flow.loop import FlowStages
from webgym.records.sample import Trained

pytestmark = pytest.mark.anyio


class Writing(test_loop.Stages):
    """Leaves a folder of every version."""

    async def step(self, batch: Path, version: int, folder: Path) -> Trained:
        folder.mkdir(parents=True)
        return await super().step(batch, version, folder)


@pytest.mark.parametrize(("best", "left"), [(set[int](), [4, 5]), ({1}, [1, 4, 5]), ({2, 3}, [2, 3, 4, 5])])
async def test_weights_that_did_well_outlive_the_newest(tmp_path, monkeypatch, best, left):
    monkeypatch.setattr(test_loop, "FlowStages", functools.partial(FlowStages, kept=lambda: best))
    await test_loop.run(Writing(World()), tmp_path, 5)
    assert sorted(int(one.name[1:]) for one in (tmp_path / "policies").iterdir()) == left
