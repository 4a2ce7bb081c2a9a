"""An evaluation as users start it."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

pytestmark = pytest.mark.chromium


def evaluated(tmp_path, *arguments: str) -> dict:
    done = subprocess.run(
        [
            sys.executable, "-m", "webgym", "eval", "env=webgym_miniwob.environment:MiniwobEnvironment",
            "judge.use=exact", "browser.sessions=2", "browser.width=448", "browser.height=320",
            f"store.root='{tmp_path}'", "monitor.serve=false", "--json", *arguments,
        ],
        check=False, cwd=tmp_path, capture_output=True, text=True, timeout=240,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    return json.loads(done.stdout)


def test_an_evaluation_ends_with_intervals(tmp_path):
    report = evaluated(tmp_path, "agent.use=random", "tasks.count=6")
    assert report["submitted"] == sum(report["outcomes"].values()) == 6
    assert not report["outcomes"].get("infrastructure")
    assert 0.0 <= report["success_over_all"]["low"] < report["success_over_all"]["high"] <= 1.0


def test_the_oracle_succeeds_in_an_evaluation(tmp_path):
    chosen = 'tasks.templates=["enter-text", "click-tab", "login-user"]'
    report = evaluated(tmp_path, "agent.use=oracle", "tasks.split=train", chosen, "tasks.count=6")
    assert report["outcomes"]["success"] == 6
