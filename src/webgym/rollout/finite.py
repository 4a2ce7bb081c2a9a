"""A given set of attempts, run to its end."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import anyio

from webgym.records.base import Record
from webgym.records.trajectory import Attempt
from webgym.rollout.pool import Finished, Pool


class Completion(Record, frozen=True):
    """When a set of attempts is complete."""

    threshold: float = 1.0
    """Share of the attempts after whose end the rest gets only the grace period."""
    grace_seconds: float = 30.0


async def run_all(
    pool: Pool,
    groups: Sequence[Sequence[Attempt]],
    told: Callable[[Finished], None],
    completion: Completion = Completion(),
) -> None:
    """Run all attempts, hardest first so that the longest do not begin last. Stragglers are cancelled."""
    total = sum(len(group) for group in groups)
    ended = 0
    with anyio.CancelScope() as patience:
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(_submit, pool, groups)
            async for finished in pool.finished():
                told(finished)
                ended += len(finished.attempts)
                if ended == total:
                    break
                if ended >= completion.threshold * total and patience.deadline == float("inf"):
                    patience.deadline = anyio.current_time() + completion.grace_seconds
            tasks.cancel_scope.cancel()
    if patience.cancelled_caught:
        await _give_up(pool, told)


async def _submit(pool: Pool, groups: Sequence[Sequence[Attempt]]) -> None:
    for group in sorted(groups, key=lambda group: -group[0].task.difficulty):
        await pool.submit(group, priority=group[0].task.difficulty)


async def _give_up(pool: Pool, told: Callable[[Finished], None]) -> None:
    """Cancel what runs; what never began is not part of the run."""
    pool.withdraw()
    pool.cancel()
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(_fetch, pool, told)
        await pool.drain()
        tasks.cancel_scope.cancel()


async def _fetch(pool: Pool, told: Callable[[Finished], None]) -> None:
    async for finished in pool.finished():
        told(finished)
