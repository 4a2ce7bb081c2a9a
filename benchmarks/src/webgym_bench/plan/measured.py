"""Costs of a step, measured from a stored run."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import msgspec

from webgym.errors import ConfigError
from webgym.records.base import Record
from webgym.records.trajectory import Step
from webgym.store.read import open_run
from webgym_bench.plan.costs import Costs, Work
from webgym_bench.plan.latency import Measured, measured

_ENOUGH = 20_000
"""Maximum steps to read: enough to estimate the tail."""
_FEWEST = 20


class Seen(Record, frozen=True, omit_defaults=False):
    """Measurements of a run's steps."""

    page: Measured
    """Seconds of an observation, excluding the node's own queue, including CPU time."""
    reply: Measured
    steps: int
    lengths: tuple[int, ...]


def seen(folder: Path) -> Seen:
    """Measure the steps of a run, finished or in progress.

    Raises:
        ConfigError: There are too few steps.
        StoreError: The run cannot be read.
    """
    looks: list[float] = []
    replies: list[float] = []
    lengths: list[int] = []
    with open_run(folder) as run:
        for row in run.rows():
            if row.outcome is None or not row.steps:
                continue
            lengths.append(row.steps)
            if len(looks) < _ENOUGH:
                _collect(run.steps(row.attempt_id), looks, replies)
    if len(looks) < _FEWEST:
        raise ConfigError(f"{folder} has timings of only {len(looks)} steps, too few to plan with")
    return Seen(measured(looks), measured(replies), len(looks), tuple(lengths))


def _collect(steps: Iterable[Step], looks: list[float], replies: list[float]) -> None:
    for step in steps:
        if step.times.look and step.times.infer:
            looks.append(max(0.0, step.times.look - step.observation.timings.queued))
            replies.append(step.times.infer)


def costs_of(found: Seen, given: Costs, cpu_seconds: float) -> Costs:
    """Replace pages and replies by measured ones. CPU time is subtracted from pages, as it is counted separately."""
    own = cpu_seconds / given.page_cores
    page = Measured(tuple(max(0.0, value - own) for value in found.page.quantiles))
    return msgspec.structs.replace(given, page=page, reply=found.reply, pause=0.0)


def work_of(found: Seen, work: Work) -> Work:
    """Adjust the workload to the measured attempt lengths."""
    mean = sum(found.lengths) / len(found.lengths)
    return msgspec.structs.replace(work, shortest=min(found.lengths), longest=max(found.lengths), mean_length=mean)
