"""Attempts in a real browser: solved, failed, interrupted, and unable to reach each other."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import anyio
import pytest
from environments.webapp.tests.todos import FILE, alive
from webgym.records.action import Answer, Navigate
from webgym.records.decision import Decision, Turn
from webgym.records.observation import ActionFailure, Capture, FailedReason
from webgym.records.trajectory import Trajectory, outcome_kind
from webgym.run.commands import run_eval_async
from webgym.stages import AttemptSetup
from webgym.store.read import open_run

pytestmark = [pytest.mark.anyio, pytest.mark.chromium, pytest.mark.timeout(200)]
sys.modules["webapp_test_agents"] = sys.modules[__name__]


class Walker:
    """Opens addresses one after the other, then answers."""

    def __init__(self, addresses: Sequence[str], answer: str = "2") -> None:
        self._addresses = [*addresses]
        self._answer = answer

    async def decide(self, capture: Capture) -> Turn:
        if self._addresses:
            return Turn(Decision(Navigate(self._addresses.pop(0))))
        return Turn(Decision(Answer(self._answer)))


def neighbour_visitor(setup: AttemptSetup) -> Walker:
    """Tries the ports around its own, on which its neighbours are."""
    host, port = urlsplit(setup.attempt.task.website).netloc.split(":")
    return Walker([f"http://{host}:{int(port) + step}/" for step in (-1, 1)])


def killer(setup: AttemptSetup) -> Walker:
    own = urlsplit(setup.attempt.task.website).netloc
    return Walker([f"http://{own}/die", f"http://{own}/"])


class Crasher:
    async def decide(self, capture: Capture) -> Turn:
        raise ZeroDivisionError


def crasher(setup: AttemptSetup) -> Crasher:
    return Crasher()


async def ran(folder: Path, agent: str, **more: Any) -> list[Trajectory]:
    made = await run_eval_async(
        env={"use": "webgym_webapp.environment:WebappEnvironment", "options": {"file": str(FILE), "instances": 4}},
        agent={"use": agent},
        judge={"use": "exact"},
        browser={"sessions": 4, "width": 640, "height": 480},
        monitor={"serve": False},
        store={"root": str(folder)},
        **{"tasks": {"repeats": 2}, **more},
    )
    run = open_run(made.folder)
    return [run.trajectory(row.attempt_id) for row in run.rows()]


def kinds(made: list[Trajectory]) -> set[str]:
    return {outcome_kind(one.ending.outcome) for one in made}


async def test_solvers_succeed_at_every_task_and_doing_nothing_fails(tmp_path: Path):
    solved = await ran(tmp_path / "solved", "oracle")
    assert len(solved) == 6
    assert kinds(solved) == {"success"}
    failed = await ran(tmp_path / "idle", "webapp_test_agents:idle")
    assert kinds(failed) == {"failure"}
    asked = {one.attempt.attempt_id: one.attempt.task.instruction for one in solved}
    assert asked["add-some/0"] != "Put {item} on the list."
    credit = {one.attempt.task.task_id: one.ending.verdict.credit for one in failed}
    assert credit == {"add-milk": None, "add-some": None, "remove-all": 0.0}


def idle(setup: AttemptSetup) -> Walker:
    return Walker([], "nothing")


async def test_a_session_does_not_reach_the_instances_of_its_neighbours(tmp_path: Path):
    made = await ran(tmp_path, "webapp_test_agents:neighbour_visitor")
    seen = [one for trajectory in made for one in (step.observation for step in trajectory.steps[1:])]
    assert len(seen) == 12
    for one in seen:
        assert isinstance(one.effect, ActionFailure)
        assert one.effect.reason is FailedReason.EGRESS_REFUSED
    assert all("127.0.0.1" in trajectory.steps[0].observation.url for trajectory in made)


async def test_an_application_that_dies_is_not_the_agents_fault_and_the_attempt_is_tried_again(tmp_path: Path):
    [made] = await ran(tmp_path, "webapp_test_agents:killer", tasks={"count": 1})
    assert kinds([made]) == {"infrastructure"}
    assert made.ending.outcome.cause == "transport"
    assert "ended with code 7" in made.ending.outcome.message
    assert len(made.ending.failed_tries) == 2


async def test_an_agent_that_crashes_leaves_nothing_behind(tmp_path: Path):
    made = await ran(tmp_path, "webapp_test_agents:crasher")
    assert kinds(made) == {"infrastructure"}
    ports = {one.attempt.task.website.split(":")[2].strip("/").removesuffix("/list") for one in made}
    assert not [process for port in ports for process in alive(int(port))]


async def test_the_command_line_runs_it(tmp_path: Path):
    options = (
        "env.use=webgym_webapp.environment:WebappEnvironment",
        f"env.options.file={FILE}",
        "agent.use=oracle",
        "judge.use=exact",
        "browser.sessions=2",
        "monitor.serve=false",
        f"store.root={tmp_path}",
    )
    done = await anyio.run_process([sys.executable, "-m", "webgym", "eval", *options, "--json"], check=False)
    assert done.returncode == 0, done.stderr.decode()
    assert json.loads(done.stdout)["outcomes"]["success"] == 3
