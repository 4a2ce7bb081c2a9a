"""Computes the reported metrics from the records of a run."""

from __future__ import annotations

import math
import os
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

from webgym_bench.log import EpisodeRecord, StepRecord
from webgym_bench.processes import Memory, Usage


@dataclass(frozen=True)
class Figures:
    """The metrics of one system under one set of conditions."""

    steps: int
    steps_per_second: float
    cpu_ms_per_step: float
    """CPU time of the client and all processes of the system, opening and closing included, page server excluded."""
    cpu_ms_by: dict[str, float]
    """`cpu_ms_per_step` by kind of process."""
    pss_mb_per_session: float
    """Memory of all processes of the system, with every session open."""
    pss_mb_client: float
    """Memory of this process, which includes the whole driver of an in-process system."""
    processes: int
    p50_ms: float
    p95_ms: float
    open_p50_ms: float
    close_p50_ms: float
    bytes_per_step: float
    wrong_states: int
    wrong_by: dict[str, int]
    unsettled: int
    failures: int
    failures_by: dict[str, int]
    seconds: float
    busy_elsewhere: float
    """Share of the machine's CPU used by other processes. Above a few per cent, throughput is not meaningful."""


def figures(
    steps: Sequence[StepRecord],
    episodes: Sequence[EpisodeRecord],
    used: Usage,
    held: Memory,
    seconds: float,
    sessions: int,
) -> Figures:
    """Compute the metrics. Failed steps count only towards `failures`."""
    done = [step for step in steps if not step.failure]
    failures = Counter(record.failure for record in (*steps, *episodes) if record.failure)
    wrong = Counter(what for step in done for what in step.wrong)
    latencies = sorted(step.seconds * 1000 for step in done)
    count = max(1, len(done))
    return Figures(
        steps=len(done),
        steps_per_second=round(len(done) / seconds, 3),
        cpu_ms_per_step=round(used.tree * 1000 / count, 1) if done else 0.0,
        cpu_ms_by={name: round(seconds * 1000 / count, 1) for name, seconds in sorted(used.by.items())},
        pss_mb_per_session=round(held.system / sessions, 1),
        pss_mb_client=round(held.client, 1),
        processes=held.processes,
        p50_ms=percentile(latencies, 0.50),
        p95_ms=percentile(latencies, 0.95),
        open_p50_ms=percentile(sorted(one.open_seconds * 1000 for one in episodes), 0.5),
        close_p50_ms=percentile(sorted(one.close_seconds * 1000 for one in episodes), 0.5),
        bytes_per_step=round(sum(step.size for step in done) / count),
        wrong_states=sum(bool(step.wrong) for step in done),
        wrong_by=dict(wrong),
        unsettled=sum(not step.settled for step in done),
        failures=failures.total(),
        failures_by=dict(failures),
        seconds=round(seconds, 2),
        busy_elsewhere=round(_elsewhere(used, seconds), 3),
    )


def combined(rounds: Sequence[Figures]) -> Figures:
    """Return the round with the median CPU time, with the steps, wrong states and failures of all rounds summed."""
    median = sorted(rounds, key=lambda one: one.cpu_ms_per_step)[(len(rounds) - 1) // 2]
    return replace(
        median,
        steps=sum(one.steps for one in rounds),
        wrong_states=sum(one.wrong_states for one in rounds),
        wrong_by=dict(sum((Counter(one.wrong_by) for one in rounds), Counter[str]())),
        unsettled=sum(one.unsettled for one in rounds),
        failures=sum(one.failures for one in rounds),
        failures_by=dict(sum((Counter(one.failures_by) for one in rounds), Counter[str]())),
    )


def percentile(ordered: Sequence[float], share: float) -> float:
    """Return the nearest-rank percentile of sorted values."""
    if not ordered:
        return 0.0
    return round(ordered[max(0, math.ceil(share * len(ordered)) - 1)], 1)


def _elsewhere(used: Usage, seconds: float) -> float:
    return used.elsewhere / seconds / (os.cpu_count() or 1)
