"""A run is as long as planned, or as its minutes allow."""

from __future__ import annotations

from webgym.run.run_length import PlannedLength, TimeLimit, run_length


def test_without_minutes_the_iterations_decide():
    length = run_length(4, 0)
    assert length.planned == 4
    assert [length.done(iteration) for iteration in (1, 3)] == [0, 0.5]
    assert [length.is_last(iteration) for iteration in (3, 4)] == [False, True]


def test_minutes_end_a_run_before_its_iterations_and_count_those_before_a_resume():
    now = [100.0]
    length = TimeLimit(PlannedLength(1000), seconds=60, spent=20, clock=lambda: now[0])
    assert length.planned is None
    assert length.done(1) == 20 / 60
    assert not length.is_last(1)
    now[0] += 41
    assert length.done(2) == 1
    assert length.is_last(2)
    assert not run_length(1000, 5).is_last(1)
    assert run_length(1, 5).is_last(1)
