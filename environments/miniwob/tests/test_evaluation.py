"""An evaluation as users start it."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

pytestmark = pytest.mark.chromium


ENVIRONMENT = "webgym_miniwob.environment:MiniwobEnvironment"


def webgym(tmp_path, *arguments: str) -> dict:
    command = [sys.executable, "-m", "webgym", *arguments, "--json"]
    done = subprocess.run(command, check=False, cwd=tmp_path, capture_output=True, text=True, timeout=240)
    assert done.returncode == 0, done.stdout + done.stderr
    return json.loads(done.stdout)


def evaluated(tmp_path, *arguments: str) -> dict:
    small = ("browser.sessions=2", "browser.width=448", "browser.height=320", "monitor.serve=false")
    where = (f"env={ENVIRONMENT}", "judge.use=exact", f"store.root='{tmp_path}'")
    return webgym(tmp_path, "eval", *where, *small, *arguments)


def test_it_keeps_the_promises_of_an_environment(tmp_path):
    chosen = 'tasks.templates=["choose-list", "click-test-2", "login-user"]'
    report = webgym(tmp_path, "env", "check", ENVIRONMENT, "--tasks", "3", "tasks.split=train", chosen)
    outcomes = {rule["name"]: rule["outcome"] for rule in report["rules"]}
    assert outcomes["an oracle succeeds at every task"] == "passed"
    assert set(outcomes.values()) == {"passed", "not offered"}


def test_an_evaluation_ends_with_intervals(tmp_path):
    report = evaluated(tmp_path, "agent.use=random", "tasks.count=6")
    assert report["submitted"] == sum(report["outcomes"].values()) == 6
    assert not report["outcomes"].get("infrastructure")
    assert 0.0 <= report["success_over_all"]["low"] < report["success_over_all"]["high"] <= 1.0


def test_the_oracle_succeeds_in_an_evaluation(tmp_path):
    chosen = 'tasks.templates=["enter-text", "click-tab", "login-user"]'
    report = evaluated(tmp_path, "agent.use=oracle", "tasks.split=train", chosen, "tasks.count=6")
    assert report["outcomes"]["success"] == 6
