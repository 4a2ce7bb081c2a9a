"""Runs whose processes are killed while they run: nothing lost, twice or leaked; the same tasks solved."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import psutil
import pytest
from tests.chaos.half_oracle import solves

from webgym.errors import StoreError
from webgym.store.read import Run, open_run

pytestmark = [pytest.mark.chromium, pytest.mark.full, pytest.mark.timeout(1200)]

ATTEMPTS = 200
ROOT = Path(__file__).parents[2]
SETTINGS = (
    "agent.use='tests.chaos.half_oracle:make'",
    f"tasks.count={ATTEMPTS}",
    "tasks.levels=['easy']",
    "browser.sessions=8",
    "browser.nodes=2",
    "agent.screenshot='jpeg'",
    "agent.quality=40",
    "monitor.serve=false",
)


def start(folder: Path, log: Path) -> subprocess.Popen[bytes]:
    """A run in a process of its own: a new one, or the one that is there."""
    anew = [*SETTINGS, "limits.easy=40", f"store.root='{folder.parent}'", f"name='{folder.name}'"]
    how = ["--resume", str(folder)] if folder.exists() else anew
    with log.open("ab") as output:
        return subprocess.Popen(
            [sys.executable, "-m", "webgym", "rollout", *how],
            cwd=ROOT,
            stdout=output,
            stderr=output,
            start_new_session=True,
        )


def over(folder: Path) -> int:
    """Attempts that have ended so far."""
    if not (folder / "run.json").exists():
        return 0
    try:
        with open_run(folder) as run:
            return sum(run.outcomes().values())
    except StoreError:  # being made
        return 0


def wait_for(folder: Path, ended: int, process: subprocess.Popen[bytes]) -> None:
    deadline = time.monotonic() + 400
    while over(folder) < ended:
        assert process.poll() is None, "the run ended early"
        assert time.monotonic() < deadline
        time.sleep(0.5)


SITES = "webgym_hermetic"


def kill_the_sites(process: subprocess.Popen[bytes]) -> None:
    """Kill the site server, and its successor as soon as that starts."""
    first = one_below(process, part(SITES))
    first.kill()
    second = wait_for_below(process, lambda command: SITES in command, but=first.pid)
    second.kill()


def wait_for_below(
    process: subprocess.Popen[bytes], wanted: Callable[[list[str]], bool], but: int = 0
) -> psutil.Process:
    deadline = time.monotonic() + 60
    while True:
        try:
            found = one_below(process, wanted)
        except AssertionError:
            found = None
        if found and found.pid != but:
            return found
        assert time.monotonic() < deadline
        time.sleep(0.01)


def one_below(process: subprocess.Popen[bytes], wanted: Callable[[list[str]], bool]) -> psutil.Process:
    for child in psutil.Process(process.pid).children(recursive=True):
        try:
            if wanted(child.cmdline()):
                return child
        except psutil.NoSuchProcess:
            continue
    raise AssertionError("no such process")


def a_chromium(command: list[str]) -> bool:
    return bool(command) and "chromium" in command[0] and not any(part.startswith("--type=") for part in command)


def part(module: str) -> Callable[[list[str]], bool]:
    return lambda command: module in command


def processes_of(process: subprocess.Popen[bytes]) -> list[psutil.Process]:
    try:
        return psutil.Process(process.pid).children(recursive=True)
    except psutil.NoSuchProcess:
        return []


def check(run: Run) -> None:
    rows = run.rows()
    assert len(rows) == ATTEMPTS
    assert len({row.attempt_id for row in rows}) == ATTEMPTS
    assert sum(run.outcomes().values()) == ATTEMPTS
    assert run.outcomes()["infrastructure"] == 0
    assert {row.task_id for row in rows if row.outcome == "success"} == {
        row.task_id for row in rows if solves(row.task_id)
    }
    for trajectory in run.trajectories():
        assert [step.number for step in trajectory.steps] == list(range(1, trajectory.ending.steps + 1))
        for step in trajectory.steps:
            shot = step.observation.screenshot
            assert shot is None or len(run.blob(shot.address)) == shot.size


def test_a_run_survives_the_death_of_each_of_its_processes_and_its_own(tmp_path):
    folder, log = tmp_path / "run", tmp_path / "log"
    process = start(folder, log)
    try:
        wait_for_below(process, part(SITES)).kill()  # while it starts
        for ended, victim in (
            (15, a_chromium),
            (30, part(SITES)),
            (45, part("webgym.browser.server.node")),
            (75, part("webgym.browser.server.gateway")),
            (105, a_chromium),
        ):
            wait_for(folder, ended, process)
            one_below(process, victim).kill()
        wait_for(folder, 120, process)
        kill_the_sites(process)
        wait_for(folder, 130, process)
        family = processes_of(process)
        os.kill(process.pid, signal.SIGKILL)
        process.wait(10)
        _gone, alive = psutil.wait_procs(family, timeout=60)
        assert alive == [], "processes outlived the run that was killed"
        kept = over(folder)
        with open_run(folder) as run:
            assert run.outcomes()["infrastructure"] == 0, "what was killed has cost attempts"
        process = start(folder, log)
        wait_for_below(process, part(SITES)).kill()  # while it starts
        wait_for(folder, kept + 10, process)
        kill_the_sites(process)
        assert process.wait(600) == 0, log.read_text()[-3000:]
        text = log.read_text()
    finally:
        if process.poll() is None:
            process.send_signal(signal.SIGTERM)
            process.wait(60)
    assert kept >= 130
    assert f"{kept} of {ATTEMPTS} attempts are already finished" in text
    with open_run(folder) as run:
        check(run)
        tries = sum(len(trajectory.ending.failed_tries) for trajectory in run.trajectories())
    assert tries >= 1, "what was killed must have cost someone a try"
