"""Tasks of a task set, for a run."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator

from webgym.errors import ConfigError
from webgym.records.task import Task
from webgym.tasks.filters import Filter
from webgym.tasks.running import task_of
from webgym.tasks.samplers.pool import pool_of
from webgym.tasks.samplers.sampler import Sampler, Sampling
from webgym.tasks.sets import open_set

_AT_ONCE = 1024


def drawn_tasks(reference: str, seed: int) -> Iterator[Task]:
    """The tasks of a set that can be attempted, each once, in an order that the seed decides.

    Raises:
        ConfigError: No set is named.
        TaskSetError: There is no such set, or it has no such task.
    """
    if not reference:
        raise ConfigError("tasks.use=set needs tasks.file: a folder or a name, such as webgym:test")
    pool = pool_of(Filter(ready=True).of(open_set(reference)))
    sampler = Sampler(pool, Sampling(seed=seed))
    today = dt.datetime.now(tz=dt.UTC).date()
    left = len(pool)
    while left:
        places = sampler.draw(min(_AT_ONCE, left))
        left -= len(places)
        for row in pool.tasks.take([int(place) for place in places]):
            yield task_of(row, today)
