"""The state of a rollout, built from its events in constant time per event."""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable

from webgym.monitor import states
from webgym.monitor.cells import NO_SLOT, Cell, CellGrid
from webgym.monitor.history import MOST_LINES, Histories
from webgym.monitor.meters import Latencies, RateMeter
from webgym.monitor.metrics import TotalsCollector
from webgym.monitor.wire import BoardTotals, Detail, HistoryLine, OperationFigures, Update
from webgym.records import event as events
from webgym.records.event import OPERATIONS, Event, Operation
from webgym.telemetry.attempt_metrics import AttemptMetrics

MOST_CELLS = 10_000
_LONGEST_NAME = 200
_LONGEST_TEXT = 500


class _OperationBook:
    """Counters of one operation."""

    def __init__(self) -> None:
        self.limit: int | None = None
        self.done = 0
        self.errors = 0
        self.last_error = ""
        self.queued = Latencies()
        self.took = Latencies()

    def end(self, seconds: float, error: str) -> None:
        self.done += 1
        self.took.add(seconds)
        if error:
            self.errors += 1
            self.last_error = error[:_LONGEST_NAME]

    def figures(self, queued: int, running: int) -> OperationFigures:
        return OperationFigures(
            limit=self.limit,
            queued=queued,
            running=running,
            done=self.done,
            errors=self.errors,
            last_error=self.last_error,
            queued_p50=self.queued.percentile(50),
            queued_p95=self.queued.percentile(95),
            p50=self.took.percentile(50),
            p95=self.took.percentile(95),
        )


