"""A study as users start it: training runs as processes beside each other, stopped, gone on with, and compared."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from tests.integration.test_training import ROOT, SETTINGS, environment, wait_for
from tests.small_nano import SMALL

from webgym.curves.file import read
from webgym.store.meta import load_meta
from webgym.store.read import open_run
from webgym_nano.folder import write_folder
from webgym_nano.model import new_model

pytestmark = [pytest.mark.chromium, pytest.mark.timeout(400)]
QUIET = ("monitor.serve=false", "curves.serve=false", "curves.tensorboard=false", "evaluate.tasks.count=1")


@pytest.fixture
def study(tmp_path) -> Path:
    write_folder(tmp_path / "model", new_model(SMALL), SMALL)
    file, base = tmp_path / "tiny.toml", tmp_path / "base.toml"
    base.write_text(f"[policy]\nmodel = '{tmp_path / 'model'}'\n")
    settings = [*SETTINGS, *QUIET, "iterations=1", "train.source.members=2", "browser.sessions=2"]
    file.write_text(
        f"base = 'base.toml'\nseeds = [0]\nsettings = {json.dumps(settings)}\n"
        "[arms.k]\ntrain.recipe = 'asyncwebrl-grpo'\n[arms.tau]\ntrain.recipe = 'grpo-1-over-tau'\n"
    )
    return file


def command(study: Path) -> list[str]:
    arguments = (study, "--folder", study.parent / "runs", "--at-once", 2, "--json")
    return [sys.executable, "-m", "webgym", "study", "run", *map(str, arguments)]


def test_a_study_is_stopped_gone_on_with_and_compared(study):
    folder = study.parent / "runs"
    first = subprocess.Popen(
        command(study), cwd=ROOT, env=environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    arms = [folder / "k-0", folder / "tau-0"]
    wait_for(lambda: all((arm / "run.json").is_file() for arm in arms), first)  # both at once
    first.send_signal(signal.SIGINT)
    out, said = first.communicate(timeout=120)
    assert first.returncode == 130, said
    stopped = json.loads(out)
    assert (stopped["complete"], [run["state"] for run in stopped["runs"]]) == (False, ["stopped", "stopped"]), said
    assert "to resume: run the same command again" in said

    again = subprocess.run(
        command(study), check=False, cwd=ROOT, env=environment(), capture_output=True, text=True, timeout=300
    )
    assert again.returncode == 0, again.stdout + again.stderr
    found = json.loads(again.stdout)
    assert found["complete"]
    assert [run["state"] for run in found["runs"]] == ["done", "done"]
    assert found == json.loads((folder / "study.json").read_text())
    assert "k-0: resuming" in again.stderr
    for arm in arms:
        assert [one.iteration for one in read(arm / "curve.jsonl")] == [0, 1]
        assert f"webgym train --resume {arm}" in arm.with_name(f"{arm.name}.log").read_text("utf-8")
        with open_run(arm) as run:
            rows = run.rows()
        assert len({row.attempt_id for row in rows}) == len(rows)
    assert load_meta(arms[0]).seed == 0
    compared = found["compared"]
    assert [arm["name"] for arm in compared["arms"]] == ["k", "tau"]
    assert all(arm["spent"]["training"] > 0 for arm in compared["arms"])
    assert compared["against_first"][0]["than"] == "k"
