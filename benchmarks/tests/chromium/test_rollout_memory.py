"""The memory of a process that makes rollouts: what is open costs what its agents hold, and pictures travel once."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

import pytest

COMMAND = [sys.executable, "-c", "from webgym_bench.commands.bench import app; app()", "rollouts", "--memory", "--json"]


def measured(*options: str, seconds: float) -> dict[str, Any]:
    done = subprocess.run([*COMMAND, *options], capture_output=True, text=True, timeout=seconds, check=False)
    assert done.returncode == 0, done.stderr[-3000:]
    return json.loads(done.stdout.splitlines()[-1])


def every_attempt_is_over(report: dict[str, Any], attempts: int) -> bool:
    outcomes = report["asynchronous"]["outcomes"]
    return sum(outcomes.values()) == attempts and outcomes.get("success", 0) >= 0.98 * attempts


@pytest.mark.timeout(200)
def test_every_picture_is_fetched_once_and_stored_once():
    report = measured(
        "--attempts-open", "100", "--lengths", "6:6", "--decision-mean", "0.2", "--stragglers", "0", seconds=180
    )

    assert every_attempt_is_over(report, 100)
    assert report["pictures_stored"] == report["pictures_recorded"] >= 600
    assert 50_000 < report["picture_bytes_stored"] / report["pictures_stored"] < 200_000
    if not report["asynchronous"]["errors"]:  # a starved machine loses connections, and with them pictures
        assert report["each_picture_once"]
        assert report["pictures_sent"] == 600


@pytest.mark.full
@pytest.mark.timeout(1200)
def test_a_thousand_open_attempts_of_thirty_steps_take_less_than_a_gigabyte():
    report = measured(seconds=1150)

    assert every_attempt_is_over(report, 1000)
    assert report["open_most"] > 900
    assert report["peak_mb"] < 1000
    assert report["pictures_stored"] == report["pictures_recorded"] >= 29_000
