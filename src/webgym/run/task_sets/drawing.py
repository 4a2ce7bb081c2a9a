"""Draws the tasks of a run from a set, excluding quarantined tasks, and sealed ones unless requested."""

from __future__ import annotations

import dataclasses
import datetime as dt
import time
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import cast

import numpy as np

from webgym.errors import TaskSetError
from webgym.records.task import Level, Task, level_of
from webgym.tasks.arrow import arrow, compute
from webgym.tasks.filters import Filter
from webgym.tasks.health.database import HealthDatabase
from webgym.tasks.health.estimates import estimates_of
from webgym.tasks.health.quarantine import review
from webgym.tasks.samplers.pool import Mask, TaskPool, pool_of
from webgym.tasks.samplers.sampler import Kind, PoolSampler, TaskSampling, shares_of
from webgym.tasks.sets import TaskSet
from webgym.tasks.task_from_row import task_of
from webgym.tasks.websites import site_of

Say = Callable[[str], None]
_AT_ONCE = 1024
_FEWEST = 2
"""Minimum attempts per task for a group to contain both successes and failures."""


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Drawing:
    """Which tasks of a set to draw, and how."""

    seed: int
    count: int = 0
    """Number of tasks; 0: all."""
    sampler: Kind = "uniform"
    ratio: str = ""
    """For the `ratio` sampler."""
    repeats: int = 1
    """Number of attempts per task."""
    levels: tuple[Level, ...] = ()
    templates: tuple[str, ...] = ()
    task_ids: tuple[str, ...] = ()
    health: str = ""
    """File of the health database; empty: none."""
    quarantine: bool = False
    """Exclude quarantined tasks and websites."""
    sealed: bool = False
    start: str = ""
    """Start page of tasks without a website; empty: they are left out."""


def drawn_from(tasks: TaskSet, drawing: Drawing, say: Say) -> Iterator[Task]:
    """Yield distinct tasks that can be attempted; `say` receives messages for the user.

    Raises:
        ConfigError: The ratio is malformed.
        TaskSetError: There are no tasks, or all are quarantined.
    """
    ready = Filter(ready=True, sealed=drawing.sealed, anywhere=bool(drawing.start), task_ids=drawing.task_ids)
    whole = pool_of(ready.of(tasks))
    # Only sealed tasks can lack a rubric here, and they get a single fact.
    whole = dataclasses.replace(whole, difficulty=np.maximum(whole.difficulty, 1))
    wanted = _wanted(whole, drawing)
    if not wanted.any():
        return
    pool = _narrowed(whole, wanted)
    if drawing.sealed:
        _warn(pool, say)
    today = dt.datetime.now(tz=dt.UTC).date()
    places = [int(place) for place in _places(pool, drawing, say)]
    for begin in range(0, len(places), _AT_ONCE):
        for row in pool.tasks.take(places[begin : begin + _AT_ONCE]):
            yield task_of(row, today, drawing.start)


def _wanted(pool: TaskPool, drawing: Drawing) -> Mask:
    found = np.ones(len(pool), bool)
    if drawing.levels:
        found &= np.array([level_of(int(facts)) in drawing.levels for facts in pool.difficulty])
    if drawing.templates:
        values = arrow().array(drawing.templates, "string")
        among = compute().is_in(pool.tasks.table["template"].cast("string"), value_set=values)
        found &= among.combine_chunks().to_numpy(zero_copy_only=False).astype(bool)
    return found


def _narrowed(pool: TaskPool, wanted: Mask) -> TaskPool:
    if wanted.all():
        return pool
    fewer = pool_of(pool.tasks.where(arrow().array(wanted)))
    return dataclasses.replace(fewer, difficulty=pool.difficulty[wanted])


def _places(pool: TaskPool, drawing: Drawing, say: Say) -> list[int]:
    sampler = PoolSampler(pool, _sampling(drawing))
    with _open_database(drawing.health) as database:
        without = _away(pool, drawing, database, say) if database and drawing.quarantine else None
        estimates = estimates_of(database, pool) if database and drawing.sampler == "adaptive" else None
        most = sampler.most(without)
        count = min(drawing.count or most, most) if drawing.sampler != "ratio" else drawing.count or most
        return cast("list[int]", sampler.draw(count, without=without, estimates=estimates).tolist())


def _sampling(drawing: Drawing) -> TaskSampling:
    shares = shares_of(drawing.ratio) if drawing.sampler == "ratio" else {}
    if drawing.repeats < _FEWEST:
        return TaskSampling(drawing.sampler, drawing.seed, ratio=shares)
    return TaskSampling(drawing.sampler, drawing.seed, ratio=shares, group=drawing.repeats)


def _away(pool: TaskPool, drawing: Drawing, database: HealthDatabase, say: Say) -> Mask | None:
    out = review(database, time.time())
    # Tasks without a website belong to the site they start on.
    nowhere = {""} if drawing.start and site_of(drawing.start) in out.sites else set[str]()
    mask = pool.without(out.sites | nowhere, out.tasks)
    if mask is None or not mask.any():
        return None
    why = f"`webgym tasks health {drawing.health}` shows why and until when"
    if mask.all():
        raise TaskSetError(f"all {len(pool):,} tasks of {pool.tasks.name} are quarantined: {why}")
    say(f"{int(mask.sum()):,} of {len(pool):,} tasks are quarantined: {why}")
    return mask


def _warn(pool: TaskPool, say: Say) -> None:
    sealed = int(compute().sum(compute().not_equal(pool.tasks.table["sealed"].cast("string"), "")).as_py() or 0)
    if sealed:
        say(
            f"warning: {sealed:,} of {len(pool):,} tasks are encrypted in their set, and this run's folder will hold "
            "them in the clear: their questions and answers, in attempts, prompts, replies, screenshots and verdicts. "
            "Do not publish it"
        )


@contextmanager
def _open_database(path: str) -> Generator[HealthDatabase | None]:
    database = HealthDatabase(Path(path)) if path else None
    try:
        yield database
    finally:
        if database is not None:
            database.close()
