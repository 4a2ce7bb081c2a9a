"""`webgym bench rollouts --browser chromium`: the same work in real sessions."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

COMMAND = [sys.executable, "-c", "from webgym_bench.commands.bench import app; app()", "rollouts", "--json"]


@pytest.mark.chromium
@pytest.mark.timeout(300)
def test_real_sessions_do_the_work_in_both_ways():
    options = ["--browser", "chromium", "--attempts-open", "3", "--attempts", "5", "--lengths", "2:4"]
    options += ["--decision-mean", "0.2", "--stragglers", "0", "--page-median", "0.1"]
    done = subprocess.run([*COMMAND, *options], capture_output=True, text=True, timeout=280, check=False)
    assert done.returncode == 0, done.stderr[-3000:]
    report = json.loads(done.stdout.splitlines()[-1])

    assert report["same_work"]
    assert report["asynchronous"]["outcomes"] == report["lockstep"]["outcomes"] == {"success": 5}
    assert report["asynchronous"]["act_ms_p50"] > 50
    assert report["machine"]["chromium"]
