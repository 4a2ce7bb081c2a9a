"""Histories are bounded, each and together."""

from __future__ import annotations

from webgym.monitor.history import Histories, Past
from webgym.monitor.wire import HistoryLine


def steps_of(past: Past) -> list[int]:
    return [line.step for line in past.lines]


def test_an_attempt_keeps_its_latest_lines():
    histories, past = Histories(most=100, most_each=3), Past()
    for step in range(6):
        histories.add(past, HistoryLine(step, "click"))
    assert steps_of(past) == [3, 4, 5]


def test_when_there_are_too_many_in_all_the_oldest_line_of_all_goes():
    histories, old, new = Histories(most=4, most_each=10), Past(), Past()
    for step in range(3):
        histories.add(old, HistoryLine(step, "click"))
    for step in range(3):
        histories.add(new, HistoryLine(step, "click"))
    assert (steps_of(old), steps_of(new)) == ([2], [0, 1, 2])
    assert len(histories) == 4


def test_lines_that_were_given_up_are_not_forgotten_twice():
    histories, past, other = Histories(most=4, most_each=2), Past(), Past()
    for step in range(3):
        histories.add(past, HistoryLine(step, "click"))
    histories.clear(past)
    histories.add(past, HistoryLine(9, "click"))
    for step in range(3):
        histories.add(other, HistoryLine(step, "click"))
    assert steps_of(past) == [9]
    assert steps_of(other) == [1, 2]
    for step in range(4):
        histories.add(other, HistoryLine(step, "click"))
    assert steps_of(past) == []
    assert len(histories) == 4
