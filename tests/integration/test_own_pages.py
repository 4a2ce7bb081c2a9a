"""Tasks on a page of one's own, on a port of this machine."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Generator
from pathlib import Path

import msgspec
import pytest
from tests.child_environment import ROOT, child_environment
from tests.fleets import TOKENS, fleet_of
from tests.web import Site, serve_page

from webgym.records.trajectory import Infrastructure
from webgym.run.config import RunConfig
from webgym.run.load import load_config
from webgym.run.run import run
from webgym.store.meta import RunMeta
from webgym.store.read import open_run
from webgym.testing.rollouts import fake_task

pytestmark = [pytest.mark.chromium, pytest.mark.timeout(200)]
CHROMIUM = "webgym.browser.server.chromium.browser:ChromiumBrowser"
SETTINGS = (
    "agent.policy=examples.own_policy:Scroller",
    "agent.dialect=compact",
    "judge.use=examples.own_judge:AnswerLength",
    "tasks.use=file",
    "browser.sessions=1",
    "browser.width=640",
    "browser.height=480",
    "monitor.serve=false",
)


@pytest.fixture(scope="module")
def page() -> Generator[Site]:
    with serve_page("<!doctype html><title>Mine</title><body style='height: 9000px'><h1>My own page</h1>") as site:
        yield site


@pytest.fixture
def settings(page: Site, tmp_path: Path) -> tuple[str, ...]:
    task = msgspec.structs.replace(fake_task(), website=f"{page.url}shop")
    (tmp_path / "tasks.jsonl").write_bytes(msgspec.json.encode(task) + b"\n")
    return (*SETTINGS, f"tasks.file='{tmp_path / 'tasks.jsonl'}'", f"store.root='{tmp_path}'", "name=mine")


def evaluated(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "webgym", "eval", *arguments, "--json"]
    environment = child_environment(COLUMNS="300")
    return subprocess.run(command, check=False, cwd=ROOT, capture_output=True, text=True, timeout=150, env=environment)


def test_it_is_refused_before_the_run_with_the_setting_that_allows_it_and_works_with_that(page, settings, tmp_path):
    refused = evaluated(*settings)
    assert refused.returncode != 0
    assert f"{page.url}shop (127.0.0.1 is a loopback address)" in refused.stderr
    advice = f"""browser.allow='["{page.host_port}"]'"""
    assert advice in refused.stderr
    assert not (tmp_path / "mine").exists()
    done = evaluated(*settings, f"""browser.allow=["{page.host_port}"]""")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["outcomes"]["success"] == 1
    with open_run(tmp_path / "mine") as stored:
        [trajectory] = stored.trajectories()
    assert trajectory.steps[0].observation.title == "Mine"


@pytest.mark.anyio
async def test_a_running_fleet_that_refuses_it_is_named_in_the_outcome(settings, tmp_path, monkeypatch):
    monkeypatch.setenv("WEBGYM_TOKEN", TOKENS.client)
    async with fleet_of(browser=CHROMIUM, max_sessions=1) as (fleet, _):
        config = load_config(None, [*settings, f"browser.url={fleet.url}"])
        await run(config, tmp_path / "mine", meta_of(config))
    with open_run(tmp_path / "mine") as stored:
        [trajectory] = stored.trajectories()
        [row] = stored.rows()
    assert isinstance(trajectory.ending.outcome, Infrastructure)
    assert trajectory.ending.outcome.cause == row.detail == "egress_refused"
    assert "127.0.0.1 is a loopback address" in trajectory.ending.outcome.message
    assert "webgym serve --allow" in trajectory.ending.outcome.message
    assert not trajectory.ending.failed_tries


def meta_of(config: RunConfig) -> RunMeta:
    return RunMeta(config.name, 0.0, seed=config.seed, kind="eval")
