"""What is printed in the end."""

from __future__ import annotations

from io import StringIO
from pathlib import Path

import msgspec
import pytest
from rich.console import Console

from webgym.curves.about import RunFacts
from webgym.curves.app import encoded
from webgym.errors import ConfigError
from webgym.records.curve import AttemptResults, Iteration, Lengths, Rate
from webgym.store.compare import Comparison
from webgym.store.statistics import Interval
from webgym_nano.commands.teller import DemoTeller
from webgym_nano.demo.budget import Budget
from webgym_nano.demo.full_length import shipped_curve
from webgym_nano.demo.outcome import Course, Outcome, course_of
from webgym_nano.shipped import SUITE

NONE = Lengths(0, 0.0, 0.0)


def tried(successes: int, attempts: int) -> AttemptResults:
    rate = Rate(successes, attempts, successes / attempts, 0.3, 0.6)
    outcomes = {"success": successes, "failure": attempts - successes}
    return AttemptResults(rate, {"easy": rate}, outcomes, NONE, NONE, attempts, 11)


def iteration(
    number: int, *, train: AttemptResults | None = None, evaluation: AttemptResults | None = None
) -> Iteration:
    return Iteration(number, number, 0.0, train, None, evaluation, {"collect": 20.0}, 1.0, 1.0)


CURVE = [
    iteration(0, evaluation=tried(36, 80)),
    iteration(1, train=tried(10, 24)),
    iteration(2, train=tried(12, 24), evaluation=tried(40, 80)),
]
FEW = [iteration(0, evaluation=tried(3, 11)), iteration(1, train=tried(7, 8), evaluation=tried(4, 11))]


def compared(low: float, high: float, tasks: int = 80) -> Comparison:
    return Comparison("before", "after", tasks, 0, 0, 0, 0.45, 0.5, Interval(0.05, low, high, tasks), (), (), 0.5)


def printed(outcome: Outcome, *, stopped: bool = False, stays: bool = False) -> str:
    out = StringIO()
    console = Console(file=out, width=80, highlight=False, soft_wrap=True)
    DemoTeller(console, Budget(60), Path("runs/demo"), stays=stays).concluded(outcome, stopped=stopped)
    return out.getvalue()


def test_before_and_after_stand_beside_the_run_at_full_length():
    full = Course(40, 2560, Rate(120, 300, 0.4, 0.35, 0.46), Rate(180, 300, 0.6, 0.54, 0.65))
    text = printed(Outcome(course_of(CURVE), compared(-0.06, 0.16), full, Path("runs/demo/report.html")))
    lines = text.splitlines()
    this = next(line for line in lines if line.startswith("this run "))
    assert this.split("  ")[0] == "this run"
    assert "45.0% (30 to 60)" in this
    assert "50.0% (30 to 60)" in this
    assert this.rstrip().endswith("80     48 attempts")
    other = next(line for line in lines if line.startswith("at full length"))
    assert "40.0% (35 to 46)" in other
    assert "60.0% (54 to 65)" in other
    assert "2,560 attempts" in other
    assert max(len(line.rstrip()) for line in (this, other)) <= 80
    assert "report: runs/demo/report.html" in text


@pytest.mark.parametrize(
    ("low", "high", "words"),
    [
        (-0.06, 0.16, "chance alone explains that"),
        (0.01, 0.09, "more than chance alone explains"),
        (-0.09, -0.01, "more than chance alone explains"),
    ],
)
def test_the_difference_is_told_as_it_is_with_its_interval(low, high, words):
    text = printed(Outcome(course_of(CURVE), compared(low, high), None, None))
    assert f"+5.0 points (95 % interval {100 * low:+.1f} to {100 * high:+.1f}, paired over 80 tasks)" in text
    assert words in text


def test_from_a_few_tasks_there_are_counts_and_neither_a_rate_nor_a_change():
    text = printed(Outcome(course_of(FEW), compared(-0.2, 0.3, 11), None, None))
    this = next(line for line in text.splitlines() if line.startswith("this run "))
    assert "3 solved" in this
    assert "4 solved" in this
    assert "%" not in text
    assert "11 tasks are too few to say whether that is a change: it takes 60" in text
    assert "--minutes" not in text  # nobody measured how many it would take


def test_the_shipped_curve_is_of_a_run_that_was_measured_on_the_whole_suite_before_and_after():
    curve = shipped_curve()
    assert curve is not None
    course = course_of(curve.iterations)
    assert course is not None
    assert course.after is not None
    tasks = len(SUITE.read_bytes().splitlines())
    assert (course.before.attempts, course.after.attempts) == (tasks, tasks)
    learned = [one for one in curve.iterations if one.learned is not None]
    assert len(learned) == course.iterations == curve.about.planned


def test_without_a_shipped_curve_nothing_is_said_of_it():
    assert "full length" not in printed(Outcome(course_of(CURVE), compared(0, 0), None, None))


def test_a_demo_that_was_stopped_says_how_to_go_on_and_claims_nothing():
    text = printed(Outcome(course_of(CURVE[:2]), None, None, Path("r.html")), stopped=True, stays=True)
    assert "this run" not in text
    assert "webgym view runs/demo" in text
    assert "webgym train --resume runs/demo" in text
    assert "keep running" not in text


def test_pages_that_stay_up_are_told():
    assert "Ctrl-C stops them" in printed(Outcome(course_of(CURVE), compared(0, 0), None, None), stays=True)


def test_a_course_counts_attempts_of_training_alone():
    course = course_of(CURVE)
    assert course is not None
    assert (course.iterations, course.episodes) == (2, 48)
    assert course.after == CURVE[-1].evaluation.success
    assert course_of(CURVE[:1]).after is None
    assert course_of([]) is None


def test_a_shipped_curve_is_one_as_the_page_of_curves_serves_it(tmp_path):
    path = tmp_path / "curve.json"
    assert shipped_curve(path) is None
    path.write_bytes(encoded(RunFacts("At full length", 2), CURVE))
    assert msgspec.to_builtins(shipped_curve(path).iterations) == msgspec.to_builtins(tuple(CURVE))
    path.write_bytes(b"{")
    with pytest.raises(ConfigError, match="cannot be read"):
        shipped_curve(path)
