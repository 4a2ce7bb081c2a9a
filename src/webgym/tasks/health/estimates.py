"""Past outcomes of a pool's tasks, as input to adaptive samplers."""

from __future__ import annotations

import numpy as np

from webgym.tasks.arrow import arrow, compute
from webgym.tasks.health.database import HealthDatabase
from webgym.tasks.samplers.pool import TaskPool
from webgym.tasks.samplers.sampler import Estimates


def estimates_of(database: HealthDatabase, pool: TaskPool) -> Estimates:
    """Return successes and failures per task, from its newest attempts only, as the policy changes."""
    won, lost = np.zeros(len(pool)), np.zeros(len(pool))
    found = list(database.histories())
    if found:
        ids = arrow().array([task for task, _, _ in found], "string")
        column = pool.tasks.table["task_id"].combine_chunks()
        places = compute().index_in(ids, value_set=column).to_pylist()
        for place, (_, successes, failures) in zip(places, found, strict=True):
            if place is not None:
                won[place], lost[place] = successes, failures
    return won, lost
