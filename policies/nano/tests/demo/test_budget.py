"""A demo on machines of different speeds, simulated: it ends in time, and uses the time there is."""

from __future__ import annotations

from dataclasses import dataclass, field

import pytest

from webgym.records.curve import ENOUGH_FOR_A_RATE
from webgym.run.training.run_length import RunLength
from webgym_nano.demo.budget import PROBE, Budget

SUITE = 200
GROUPS, MEMBERS = 6, 4


@dataclass
class Machine:
    """Does what the loop of training does, and counts seconds."""

    attempt: float
    """Seconds of one, when several run at once."""
    update: float
    """Seconds of learning from one."""
    starting: float = 15.0
    slower: float = 1.0
    """How many times as long the last evaluation takes."""
    now: float = 1000.0
    tests: int = 0
    sizes: list[int] = field(default_factory=list)

    def run(self, seconds: float) -> float:
        """What it took in all."""
        began = self.now
        budget = Budget(seconds, clock=lambda: self.now)
        self.now += self.starting
        while count := budget.more_tests(self.tests, SUITE):
            self.tests += count
            self.now += count * self.attempt
        iteration = 0
        while True:
            iteration += 1
            size = budget.groups(GROUPS, MEMBERS)
            self.sizes.append(size)
            self.now += size * MEMBERS * (self.attempt + self.update)
            if budget.is_last(iteration):
                break
        self.now += self.tests * self.attempt * self.slower
        return self.now - began


def test_it_is_what_training_asks():
    pace: RunLength = Budget(60)
    assert pace.more_tests(0, 200) == PROBE


@pytest.mark.parametrize("attempt", [0.1, 0.5, 1.5, 3.0])
@pytest.mark.parametrize("update", [0.05, 0.5, 2.0])
@pytest.mark.parametrize("minutes", [5, 9, 20])
def test_it_ends_in_time_and_does_not_stop_long_before(attempt: float, update: float, minutes: int):
    machine = Machine(attempt, update)
    took = machine.run(minutes * 60)
    assert 0.7 * minutes * 60 < took <= minutes * 60
    assert machine.tests >= PROBE
    assert sum(machine.sizes) >= 1


def test_two_cores_make_about_150_attempts_to_learn_from_in_nine_minutes():
    machine = Machine(attempt=1.0, update=0.8)
    machine.run(540)
    assert 110 <= sum(machine.sizes) * MEMBERS <= 190
    assert 80 <= machine.tests <= 110


def test_a_machine_that_is_far_too_slow_still_tests_learns_and_tests_again():
    machine = Machine(attempt=20.0, update=20.0)
    machine.run(120)
    assert machine.tests == PROBE
    assert machine.sizes == [1]


def test_a_slower_machine_takes_more_of_the_time_for_tests_if_that_makes_a_rate_of_them():
    machine = Machine(attempt=2.5, update=2.0)
    assert machine.run(540) <= 540
    assert ENOUGH_FOR_A_RATE <= machine.tests < 70
    assert sum(machine.sizes) >= 1


def test_a_machine_too_slow_for_that_keeps_the_time_for_learning():
    machine = Machine(attempt=3.5, update=2.0)
    machine.run(540)
    assert PROBE < machine.tests < 40
    assert sum(machine.sizes) > 2


def test_a_machine_whose_probe_was_slow_is_looked_at_again():
    now = 0.0
    budget = Budget(540, clock=lambda: now)
    assert budget.more_tests(0, SUITE) == PROBE
    now = 8 * 5.0  # the browsers were new
    made = PROBE + budget.more_tests(PROBE, SUITE)
    assert made < ENOUGH_FOR_A_RATE
    assert budget.minutes_for_a_rate > 9
    now += (made - PROBE) * 1.5
    made += budget.more_tests(made, SUITE)
    assert made >= ENOUGH_FOR_A_RATE
    assert budget.minutes_for_a_rate == 0
    now += 60
    assert budget.more_tests(made, SUITE) == 0


def test_few_tasks_do_not_make_a_machine_slow():
    now = 0.0
    budget = Budget(540, clock=lambda: now)
    budget.more_tests(0, 20)
    now = 16.0
    assert budget.more_tests(8, 20) == 12
    assert budget.minutes_for_a_rate == 0


def test_a_fast_machine_takes_all_tasks_and_whole_iterations():
    machine = Machine(attempt=0.02, update=0.01)
    machine.run(540)
    assert machine.tests == SUITE
    assert set(machine.sizes[:-1]) == {GROUPS}


def test_agents_that_take_more_steps_after_learning_do_not_break_the_budget():
    assert Machine(attempt=1.0, update=0.5, slower=1.15).run(540) <= 540


def test_fewer_tasks_than_it_would_probe_with_are_all_taken():
    now = 0.0
    budget = Budget(60, clock=lambda: now)
    assert budget.more_tests(0, 3) == 3
    now = 1.0
    assert budget.more_tests(3, 3) == 0


def test_what_is_left_is_told():
    now = 0.0
    budget = Budget(60, clock=lambda: now)
    now = 70.0
    assert budget.left == -10.0
