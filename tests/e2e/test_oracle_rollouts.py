"""The oracle through the whole stack: prompts, dialect, parser, pool, fleet, sites, judge and store."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from webgym.agent.dialects.registry import dialect_named
from webgym.records.decision import Decision
from webgym.store.read import open_run

pytestmark = [pytest.mark.chromium]
ROOT = Path(__file__).parents[2]


def solved(folder: Path, tasks: int, dialect: str) -> None:
    said = subprocess.run(
        [
            sys.executable, "-m", "webgym", "eval", "agent.use=spoken-oracle", f"agent.dialect={dialect}",
            f"tasks.count={tasks}", "browser.sessions=12", f"store.root='{folder.parent}'", f"name='{folder.name}'",
            "monitor.serve=false", "--json",
        ],
        check=False, cwd=ROOT, capture_output=True, text=True, env=os.environ | {"COLUMNS": "160"},
    )  # fmt: skip
    assert said.returncode == 0, said.stderr[-3000:]
    report = json.loads(said.stdout)
    assert report["submitted"] == sum(report["outcomes"].values()) == tasks
    assert report["outcomes"]["success"] == tasks, report["outcomes"]
    reads_back(folder, tasks, dialect)


def reads_back(folder: Path, tasks: int, name: str) -> None:
    dialect = dialect_named(name)
    seen = 0
    with open_run(folder) as run:
        for trajectory in run.trajectories():
            seen += 1
            assert trajectory.ending.failed_tries == ()
            assert len(trajectory.steps) == trajectory.ending.steps
            for step in trajectory.steps:
                prompt, completion, choice = step.turn.prompt, step.turn.completion, step.turn.choice
                assert isinstance(choice, Decision)
                again = dialect.parse(completion, step.observation)
                assert isinstance(again, Decision)
                assert again.action == choice.action
                assert trajectory.attempt.task.instruction in "".join(message.text for message in prompt.messages)
                for picture in prompt.pictures:
                    assert run.blob(picture.address)
    assert seen == tasks


@pytest.mark.full
@pytest.mark.timeout(1200)
def test_the_oracle_solves_200_tasks_and_every_prompt_action_and_screenshot_reads_back(tmp_path):
    solved(tmp_path / "two-hundred", 200, "qwen3-vl")


@pytest.mark.timeout(300)
def test_the_oracle_solves_tasks_by_marks(tmp_path):
    solved(tmp_path / "marks", 6, "qwen3-vl-marks")
