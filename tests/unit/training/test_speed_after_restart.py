"""How fast rollouts are told to be by a run that was resumed."""

from __future__ import annotations

import time

import pytest
from tests.unit.training.looping import Everyone, went_around
from tests.unit.training_async import test_loop
from tests.unit.training_async.test_feeder import World
from tests.unit.viewer.made_rows import row

from webgym.run.run_length import PlannedLength
from webgym.run.schedule import Schedule
from webgym.run.sources.batch_source import Harvest
from webgym.store.rows import Row

pytestmark = pytest.mark.anyio


def rows_of(iteration: int) -> list:
    """Of an iteration: one that was over before this process began, and one that ends now."""
    now = time.time()
    return [
        row(number, attempt_id=f"{iteration:05d}/{number}", steps=1000**before, sampled_tokens=0, ended=ended)
        for number, before, ended in ((0, 1, now - 3600), (1, 0, now + 5))
    ]


async def test_attempts_of_before_a_restart_do_not_make_a_synchronous_run_look_fast(tmp_path):
    class Restarted(Everyone):
        def rows(self, harvest: Harvest) -> list[Row]:
            return rows_of(harvest.iteration)

    one = (await went_around(Restarted(), tmp_path, Schedule(1, 0, 9, PlannedLength(1), later=True)))[-1]
    assert one.train is not None
    assert one.train.success.attempts == 2
    assert one.steps_per_second == pytest.approx(1 / one.seconds["collect"])


async def test_attempts_of_before_a_restart_do_not_make_an_asynchronous_run_look_fast(tmp_path):
    stages = test_loop.Bench(World(), rows=rows_of(1))
    one = (await test_loop.run(stages, tmp_path, 1))[0]
    assert one.train is not None
    assert one.train.success.attempts == 2
    assert one.steps_per_second == pytest.approx(1 / sum(one.seconds.values()))
