"""Load groups of the stream from the store."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import anyio.to_thread

from webgym.buffer.groups import Group, ScoredGroup, score_group
from webgym.errors import TrainingError
from webgym.records.trajectory import Attempt
from webgym.run.controls import shuffled_rewards
from webgym.run.sources.settled_groups import IterationSettlement
from webgym.store.read import Run
from webgym.store.rows import Row
from webgym.train.recipe import GroupSource


@dataclass(frozen=True, slots=True)
class StoredGroups:
    """Reads the groups of a run from the store."""

    store: Run
    source: GroupSource
    seed: int
    shuffles: bool
    """Whether to shuffle rewards, as a control experiment."""

    async def load(self, attempts: Sequence[Attempt]) -> Group:
        """Load a group whose attempts have finished."""
        return await self._loaded(attempts[0].group, [attempt.attempt_id for attempt in attempts])

    async def again(self, settled: IterationSettlement) -> tuple[ScoredGroup, ...]:
        """Load and score the groups that an iteration was settled with before a restart.

        Raises:
            TrainingError: A group can no longer be learned from, so the store has changed.
        """
        found: list[ScoredGroup] = []
        for name in settled.groups:
            group = await self._loaded(name, [f"{name}/{member}" for member in range(self.source.members)])
            scored = score_group(group, self.source.advantages, self.source.partial)
            if not isinstance(scored, ScoredGroup):
                raise TrainingError(f"group {name} was selected for training but now gives no samples")
            found.append(scored)
        return tuple(found)

    def rows(self, names: Collection[str]) -> list[Row]:
        """Return the attempts of these groups. Blocks."""
        return [row for row in self.store.rows() if row.group in names]

    async def _loaded(self, name: str, attempts: Sequence[str]) -> Group:
        trajectory = self.store.trajectory
        members = await anyio.to_thread.run_sync(lambda: tuple(trajectory(attempt) for attempt in attempts))
        if self.shuffles:
            members = shuffled_rewards(members, self.seed, name)
        return Group(name, members)
