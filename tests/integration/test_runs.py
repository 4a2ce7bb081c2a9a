"""Runs as users start them: real sites, real Chromium, real processes, stored and read back."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from functools import partial
from pathlib import Path

import pytest
from anyio import to_thread
from tests.child_environment import child_environment

from webgym.cli.failures import ExitCode
from webgym.errors import StoreError
from webgym.records.trajectory import Ending, Infrastructure, Success
from webgym.run.choose import made_meta
from webgym.run.config import RunConfig
from webgym.run.tasks import groups_for, tasks_for
from webgym.store.read import open_run
from webgym.store.write import open_writer

pytestmark = [pytest.mark.chromium, pytest.mark.timeout(300)]
ROOT = Path(__file__).parents[2]
SMALL = ("browser.sessions=2", "browser.width=640", "browser.height=480", "monitor.serve=false")


def webgym(*arguments: str, cwd: Path = ROOT, code: int = 0) -> subprocess.CompletedProcess[str]:
    done = subprocess.run(
        [sys.executable, "-m", "webgym", *arguments],
        check=False,
        cwd=cwd,
        capture_output=True,
        text=True,
        timeout=240,
        env=child_environment(COLUMNS="200"),
    )
    assert done.returncode == code, done.stdout + done.stderr
    return done


def test_the_oracle_solves_what_it_is_given_and_everything_reads_back(tmp_path):
    where = (f"store.root='{tmp_path}'", "name=three")
    said = webgym("eval", "agent.use=oracle", "tasks.count=3", *where, *SMALL, "--json")
    report = json.loads(said.stdout)
    assert report["submitted"] == sum(report["outcomes"].values()) == report["outcomes"]["success"] == 3
    assert report["success_over_all"]["rate"] == 1.0
    with open_run(tmp_path / "three") as run:
        assert run.meta.kind == "eval"
        for trajectory in run.trajectories():
            assert trajectory.ending.verdict is not None
            assert trajectory.ending.verdict.success
            for step in trajectory.steps:
                assert len(run.blob(step.observation.screenshot.address)) == step.observation.screenshot.size
    assert "3 of 3" in webgym("eval", "--resume", str(tmp_path / "three")).stdout


@pytest.mark.anyio
async def test_what_was_lost_to_infrastructure_is_tried_again_by_a_resume(tmp_path):
    config = RunConfig.model_validate(
        {
            "agent": {"use": "oracle"},
            "tasks": {"count": 2, "levels": ["easy"]},
            "browser": {"sessions": 2, "width": 640, "height": 480},
            "monitor": {"serve": False},
            "store": {"root": str(tmp_path)},
        }
    )
    [[solved], [lost]] = groups_for(tasks_for(config.tasks, config.seed), 1, config.seed)
    async with open_writer(tmp_path / "lossy", made_meta("eval", "lossy", config)) as writer:
        await writer.end(solved, Ending(Success()), {})
        await writer.end(lost, Ending(Infrastructure("transport")), {})
    said = await to_thread.run_sync(partial(webgym, "eval", "--resume", str(tmp_path / "lossy")))
    assert "1 of 2 attempts are already finished" in said.stdout
    assert "1 attempts that were lost to infrastructure are tried again" in said.stdout
    with open_run(tmp_path / "lossy") as run:
        assert {row.attempt_id: (row.outcome, row.steps > 0) for row in run.rows()} == {
            solved.attempt_id: ("success", False),
            lost.attempt_id: ("success", True),
        }


def test_a_run_of_the_same_name_is_not_overwritten(tmp_path):
    (tmp_path / "taken").mkdir()
    (tmp_path / "taken" / "something").write_text("")
    said = webgym("rollout", "agent.use=noop", f"store.root='{tmp_path}'", "name=taken", code=ExitCode.CONFIGURATION)
    assert "--resume" in said.stderr


def test_a_policy_and_a_judge_of_ones_own_are_found_by_their_names(tmp_path):
    said = webgym(
        "eval",
        "agent.policy=examples.own_policy:Scroller",
        "agent.dialect=compact",
        "judge.use=examples.own_judge:AnswerLength",
        "tasks.use=examples.own_task:tasks",
        f"store.root='{tmp_path}'",
        "name=own",
        *SMALL,
        "--json",
    )
    report = json.loads(said.stdout)
    assert report["outcomes"]["success"] == 2  # its answer is long enough for that judge
    with open_run(tmp_path / "own") as run:
        steps = next(iter(run.trajectories())).steps
        assert [step.turn.choice.action.__struct_config__.tag for step in steps] == [
            "scroll",
            "scroll",
            "scroll",
            "answer",
        ]
        assert all(step.turn.prompt.pictures for step in steps)
        assert steps[-1].turn.completion.text == 'answer "I have seen the whole page."'


def test_a_policy_that_nobody_understands_is_told_in_the_middle_of_the_run_and_in_the_end(tmp_path):
    wrong = ("agent.policy=tests.guessing:Mumbler", "agent.dialect=compact", f"store.root='{tmp_path}'")
    said = webgym("eval", *wrong, "tasks.count=3", "name=mumbled", *SMALL).stdout
    before, after = said.split("submitted 3")
    assert before.count("10 of 10 replies were malformed (100%)") == 1
    assert "agent.dialect" in before
    assert "15 of 15 replies were malformed (100%)" in after
    assert "15 of 15 replies were malformed" in webgym("runs", "show", str(tmp_path / "mumbled")).stdout


def test_no_model_is_a_message_that_says_what_to_give_and_leaves_no_run_behind(tmp_path):
    said = webgym("eval", "tasks.count=1", f"store.root='{tmp_path}'", code=ExitCode.CONFIGURATION)
    assert "model.servers" in said.stderr
    said = webgym("try", "shop-6", "--policy", "bogus", f"store.root='{tmp_path}'", code=ExitCode.CONFIGURATION)
    assert "'bogus' is neither built in" in said.stderr
    assert not any(tmp_path.iterdir())


def test_one_attempt_can_be_watched_step_by_step(tmp_path):
    said = webgym("try", "shop-6", f"store.root='{tmp_path}'", *SMALL).stdout
    assert "answer:" in said
    assert "yes" in said
    assert "success after" in said
    assert "webgym view" in said


def test_settings_can_be_printed_and_given_back(tmp_path):
    text = webgym("rollout", "--print-config", "tasks.count=3").stdout
    (tmp_path / "run.toml").write_text(text)
    assert webgym("rollout", "--print-config", "--config", str(tmp_path / "run.toml")).stdout == text


def test_ctrl_c_drains_and_the_command_to_go_on_with_does(tmp_path):
    process = subprocess.Popen(
        [
            sys.executable,
            "-m",
            "webgym",
            "rollout",
            "agent.use=oracle",
            "tasks.count=7",
            "tasks.levels=['easy']",
            "limits.easy=40",
            f"store.root='{tmp_path}'",
            "name=cut",
            *SMALL,
        ],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    deadline = time.monotonic() + 120
    while not _ended(tmp_path / "cut"):
        assert time.monotonic() < deadline
        assert process.poll() is None
        time.sleep(0.2)
    process.send_signal(signal.SIGINT)
    said, _ = process.communicate(timeout=120)
    assert process.returncode == 130, said
    assert "Ctrl-C again" in said
    assert f"webgym rollout --resume {tmp_path / 'cut'}" in said
    before = _ended(tmp_path / "cut")
    assert 0 < before < 7
    webgym("rollout", "--resume", str(tmp_path / "cut"))
    with open_run(tmp_path / "cut") as run:
        assert [row for row in run.rows() if row.outcome != "success"] == []
        assert len(run.rows()) == 7


def test_ctrl_c_before_the_first_attempt_says_that_it_stops_and_how_to_go_on(tmp_path):
    command = ["eval", "agent.use=oracle", "tasks.count=3", f"store.root='{tmp_path}'", "name=early", *SMALL]
    process = subprocess.Popen(
        [sys.executable, "-m", "webgym", *command],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        env=child_environment(COLUMNS="200"),
    )
    deadline = time.monotonic() + 120
    while not (tmp_path / "early" / "run.json").exists():
        assert time.monotonic() < deadline
        assert process.poll() is None
        time.sleep(0.02)
    process.send_signal(signal.SIGINT)
    said, _ = process.communicate(timeout=120)
    assert process.returncode == ExitCode.INTERRUPTED, said
    assert "stopping before the first attempt" in said
    assert f"to resume: webgym eval --resume {tmp_path / 'early'}" in said
    assert "Traceback" not in said
    assert _ended(tmp_path / "early") == 0


def _ended(folder: Path) -> int:
    if not (folder / "run.json").exists():
        return 0
    try:
        with open_run(folder) as run:
            return sum(run.outcomes().values())
    except StoreError:  # being made
        return 0
