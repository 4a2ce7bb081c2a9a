"""Costs of a step as a stored run measured them."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import msgspec

from webgym.errors import ConfigError
from webgym.plan.costs import Costs, Work
from webgym.plan.latency import Measured, measured
from webgym.records.base import Record
from webgym.records.trajectory import Step
from webgym.store.read import open_run

_ENOUGH = 20_000
"""Steps to read at most: the tail is known well before."""
_FEWEST = 20


class Seen(Record, frozen=True, omit_defaults=False):
    """What a run tells about its steps."""

    page: Measured
    """Seconds of a look, the node's own queue excluded, processor time included."""
    reply: Measured
    steps: int
    lengths: tuple[int, ...]


def seen(folder: Path) -> Seen:
    """The steps of a run that was, or is being, recorded.

    Raises:
        ConfigError: There are too few to tell anything.
        StoreError: It cannot be read.
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
        raise ConfigError(f"{folder} has the times of {len(looks)} steps: too few to plan with")
    return Seen(measured(looks), measured(replies), len(looks), tuple(lengths))


def _collect(steps: Iterable[Step], looks: list[float], replies: list[float]) -> None:
    for step in steps:
        if step.times.look and step.times.infer:
            looks.append(max(0.0, step.times.look - step.observation.timings.queued))
            replies.append(step.times.infer)


def costs_of(found: Seen, given: Costs, cpu_seconds: float) -> Costs:
    """Pages and replies as measured; the rest as given. Processor time is taken out of the pages: it is paid apart."""
    own = cpu_seconds / given.page_cores
    page = Measured(tuple(max(0.0, value - own) for value in found.page.quantiles))
    return msgspec.structs.replace(given, page=page, reply=found.reply, pause=0.0)


def work_of(found: Seen, work: Work) -> Work:
    """Attempts as long as these."""
    mean = sum(found.lengths) / len(found.lengths)
    return msgspec.structs.replace(work, shortest=min(found.lengths), longest=max(found.lengths), mean_length=mean)
