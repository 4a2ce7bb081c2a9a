"""What events make of a board."""

from __future__ import annotations

import pytest
from tests.unit.monitor.boards import board_and_clock, counted, decide, end, state_of, submit

from webgym.monitor import states
from webgym.monitor.board import Board
from webgym.monitor.wire import HistoryLine
from webgym.records import event as events
from webgym.records.event import OPERATIONS
from webgym.records.trajectory import OUTCOME_KINDS


def test_an_attempt_goes_from_waiting_through_its_operations_to_its_outcome():
    board, clock = board_and_clock()
    submit(board, "a")
    assert state_of(board, "a") == ("waiting", "")
    board.apply(events.AttemptBegan("a"))
    assert state_of(board, "a") == ("running", "")
    for operation in OPERATIONS:
        board.apply(events.OperationQueued("a", operation, 2))
        assert state_of(board, "a") == ("queued", operation)
        clock.now += 1
        board.apply(events.OperationStarted("a", operation, 2, queued=1.0))
        assert state_of(board, "a") == ("running", operation)
        board.apply(events.OperationEnded("a", operation, 2, seconds=0.5))
        assert state_of(board, "a") == ("running", "")
    end(board, "a", outcome="truncated")
    assert state_of(board, "a") == ("truncated", "")


@pytest.mark.parametrize("outcome", OUTCOME_KINDS)
def test_every_outcome_is_counted_once_and_stays(outcome):
    board, _ = board_and_clock()
    submit(board, "a", "b")
    end(board, "a", outcome=outcome)
    end(board, "a", outcome="success")
    board.apply(events.AttemptBegan("a", 2))
    board.apply(events.OperationQueued("a", "close", 1))
    assert counted(board) == {"waiting": 1, outcome: 1}
    assert board.totals().submitted == 2
    assert board.totals().attempts.total == 1


def test_an_attempt_whose_submission_was_missed_is_counted_when_it_is_first_heard_of():
    board, _ = board_and_clock()
    board.apply(events.OperationStarted("a", "act", 3))
    assert counted(board) == {"running": 1}
    assert board.totals().submitted == 1
    submit(board, "a")
    assert board.totals().submitted == 1
    assert state_of(board, "a") == ("running", "act")


def test_the_end_of_an_operation_of_an_unknown_attempt_counts_for_the_operation_only():
    board, _ = board_and_clock()
    board.apply(events.OperationEnded("gone", "act", 3, seconds=2.0))
    assert board.totals().submitted == 0
    assert board.totals().operations[OPERATIONS.index("act")].done == 1


def test_operations_have_limit_running_queued_latencies_and_errors():
    board, _ = board_and_clock()
    submit(board, "a", "b", "c")
    board.apply(events.LimitChanged("infer", 8, "configured"))
    for seconds in range(1, 101):
        board.apply(events.OperationStarted("a", "infer", 1, queued=seconds / 10))
        board.apply(events.OperationEnded("a", "infer", 1, seconds=float(seconds)))
    board.apply(events.OperationEnded("a", "infer", 1, seconds=1.0, error="policy_unavailable"))
    board.apply(events.OperationStarted("a", "infer", 2))
    board.apply(events.OperationQueued("b", "infer", 1))
    board.apply(events.OperationQueued("c", "infer", 1))
    infer = board.totals().operations[OPERATIONS.index("infer")]
    assert (infer.limit, infer.running, infer.queued) == (8, 1, 2)
    assert (infer.p50, infer.p95) == (50.0, 95.0)
    assert infer.queued_p50 == pytest.approx(5.0, abs=0.1)
    assert infer.queued_p95 == pytest.approx(9.5, abs=0.1)
    assert (infer.done, infer.errors, infer.last_error) == (101, 1, "policy_unavailable")
    assert board.detail("a").last_error == "infer: policy_unavailable"
    assert board.totals().operations[OPERATIONS.index("judge")].p50 is None


def test_the_last_steps_are_kept_with_what_was_seen():
    board, _ = board_and_clock()
    submit(board, "a")
    decide(board, "a", 1, sentence="Click it", url="http://shop", screenshot="sha256:1")
    decide(board, "a", 2)
    detail = board.detail("a")
    assert detail.history[0] == HistoryLine(1, "click", "Click it", "http://shop", "sha256:1")
    assert (detail.step, detail.screenshot, len(detail.history)) == (2, "", 2)


def test_a_new_try_begins_with_an_empty_history():
    board, _ = board_and_clock()
    submit(board, "a")
    board.apply(events.AttemptBegan("a", 1))
    decide(board, "a", 1, screenshot="sha256:1")
    board.apply(events.AttemptBegan("a", 2))
    detail = board.detail("a")
    assert (detail.tries, detail.step, detail.history, detail.screenshot) == (2, 0, (), "")


def test_throughput_is_that_of_the_last_minute_and_of_all_time():
    board, clock = board_and_clock()
    submit(board, *(str(number) for number in range(60)))
    for second in range(60):
        clock.now += 1
        decide(board, str(second), 1)
    clock.now += 60
    for number in range(30):
        decide(board, str(number), 2)
    end(board, "0")
    steps, attempts = board.totals().steps, board.totals().attempts
    assert steps.total == 90
    assert steps.last_minute == pytest.approx(30, rel=0.15)
    assert steps.overall == pytest.approx(45, rel=0.02)
    assert sum(steps.recent) == 90
    assert (attempts.total, attempts.overall) == (1, 0.5)


def test_when_all_cells_are_taken_those_that_ended_first_make_room():
    board, _ = board_and_clock(most=3)
    submit(board, "a", "b", "c")
    end(board, "b", "a")
    submit(board, "d")
    assert board.detail("b") is None
    assert board.detail("a") is not None
    assert counted(board) == {"waiting": 2, "success": 2}
    assert board.totals().submitted == 4
    assert board.totals().hidden == 0


def test_open_attempts_beyond_the_cells_are_counted_and_get_a_cell_when_one_is_free():
    board, _ = board_and_clock(most=2)
    submit(board, "a", "b", "c", "d")
    assert board.totals().hidden == 2
    assert counted(board) == {"waiting": 4}
    board.apply(events.OperationStarted("c", "act", 1))
    assert counted(board) == {"waiting": 3, "running": 1}
    end(board, "d", outcome="blocked")
    assert board.totals().hidden == 1
    assert counted(board) == {"waiting": 2, "running": 1, "blocked": 1}
    end(board, "a")
    board.apply(events.OperationEnded("c", "act", 1))
    decide(board, "c", 1)
    assert board.totals().hidden == 0
    assert [named.attempt for named in board.snapshot().named if named.slot == 0] == ["c"]


def test_events_of_other_parts_change_nothing():
    board, _ = board_and_clock()
    version = board.version
    board.apply(events.NodeJoined("n", "http://n", 4))
    assert board.version == version


def test_a_finished_board_says_so():
    board, _ = board_and_clock()
    board.finish()
    assert board.snapshot().over


def test_texts_of_any_length_are_kept_short():
    board = Board()
    board.apply(events.AttemptSubmitted("a", "t" * 10_000, "s" * 10_000, instruction="i" * 10_000))
    decide(board, "a", 1, sentence="x" * 100_000, url="u" * 100_000, screenshot="p" * 100_000)
    end(board, "a")
    detail = board.detail("a")
    texts = (detail.task, detail.site, detail.instruction, detail.history[0].sentence, detail.history[0].url)
    assert max(map(len, texts)) <= 500


def test_every_state_has_a_name():
    assert len({*states.STATES}) == len(states.STATES)
    assert {status for status, _ in states.STATES} == set(states.STATUSES)
