"""Workers that cannot start."""

from __future__ import annotations

import logging
from pathlib import Path

import anyio
import pytest

from webgym.browser.config import ChromiumConfig
from webgym.browser.server.node.workers import WorkerPlan, WorkerPool
from webgym.errors import ConfigError

pytestmark = pytest.mark.anyio


def pool_in(folder: Path) -> WorkerPool:
    orders = {"browser": "nowhere:Nothing", "chromium": ChromiumConfig().model_dump_json(), "active_steps": 1}
    return WorkerPool(WorkerPlan(1, 1, folder, orders), lambda *_: None, lambda *_: None)


async def test_workers_that_never_can_start_end_the_pool_with_the_reason(tmp_path: Path):
    with pytest.RaisesGroup(pytest.RaisesExc(ConfigError, match="cannot import the browser 'nowhere:Nothing'")):
        with anyio.fail_after(60):
            await pool_in(tmp_path).run(lambda: None)


async def test_where_one_could_start_before_it_is_tried_again(tmp_path: Path, caplog: pytest.LogCaptureFixture):
    pool = pool_in(tmp_path)
    pool._proven = True
    with caplog.at_level(logging.ERROR):
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(pool.run, lambda: None)
            with anyio.fail_after(60):
                while caplog.text.count("worker in slot 0 did not start: cannot import the browser") < 2:
                    await anyio.sleep(0.05)
            tasks.cancel_scope.cancel()
