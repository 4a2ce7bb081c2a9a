"""Most replies malformed: told once in the middle, and in the summary."""

from __future__ import annotations

from types import SimpleNamespace

import msgspec
import pytest
from tests.unit.runs.test_summary import row

from webgym.engine.settings import EngineSettings
from webgym.monitor.board import Board
from webgym.records.curve import Iteration
from webgym.records.event import AttemptBegan, Event, StepDecided
from webgym.run.figures import tried
from webgym.run.malformed_replies import MalformedReplies
from webgym.run.open_training import Needs, events_for
from webgym.run.summary import summarise
from webgym.telemetry.events import EventBus


def told(*actions: str) -> list[str]:
    said: list[str] = []
    events = EventBus(MalformedReplies(said.append))
    for number, action in enumerate(actions):
        events.emit(AttemptBegan(f"a-{number}"))
        events.emit(StepDecided(f"a-{number}", 1, action))
    return said


def test_more_than_half_is_told_once():
    [warning] = told(*["malformed"] * 30)
    assert warning.startswith("warning: 10 of 10 replies were malformed (100%)")
    assert "agent.dialect" in warning
    assert "policy.max_tokens" in warning
    [later] = told(*["click", "malformed"] * 8, "malformed", "malformed")
    assert later.startswith("warning: 9 of 17 replies were malformed (53%)")


def test_training_tells_it_too_beside_whatever_else_is_told():
    said, happened, counted = list[str](), list[Event](), list[Event]()
    progress = SimpleNamespace(on_message=said.append, on_event=happened.append)
    events = events_for(Board(), progress, Needs(EngineSettings(), 1, (counted.append,)))
    for number in range(10):
        events.emit(StepDecided(f"00001/t/{number}", 1, "malformed"))
    assert [line[:41] for line in said] == ["warning: 10 of 10 replies were malformed "]
    assert len(happened) == len(counted) == 10


@pytest.mark.parametrize(
    "actions", [["malformed"] * 9, ["click", "malformed"] * 20, ["malformed"] * 5 + ["click"] * 30]
)
def test_half_of_them_or_a_few_are_not(actions: list[str]):
    assert not told(*actions)


def test_a_summary_and_the_line_of_an_iteration_warn_too():
    rows = [msgspec.structs.replace(row(number, "truncated", steps=5), malformed=5) for number in range(4)]
    good = [row(number, "success", steps=5) for number in range(4, 8)]
    found = summarise(rows)
    assert (found.malformed, found.replies) == (20, 20)
    assert found.warnings[0].startswith("20 of 20 replies were malformed (100%)")
    assert not summarise([*rows, *good]).warnings
    iteration = Iteration(1, 1, 0.0, tried(rows), None, tried(good), {}, 0.0, 0.0)
    [warning] = iteration.warnings
    assert warning.startswith("training: 20 of 20 replies were malformed")
