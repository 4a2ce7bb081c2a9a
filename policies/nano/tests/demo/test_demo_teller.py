"""What a demo says while it runs: in a terminal, and in a file."""

from __future__ import annotations

import re
from io import StringIO
from pathlib import Path

import anyio
import pytest
from policies.nano.tests.demo.test_demo_outcome import iteration, tried
from rich.console import Console

from webgym.records.event import AttemptEnded, AttemptSubmitted
from webgym_nano.commands.teller import DemoTeller
from webgym_nano.demo.budget import Budget

pytestmark = pytest.mark.anyio
PATIENCE = 30


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def teller(out: StringIO, budget: Budget | None = None, *, terminal: bool = False, silence: float = 25.0) -> DemoTeller:
    console = Console(file=out, width=300, highlight=False, force_terminal=terminal, _environ={"TERM": "xterm"})
    return DemoTeller(console, budget or Budget(540), Path("runs/demo"), stays=False, silence=silence)


def evaluated(each: float, minutes: int = 9, there: int = 200) -> tuple[Budget, int]:
    """A budget after its first evaluation, on a machine with so many seconds per task, and the number of tasks."""
    clock = Clock()
    budget = Budget(minutes * 60, clock)
    made = 0
    while count := budget.more_tests(made, there):
        made += count
        clock.now += count * each
    return budget, made


async def test_where_there_is_no_terminal_a_silence_ends_with_what_is_going_on():
    out = StringIO()
    told = teller(out, silence=0.02)
    with told:
        told.welcome(9)
        told.evaluating(0, 54, None)
        for number in range(3):
            told.happened(AttemptEnded(f"a{number}", "success" if number else "failure", 4, 9.0))
        with anyio.fail_after(PATIENCE):
            async with anyio.create_task_group() as tasks:
                tasks.start_soon(told.break_silence)
                while out.getvalue().count("before: tasks on unseen websites; 3 of 54 attempts finished, 2 solved") < 2:
                    await anyio.sleep(0.005)
                tasks.cancel_scope.cancel()
    assert re.search(r"^  0:0\d  before: tasks on unseen websites; 3 of 54", out.getvalue(), re.MULTILINE)


async def test_it_is_silent_no_longer_than_said_and_other_lines_count():
    """Every line moves the next one, so a file is not filled with what was just said."""
    out = StringIO()
    told = teller(out, silence=0.4)
    told.welcome(9)
    before = out.getvalue()
    with anyio.move_on_after(1.2):
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(told.break_silence)
            while True:
                await anyio.sleep(0.1)
                told.say("a line")
    assert "starting the trainer" not in out.getvalue()[len(before) :]


async def test_attempts_of_a_round_are_counted_and_then_its_update_is_told():
    out = StringIO()
    told = teller(out)
    told.ended(iteration(0, evaluation=tried(18, 80)))
    for number in range(2):
        told.happened(AttemptSubmitted(f"a{number}", "task"))
    told.happened(AttemptEnded("a0", "success", 4, 9.0))
    assert "learning, round 1   1 of 2 attempts finished, 1 solved" in told.__rich__().plain
    assert "updating" not in told.__rich__().plain
    told.happened(AttemptEnded("a1", "failure", 4, 9.0))
    assert "2 of 2 attempts finished, 1 solved   updating the weights" in told.__rich__().plain


async def test_in_a_terminal_the_clock_goes_on_while_nothing_happens():
    out, clock = StringIO(), Clock()
    with teller(out, Budget(540, clock), terminal=True) as told:
        told.welcome(9)
        with anyio.fail_after(PATIENCE):
            while "9:00 left" not in out.getvalue():
                await anyio.sleep(0.02)
            clock.now = 7.0
            while "8:53 left" not in out.getvalue():
                await anyio.sleep(0.02)


async def test_a_terminal_has_no_lines_between():
    out = StringIO()
    told = teller(out, terminal=True, silence=0.0)
    told.welcome(9)
    before = out.getvalue()
    with anyio.fail_after(PATIENCE):
        await told.break_silence()
    assert out.getvalue() == before


def test_a_round_is_told_when_it_ends_and_not_again_with_the_evaluation():
    out = StringIO()
    told = teller(out)
    over = iteration(1, train=tried(7, 8))
    told.trained(over)
    assert "round 1: 7 of 8 attempts solved" in out.getvalue()
    told.evaluating(1, 80, None)
    told.ended(iteration(1, train=tried(7, 8), evaluation=tried(20, 80)))
    assert out.getvalue().count("round 1") == 1
    assert "after: 25.0% of 80 tasks solved" in out.getvalue()


def test_the_last_evaluation_is_not_taken_for_more_of_the_round_before_it():
    out = StringIO()
    told = teller(out)
    told.ended(iteration(0, evaluation=tried(18, 80)))
    told.happened(AttemptSubmitted("a0", "task"))
    told.happened(AttemptEnded("a0", "success", 4, 9.0))
    told.trained(iteration(1, train=tried(1, 1)))
    told.evaluating(1, 80, None)
    told.happened(AttemptSubmitted("b0", "task"))
    told.happened(AttemptEnded("b0", "failure", 4, 9.0))
    assert "after: the same tasks again   1 of 80 attempts finished, 0 solved" in told.__rich__().plain


def test_few_tasks_are_told_as_counts():
    out = StringIO()
    teller(out).ended(iteration(0, evaluation=tried(3, 11)))
    assert "before: 3 of 11 tasks solved, on 11 unseen websites" in out.getvalue()
    assert "%" not in out.getvalue()


def test_a_machine_that_is_too_slow_for_a_rate_is_told_what_time_it_would_take():
    out = StringIO()
    budget, planned = evaluated(each=8.0)
    teller(out, budget).ended(iteration(0, evaluation=tried(3, planned)))
    assert planned < 60
    told = re.findall(r"too slow for a success rate .* takes 60 tasks .* --minutes (\d+) would do", out.getvalue())
    minutes = int(told[0])
    assert evaluated(8.0, minutes)[1] >= 60
    assert evaluated(8.0, minutes - 2)[1] < 60


def test_nobody_is_told_of_a_machine_that_is_fast_enough():
    out = StringIO()
    budget, planned = evaluated(each=1.0)
    teller(out, budget).ended(iteration(0, evaluation=tried(3, planned)))
    assert planned >= 60
    assert "too slow" not in out.getvalue()