class Board:
    """The state of a rollout, as an event sink that never blocks.

    At most `most` attempts have a cell: every open one if there is room, and the ones that ended last. Open attempts
    beyond that are only counted. Not thread-safe.
    """

    def __init__(
        self, *, most: int = MOST_CELLS, most_lines: int = MOST_LINES, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self.epoch = secrets.token_hex(8)
        self.version = 1
        self.over = False
        self.lost = 0
        """Number of events that the feeder of the board knows to be missing."""
        self._clock = clock
        self._start = clock()
        self._grid = CellGrid(most)
        self._cells: dict[str, Cell] = {}
        """All open attempts, and ended ones that still have a cell."""
        self._counts = [0] * len(states.STATES)
        self._submitted = 0
        self._hidden = 0
        self._books = {operation: _OperationBook() for operation in OPERATIONS}
        self._histories = Histories(most_lines)
        self._steps = RateMeter()
        self._ends = RateMeter()
        self.metrics = AttemptMetrics()
        """The same events as Prometheus metrics."""
        self.metrics.registry.register(TotalsCollector(self.totals))

    @property
    def elapsed(self) -> float:
        """Seconds since the board was created."""
        return self._clock() - self._start

    def apply(self, event: Event) -> None:
        """Apply an event."""
        self.metrics.record(event)
        match event:
            case events.AttemptSubmitted():
                self._submit(event)
            case events.AttemptBegan():
                self._begin(event)
            case events.OperationQueued():
                self._operate(event.attempt, states.queued(event.operation), event.step)
            case events.OperationStarted():
                self._books[event.operation].queued.add(event.queued)
                self._operate(event.attempt, states.running(event.operation), event.step)
            case events.OperationEnded():
                self._end_operation(event)
            case events.StepDecided():
                self._decide(event)
            case events.AttemptEnded():
                self._end(event)
            case events.LimitChanged():
                self._books[event.operation].limit = event.limit
            case _:
                return
        self.version += 1

    def finish(self) -> None:
        """Mark the rollout as over: no more events will come."""
        self.over = True
        self.version += 1

    def snapshot(self) -> Update:
        """Return the full state."""
        return self.changes_since(0)

    def changes_since(self, version: int) -> Update:
        """Return what changed after a version, in time proportional to the number of changes."""
        changed = self._grid.changed_since(version)
        return Update(
            epoch=self.epoch,
            version=self.version,
            since=version,
            elapsed=round(self.elapsed, 3),
            over=self.over,
            named=tuple(cell.named() for cell in changed if cell.seated > version),
            cells=tuple(number for cell in changed for number in cell.numbers()),
            totals=self.totals(),
        )

    def totals(self) -> BoardTotals:
        now = self.elapsed
        return BoardTotals(
            submitted=self._submitted,
            counts=tuple(self._counts),
            hidden=self._hidden,
            lost=self.lost,
            operations=tuple(self._figures(operation) for operation in OPERATIONS),
            steps=self._steps.read(now),
            attempts=self._ends.read(now),
        )

    def detail(self, attempt: str) -> Detail | None:
        """Return the details of an attempt; None if it is unknown or no longer on the board."""
        cell = self._cells.get(attempt)
        if cell is None:
            return None
        status, operation = states.STATES[cell.state]
        return Detail(
            attempt=cell.attempt,
            task=cell.task,
            site=cell.site,
            level=cell.level,
            group=cell.group,
            instruction=cell.instruction,
            status=status,
            operation=operation,
            step=cell.step,
            tries=cell.tries,
            began=cell.began,
            since=cell.since,
            now=self.elapsed,
            detail=cell.detail,
            last_error=cell.last_error,
            screenshot=cell.screenshot,
            history=tuple(cell.past.lines),
        )

    def _submit(self, event: events.AttemptSubmitted) -> None:
        cell = self._cell(event.attempt)
        cell.task, cell.site = event.task[:_LONGEST_NAME], event.site[:_LONGEST_NAME]
        cell.level, cell.group = event.level[:_LONGEST_NAME], event.group[:_LONGEST_NAME]
        cell.instruction = event.instruction[:_LONGEST_TEXT]
        cell.seated = self.version + 1
        self._touch(cell)

    def _begin(self, event: events.AttemptBegan) -> None:
        cell = self._cell(event.attempt)
        if not states.is_open(cell.state):
            return
        self._histories.clear(cell.past)
        cell.tries, cell.step, cell.screenshot = event.try_number, 0, ""
        if cell.began is None:
            cell.began = self.elapsed
        self._move(cell, states.BETWEEN)

    def _operate(self, attempt: str, state: int, step: int) -> None:
        cell = self._cell(attempt)
        if not states.is_open(cell.state):
            return  # operations after the end do not change the outcome
        cell.step = step or cell.step
        self._move(cell, state)

    def _end_operation(self, event: events.OperationEnded) -> None:
        self._books[event.operation].end(event.seconds, event.error)
        cell = self._cells.get(event.attempt)
        if cell is None:
            return
        if event.error:
            cell.last_error = f"{event.operation}: {event.error}"[:_LONGEST_NAME]
        if cell.state == states.running(event.operation):
            self._move(cell, states.BETWEEN)

    def _decide(self, event: events.StepDecided) -> None:
        self._steps.count(self.elapsed)
        cell = self._cell(event.attempt)
        cell.step, cell.screenshot = event.step, event.screenshot[:_LONGEST_NAME]
        line = HistoryLine(
            step=event.step,
            action=event.action[:_LONGEST_NAME],
            sentence=event.sentence[:_LONGEST_TEXT],
            url=event.url[:_LONGEST_TEXT],
            screenshot=cell.screenshot,
        )
        self._histories.add(cell.past, line)
        self._touch(cell)

    def _end(self, event: events.AttemptEnded) -> None:
        cell = self._cell(event.attempt)
        if not states.is_open(cell.state):
            return  # an attempt ends once
        self._ends.count(self.elapsed)
        cell.step, cell.detail = event.steps, event.detail[:_LONGEST_TEXT]
        self._move(cell, states.ended(event.outcome))
        if cell.slot == NO_SLOT:
            self._hidden -= 1
            self._drop(cell)
        else:
            self._grid.end(cell)

    def _cell(self, attempt: str) -> Cell:
        """Return the cell of an attempt; a new one if its submission was missed."""
        cell = self._cells.get(attempt)
        if cell is None:
            now = self.elapsed
            cell = self._cells[attempt] = Cell(attempt, submitted=now, since=now)
            self._submitted += 1
            self._hidden += 1
            self._counts[cell.state] += 1
        if cell.slot == NO_SLOT:
            self._seat(cell)
        return cell

    def _seat(self, cell: Cell) -> None:
        gone = self._grid.seat(cell)
        if gone is not None:
            self._drop(gone)
        if cell.slot != NO_SLOT:
            self._hidden -= 1
            cell.seated = self.version + 1
            self._touch(cell)

    def _drop(self, cell: Cell) -> None:
        del self._cells[cell.attempt]
        self._histories.clear(cell.past)

    def _move(self, cell: Cell, state: int) -> None:
        self._counts[cell.state] -= 1
        self._counts[state] += 1
        cell.state, cell.since = state, self.elapsed
        self._touch(cell)

    def _touch(self, cell: Cell) -> None:
        if cell.slot != NO_SLOT:
            self._grid.touch(cell, self.version + 1)

    def _figures(self, operation: Operation) -> OperationFigures:
        queued, running = self._counts[states.queued(operation)], self._counts[states.running(operation)]
        return self._books[operation].figures(queued, running)
