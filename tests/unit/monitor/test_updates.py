"""Whoever follows by updates knows what the board knows."""

from __future__ import annotations

import gc
import tracemalloc

import msgspec
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.unit.monitor.boards import board_and_clock, decide, end, submit

from webgym.monitor import states
from webgym.monitor.mirror import Mirror
from webgym.monitor.simulated import SimulationPlan, simulated_run
from webgym.monitor.wire import Update
from webgym.records import event as events
from webgym.records.event import OPERATIONS
from webgym.records.trajectory import OUTCOME_KINDS

ATTEMPTS = st.sampled_from([f"attempt {number}" for number in range(12)])
OPERATION = st.sampled_from(OPERATIONS)
STEPS = st.integers(0, 40)
EVENTS = st.one_of(
    st.builds(events.AttemptSubmitted, ATTEMPTS, st.text(max_size=5), st.text(max_size=5)),
    st.builds(events.AttemptBegan, ATTEMPTS, st.integers(1, 3)),
    st.builds(events.OperationQueued, ATTEMPTS, OPERATION, STEPS),
    st.builds(events.OperationStarted, ATTEMPTS, OPERATION, STEPS, st.floats(0, 100)),
    st.builds(events.OperationEnded, ATTEMPTS, OPERATION, STEPS, st.floats(0, 100), st.sampled_from(["", "timeout"])),
    st.builds(events.StepDecided, ATTEMPTS, STEPS, st.just("click")),
    st.builds(events.AttemptEnded, ATTEMPTS, st.sampled_from(OUTCOME_KINDS), STEPS, st.floats(0, 100)),
    st.builds(events.LimitChanged, OPERATION, st.integers(1, 99)),
)


def over_the_wire(update: Update) -> Update:
    return msgspec.json.decode(msgspec.json.encode(update), type=Update)


@settings(max_examples=200, deadline=None)
@given(
    st.lists(st.tuples(EVENTS, st.booleans(), st.sampled_from([0.0, 0.3, 7.0])), max_size=80),
    st.sampled_from([3, 6, 100]),
)
def test_changes_add_up_to_the_snapshot_whenever_they_are_taken(happenings, most):
    board, clock = board_and_clock(most=most)
    follower = Mirror()
    for event, read, seconds in happenings:
        clock.now += seconds
        board.apply(event)
        if read:
            follower.apply(over_the_wire(board.changes_since(follower.version)))
    follower.apply(over_the_wire(board.changes_since(follower.version)))
    newcomer = Mirror()
    newcomer.apply(over_the_wire(board.snapshot()))
    assert follower == newcomer
    totals = board.totals()
    assert sum(totals.counts) == totals.submitted
    assert min(totals.counts) >= 0
    kept = [seen for seen in newcomer.cells() if states.is_open(seen.state)]
    assert len(kept) + totals.hidden == sum(totals.counts[: states.FIRST_ENDED])
    assert len(newcomer.numbers) <= most


def test_an_update_holds_only_what_changed():
    board, _ = board_and_clock()
    submit(board, *(str(number) for number in range(1000)))
    version = board.version
    decide(board, "7", 1)
    end(board, "9")
    update = board.changes_since(version)
    assert len(update.cells) == 2 * 6
    assert update.named == ()
    assert len(msgspec.json.encode(update)) < 3000
    assert board.changes_since(board.version).cells == ()


def test_a_slot_that_changes_hands_is_named_anew():
    board, _ = board_and_clock(most=1)
    submit(board, "a")
    end(board, "a")
    version = board.version
    submit(board, "b")
    assert [named.attempt for named in board.changes_since(version).named] == ["b"]


def test_the_attempts_that_began_first_are_the_slowest():
    board, clock = board_and_clock()
    submit(board, "waits", "late", "early", "over")
    for attempt in ("over", "early", "late"):
        clock.now += 1
        board.apply(events.AttemptBegan(attempt))
    end(board, "over")
    mirror = Mirror()
    mirror.apply(board.snapshot())
    assert [seen.name.attempt for seen in mirror.slowest(5)] == ["early", "late"]
    assert [seen.name.attempt for seen in mirror.slowest(1)] == ["early"]


def test_memory_does_not_grow_with_the_length_of_a_run():
    board, clock = board_and_clock(most=20, most_lines=3000)

    def roll(first: int, count: int) -> None:
        for number in range(first, first + count):
            submit(board, f"attempt {number}")
            for step in range(1, 60):
                clock.now += 0.1
                decide(board, f"attempt {number}", step, sentence=f"do {number} {step}", url="http://shop/" * 10)
                board.apply(events.OperationStarted(f"attempt {number}", "act", step, 0.1))
                board.apply(events.OperationEnded(f"attempt {number}", "act", step, 0.2))
            end(board, f"attempt {number}")

    tracemalloc.start()
    try:
        roll(0, 60)  # as many lines as all histories together may have
        gc.collect()
        before, _ = tracemalloc.get_traced_memory()
        roll(60, 60)
        gc.collect()
        after, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert after < before * 1.1 + 50_000
    assert board.totals().submitted == 120


def test_a_simulated_run_comes_to_its_end_with_every_attempt_accounted_for():
    board, clock = board_and_clock()
    start, latest = clock.now, 0.0
    for at, event in simulated_run(SimulationPlan(attempts=60, at_once=12, seed=5)):
        assert at >= latest
        latest = at
        clock.now = start + at
        board.apply(event)
    counts = board.totals().counts
    assert sum(counts[: states.FIRST_ENDED]) == 0
    assert sum(counts[states.FIRST_ENDED :]) == 60
    assert all(figures.running == figures.queued == 0 for figures in board.totals().operations)


def test_simulated_runs_of_the_same_seed_are_the_same():
    plan = SimulationPlan(attempts=20, at_once=5, seed=2)
    assert list(simulated_run(plan)) == list(simulated_run(plan))
