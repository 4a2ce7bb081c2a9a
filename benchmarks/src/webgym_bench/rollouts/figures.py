"""Computes the reported metrics of a rollout run."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from webgym.records.event import Operation
from webgym_bench.figures import percentile
from webgym_bench.rollouts.vitals import Vitals
from webgym_bench.rollouts.watch import AttemptRecord, OperationRecord, Watch

BUSY_PARTS = 20
_LOOKING: tuple[Operation, ...] = ("open", "observe", "act", "navigate")


@dataclass(frozen=True)
class Spent:
    """How the slots spent their time, as shares that add up to 1."""

    inferring: float
    acting: float
    """Opening sessions, acting, loading pages and observing."""
    finishing: float
    """Judging and closing."""
    in_gates: float
    """Queueing for an operation."""
    at_step_barriers: float
    """Waiting for other attempts to decide or to act."""
    without_attempt: float
    """Empty slots: until a whole batch is over in lockstep, else only while the last attempts finish."""
    between: float
    """Recording, and overhead of the event loop."""


@dataclass(frozen=True)
class Figures:
    """The metrics of one way of running the rollouts."""

    seconds: float
    attempts: int
    steps: int
    steps_per_second: float
    steady_steps_per_second: float
    """Throughput while there was an attempt for every slot."""
    steady_seconds: float
    outcomes: dict[str, int]
    errors: dict[str, int]
    """Errors of operations, by code."""
    spent: Spent
    busy: tuple[float, ...]
    """Share of slots in an operation, over equal intervals of the run."""
    infer_ms_p50: float
    infer_ms_p95: float
    act_ms_p50: float
    act_ms_p95: float
    lag_ms_p50: float | None
    lag_ms_p99: float | None
    lag_ms_most: float | None
    computed_ms_p99: float | None
    """Part of the lag in which the loop's own thread was computing. The rest is due to other threads or processes."""
    starved: float
    """Share of the run in which the event loop was runnable but waited for a core: lag that is not our own."""
    peak_mb: float
    cpu_ms_per_step: float
    """CPU time of this process."""


@dataclass(frozen=True)
class Run:
    """The raw measurements of one run."""

    watch: Watch
    vitals: Vitals
    seconds: float
    slots: int
    batches: bool
    """Whether slots are refilled only once all are empty."""
    barrier_seconds: float = 0.0


def figures(run: Run) -> Figures:
    """Compute the metrics of a run."""
    operations, attempts = run.watch.operations, run.watch.attempts
    steps = sum(attempt.steps for attempt in attempts)
    steady = _steady_seconds(run)
    decided = sum(one.operation == "infer" and one.started + one.seconds <= steady for one in operations)
    infer = sorted(one.seconds * 1000 for one in operations if one.operation == "infer")
    act = sorted(one.seconds * 1000 for one in operations if one.operation in ("act", "navigate"))
    return Figures(
        seconds=round(run.seconds, 2),
        attempts=len(attempts),
        steps=steps,
        steps_per_second=round(steps / run.seconds, 3),
        steady_steps_per_second=round((steps if steady == run.seconds else decided) / steady, 3),
        steady_seconds=round(steady, 2),
        outcomes=dict(Counter(attempt.outcome for attempt in attempts)),
        errors=dict(Counter(one.error for one in operations if one.error)),
        spent=_spent(run),
        busy=_busy(operations, run.seconds, run.slots),
        infer_ms_p50=percentile(infer, 0.5),
        infer_ms_p95=percentile(infer, 0.95),
        act_ms_p50=percentile(act, 0.5),
        act_ms_p95=percentile(act, 0.95),
        lag_ms_p50=run.vitals.lag_ms(0.5),
        lag_ms_p99=run.vitals.lag_ms(0.99),
        lag_ms_most=run.vitals.lag_ms(1.0),
        computed_ms_p99=run.vitals.computed_ms(0.99),
        starved=round(run.vitals.starved_seconds / max(run.seconds, 1e-9), 3),
        peak_mb=round(run.vitals.peak_mb, 1),
        cpu_ms_per_step=round(run.vitals.cpu_seconds * 1000 / max(1, steps), 2),
    )


def _steady_seconds(run: Run) -> float:
    """Return when the last attempt began. After that slots only drain, which is part of every batch in lockstep."""
    if run.batches or len(run.watch.attempts) <= run.slots:
        return run.seconds
    return max(attempt.started for attempt in run.watch.attempts)


def _spent(run: Run) -> Spent:
    operations, attempts = run.watch.operations, run.watch.attempts
    total = run.seconds * run.slots
    inferring = sum(one.seconds for one in operations if one.operation == "infer")
    acting = sum(one.seconds for one in operations if one.operation in _LOOKING)
    finishing = sum(one.seconds for one in operations) - inferring - acting
    queued = sum(one.queued for one in operations)
    held = sum(attempt.seconds for attempt in attempts)
    between = held - inferring - acting - finishing - queued - run.barrier_seconds

    def share(seconds: float) -> float:
        return round(max(0.0, seconds) / total, 4)

    return Spent(
        share(inferring),
        share(acting),
        share(finishing),
        share(queued),
        share(run.barrier_seconds),
        share(total - held),
        share(between),
    )


def _busy(operations: Sequence[OperationRecord], seconds: float, slots: int) -> tuple[float, ...]:
    part = seconds / BUSY_PARTS
    busy = [0.0] * BUSY_PARTS
    for one in operations:
        start, end = one.started, one.started + one.seconds
        for index in range(max(0, int(start / part)), min(BUSY_PARTS, int(end / part) + 1)):
            busy[index] += max(0.0, min(end, (index + 1) * part) - max(start, index * part))
    return tuple(round(value / (part * slots), 3) for value in busy)


def same_work(first: Sequence[AttemptRecord], second: Sequence[AttemptRecord]) -> bool:
    """Return whether both ran the same attempts with the same numbers of steps."""
    return sorted((one.attempt, one.steps) for one in first) == sorted((one.attempt, one.steps) for one in second)
