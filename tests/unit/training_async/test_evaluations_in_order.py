"""Evaluations beside training come after the iteration they are about, whatever they take."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import pytest
from tests.unit.training_async import test_loop
from tests.unit.training_async.test_feeder import World

from webgym.records.sample import PolicyVersion
from webgym.store.rows import Row

pytestmark = pytest.mark.anyio


@dataclass
class AtOnce(test_loop.Bench):
    """Evaluations that take no time: all of their attempts were over before a restart."""

    evaluates_until: int = 0
    known: dict[int, bool] = field(default_factory=dict)
    """By iteration: whether it had been told when its evaluation was over."""

    async def evaluate(self, iteration: int, policy: PolicyVersion) -> Sequence[Row]:
        self.known[iteration] = iteration in {0, *(one.iteration for one in self.told)}
        return await super().evaluate(iteration, policy)


async def test_an_evaluation_that_is_over_at_once_finds_its_iteration_in_the_curve(tmp_path):
    stages = AtOnce(World())
    await test_loop.run(stages, tmp_path, 4)
    assert stages.known == {0: True, 2: True, 4: True}
