"""Runs of a study as processes: how many at once, in which order, what becomes of those that fail or are stopped."""

from __future__ import annotations

import json
import os
import signal
import sys
from pathlib import Path

import anyio
import pytest
from tests.child_environment import python_path

from webgym.study import child
from webgym.study import run as running
from webgym.study.cores import shares
from webgym.study.design import load_design
from webgym.study.plan import runs_of
from webgym.study.progress import RunProgress
from webgym.study.run import Conditions, StudyOutcome, carry_out

pytestmark = pytest.mark.anyio
PROGRAM = (sys.executable, str(Path(__file__).with_name("pretended_run.py")))


class Heard:
    def __init__(self) -> None:
        self.lines: list[str] = []
        self.runs: tuple[RunProgress, ...] = ()

    def on_message(self, line: str) -> None:
        self.lines.append(line)

    def on_change(self, runs: tuple[RunProgress, ...]) -> None:
        self.runs = runs


@pytest.fixture(autouse=True)
def found_by_children(monkeypatch):
    monkeypatch.setenv("PYTHONPATH", python_path())
    monkeypatch.setattr(running, "_LOOK_SECONDS", 0.05)


async def studied(
    folder: Path, *arms: str, seeds: str = "[0, 1]", heard: Heard | None = None, **conditions
) -> StudyOutcome:
    file = folder / "mine.toml"
    told = [f"[arms.{arm}]\ntrain.lr = {1 + place}e-5" for place, arm in enumerate(arms)]
    file.write_text("\n".join(['base = "train-nano"', f"seeds = {seeds}", "settings = ['iterations=2']", *told]))
    (folder / "runs").mkdir(exist_ok=True)
    runs = runs_of(load_design(file), folder / "runs")
    with anyio.fail_after(60):
        return await carry_out(runs, Conditions(program=PROGRAM, **conditions), heard or Heard())


def order(folder: Path) -> list[tuple[str, str, str, int]]:
    path = folder / "runs" / "order.jsonl"
    return [tuple(json.loads(line)) for line in path.read_text().splitlines()] if path.exists() else []


async def test_one_run_after_the_other_seed_by_seed(tmp_path):
    heard = Heard()
    ran = await studied(tmp_path, "a", "b", heard=heard)
    names = ["a-0", "b-0", "a-1", "b-1"]
    assert [entry[:3] for entry in order(tmp_path)] == [(what, name, "") for name in names for what in ("begin", "end")]
    assert [(run.state, run.iteration, run.before, run.success) for run in ran.runs] == [("done", 2, 0.2, 0.4)] * 4
    assert heard.lines == [line for name in names for line in (f"{name}: starting", f"{name}: done")]
    assert heard.runs == ran.runs
    assert (tmp_path / "runs" / "a-0.log").read_text().startswith("$ webgym train --config ")
    assert not ran.interrupted


async def test_runs_at_once_have_shares_of_their_own(tmp_path, monkeypatch):
    monkeypatch.setattr(running, "available", lambda: frozenset({4, 5, 6, 7, 8}))
    monkeypatch.setattr(running, "shares", lambda cores, at_once: shares(cores, at_once, str))
    await studied(tmp_path, "a", "b", at_once=2)
    assert {cores for _, _, cores, _ in order(tmp_path)} == {"4,5", "6,7"}
    assert {name for what, name, *_ in order(tmp_path) if what == "end"} == {"a-0", "b-0", "a-1", "b-1"}


async def test_arms_that_were_not_asked_for_wait_for_another_command(tmp_path):
    ran = await studied(tmp_path, "a", "b", arms=frozenset({"b"}))
    assert [(run.run, run.state) for run in ran.runs] == [
        ("a-0", "waiting"),
        ("b-0", "done"),
        ("a-1", "waiting"),
        ("b-1", "done"),
    ]
    assert [name for what, name, *_ in order(tmp_path) if what == "begin"] == ["b-0", "b-1"]


async def test_a_run_that_fails_is_told_with_the_end_of_its_log_and_the_others_go_on(tmp_path):
    heard = Heard()
    ran = await studied(tmp_path, "broken", "fine", "lazy", seeds="[0]", heard=heard)
    assert [run.state for run in ran.runs] == ["failed", "done", "failed"]
    [broken] = [line for line in heard.lines if line.startswith("broken-0: failed")]
    assert "exit status 3" in broken
    assert "it broke here" in broken
    assert str(tmp_path / "runs" / "broken-0.log") in broken
    assert any("lazy-0: failed (it exited before it was finished)" in line for line in heard.lines)


async def test_when_time_is_up_runs_are_asked_to_end_and_no_other_begins(tmp_path):
    heard = Heard()
    ran = await studied(tmp_path, "patient", "after", seeds="[0]", heard=heard, seconds=0.0)
    first, second = (run.state for run in ran.runs)
    assert first in ("stopped", "waiting")
    assert second == "waiting"
    assert not ran.interrupted
    assert heard.lines[0].startswith(("time limit reached", "patient-0: starting"))
    assert all(name == "patient-0" for _, name, *_ in order(tmp_path))


async def test_ctrl_c_is_passed_on_and_what_was_stopped_is_not_failed(tmp_path):
    ran: list[StudyOutcome] = []

    async def study() -> None:
        ran.append(await studied(tmp_path, "patient", "quiet", seeds="[0]", at_once=1))

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(study)
        with anyio.fail_after(60):
            while not any(what == "wait" for what, *_ in order(tmp_path)):
                await anyio.sleep(0.05)
        os.kill(os.getpid(), signal.SIGINT)
    assert [run.state for run in ran[0].runs] == ["stopped", "waiting"]
    assert ran[0].interrupted
    assert [what for what, *_ in order(tmp_path)] == ["begin", "wait", "end"]


async def test_who_does_not_end_is_killed(tmp_path, monkeypatch):
    monkeypatch.setattr(running, "_DRAIN_SECONDS", 0.1)
    monkeypatch.setattr(running.signal, "SIGINT", signal.SIGCONT)  # which asks for nothing
    ran: list[StudyOutcome] = []

    async def study() -> None:
        ran.append(await studied(tmp_path, "patient", seeds="[0]", heard=Heard()))

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(study)
        with anyio.fail_after(60):
            while not any(what == "wait" for what, *_ in order(tmp_path)):
                await anyio.sleep(0.05)
        os.kill(os.getpid(), signal.SIGTERM)
    assert [run.state for run in ran[0].runs] == ["stopped"]
    assert [what for what, *_ in order(tmp_path)] == ["begin", "wait"]


def test_a_run_is_put_on_its_cores_and_interrupted_when_the_study_is_gone(monkeypatch):
    done: list[object] = []
    monkeypatch.setattr(child, "die_with_parent", done.append)
    monkeypatch.setattr(os, "sched_setaffinity", lambda who, cores: done.append((who, cores)))
    monkeypatch.setattr(os, "execv", lambda program, words: done.append(words[1:]))
    monkeypatch.setattr(sys, "argv", ["child", "2,3", "train", "--config", "x"])
    child.main()
    assert done == [(0, {2, 3}), signal.SIGINT, ["-m", "webgym", "train", "--config", "x"]]
    done.clear()
    monkeypatch.setattr(sys, "argv", ["child", "", "train"])
    child.main()
    assert done == [signal.SIGINT, ["-m", "webgym", "train"]]
