"""Run a fixed set of attempts to completion."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import anyio

from webgym.records.base import Record
from webgym.records.trajectory import Attempt
from webgym.rollout.pool import FinishedGroup, Pool


class StragglerRule(Record, frozen=True):
    """When to stop waiting for the remaining attempts."""

    threshold: float = 1.0
    """Fraction of the attempts that must end before the grace period for the rest starts."""
    grace_seconds: float = 30.0


async def run_all(
    pool: Pool,
    groups: Sequence[Sequence[Attempt]],
    told: Callable[[FinishedGroup], None],
    completion: StragglerRule = StragglerRule(),
) -> None:
    """Run all attempts, hardest first so that the longest do not start last. Stragglers are cancelled.

    Calls `told` with each finished group. Returns early, once running attempts have ended, if the pool is closed.
    """
    enough = completion.threshold * sum(len(group) for group in groups)
    patience = anyio.CancelScope()
    ended = 0

    async def fetch() -> None:
        nonlocal ended
        async for finished in pool.finished():
            told(finished)
            ended += len(finished.attempts)
            if ended >= enough and patience.deadline == math.inf:
                patience.deadline = anyio.current_time() + completion.grace_seconds

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(fetch)
        with patience:
            await _submit(pool, groups)
            await pool.drain()
        if patience.cancelled_caught:
            pool.close()
            pool.cancel()
            await pool.drain()
        tasks.cancel_scope.cancel()


async def _submit(pool: Pool, groups: Sequence[Sequence[Attempt]]) -> None:
    for group in sorted(groups, key=lambda group: -group[0].task.difficulty):
        if not await pool.submit(group, priority=group[0].task.difficulty):
            return
