"""Workers that cannot start."""

from __future__ import annotations

import logging
from pathlib import Path

import anyio
import pytest
from tests.broken_programs import script

from webgym.browser.config import ChromiumConfig
from webgym.browser.server.node.workers import WorkerPlan, WorkerPool
from webgym.errors import ConfigError

pytestmark = pytest.mark.anyio


def pool_in(folder: Path, browser: str = "nowhere:Nothing") -> WorkerPool:
    orders = {"browser": browser, "chromium": ChromiumConfig().model_dump_json(), "active_steps": 1}
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


CHROMIUM = "webgym.browser.server.chromium.browser:ChromiumBrowser"


async def test_a_driver_that_fails_this_time_is_told_in_one_line_and_tried_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]
):
    driver = script(tmp_path / "node", '[ "$1" = --version ]')
    monkeypatch.setenv("PLAYWRIGHT_NODEJS_PATH", str(driver))
    pool = pool_in(tmp_path / "workers", CHROMIUM)
    with caplog.at_level(logging.ERROR):
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(pool.run, lambda: None)
            with anyio.fail_after(60):
                while caplog.text.count("worker in slot 0 did not start: Playwright's driver did not start: ") < 2:
                    await anyio.sleep(0.05)
            tasks.cancel_scope.cancel()
    assert "Traceback" not in capfd.readouterr().err


async def test_a_driver_that_always_fails_ends_the_pool_with_its_own_words(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    driver = script(tmp_path / "node", "echo \"version 'GLIBC_9.99' not found\" >&2; exit 1")
    monkeypatch.setenv("PLAYWRIGHT_NODEJS_PATH", str(driver))
    with pytest.RaisesGroup(
        pytest.RaisesExc(ConfigError, match=r"driver cannot start: version 'GLIBC_9\.99' not found")
    ):
        with anyio.fail_after(60):
            await pool_in(tmp_path / "workers", CHROMIUM).run(lambda: None)
