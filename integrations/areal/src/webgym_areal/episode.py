"""One AReaL episode: a whole group of attempts at one task, whose advantages are computed in the rollout worker."""

from __future__ import annotations

import secrets
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import anyio

from webgym.buffer.advantages import DroppedGroup
from webgym.buffer.groups import Group, ScoredGroup, score_group
from webgym.records.task import Task
from webgym.records.trajectory import OUTCOME_KINDS, Attempt, Trajectory, outcome_kind, reward
from webgym.records.vocabulary import ImageTokens
from webgym.rng import Rng
from webgym.rollout.pool import Roll
from webgym_areal.pictures import Cutter
from webgym_areal.references import Reference
from webgym_areal.rows import StepRow, rows_of
from webgym_areal.settings import ArealSettings
from webgym_areal.stage import Stage
from webgym_areal.tensors import trajectory_of


@dataclass(frozen=True, slots=True)
class Played:
    """The result of a group."""

    trajectory: dict[str, Any] | None
    """None if there is nothing to train on; AReaL then asks for another group."""
    figures: dict[str, float]


@dataclass(frozen=True, slots=True)
class Company:
    """What all episodes of a worker share."""

    stage: Stage
    settings: ArealSettings
    words: ImageTokens
    cutter: Cutter
    keeper: str
    """Prefix of references to this worker's pictures."""
    limiter: anyio.CapacityLimiter
    """Limits concurrent attempts to the number of sessions: any more would queue while their time limit runs."""

    async def play(self, roll: Roll, task: Task, *, learn: bool = True) -> Played:
        """Run a group, from its first attempt to its tensors.

        Raises:
            AuthError, BudgetSpent, ConfigError, StoreError: No further attempt can succeed.
        """
        members = await self._attempts(roll, attempts_at(task, self.settings.source.members))
        figures = figures_of(members)
        source = self.settings.source
        scored = score_group(Group(members[0].attempt.group, members), source.advantages, source.partial)
        match scored:
            case DroppedGroup(reason=reason):
                return Played(None, figures | {f"groups_{reason}": 1.0})
            case ScoredGroup() if not learn:
                return Played(None, figures)
            case scored:
                made = await anyio.to_thread.run_sync(self._tensors, scored)
                return Played(made, figures | {f"groups_{'kept' if made else 'without_rows'}": 1.0})

    async def _attempts(self, roll: Roll, attempts: tuple[Attempt, ...]) -> tuple[Trajectory, ...]:
        async def one(attempt: Attempt) -> None:
            async with self.limiter:
                await roll(attempt)

        async with anyio.create_task_group() as tasks:
            for attempt in attempts:
                tasks.start_soon(one, attempt)
        return tuple(self.stage.keeping.take(attempt.attempt_id) for attempt in attempts)

    def _tensors(self, scored: ScoredGroup) -> dict[str, Any] | None:
        rows = rows_of(scored, self.settings.source, self.words)
        blobs = {address: self.stage.blob(address) for address in _addresses(rows)}
        there = {address: data for address, data in blobs.items() if data is not None}
        rows = [row for row in rows if there.keys() >= set(row.pictures)]
        if not rows:
            return None
        grids = {address: self.cutter.grid(data) for address, data in there.items()}
        shown: dict[str, Any] = {address: self._shown(address, there[address]) for address in _addresses(rows)}
        return trajectory_of(rows, self.words.image, grids, shown, tells_oldest=self.settings.tells_oldest)

    def _shown(self, address: str, data: bytes) -> Any:
        if self.settings.pictures == "reference":
            return str(Reference(self.keeper, address))
        return self.cutter.values(self.cutter.read(data))


def attempts_at(task: Task, members: int) -> tuple[Attempt, ...]:
    """Create a group of attempts with ids that are unique across workers, epochs and restarts."""
    group = f"{task.task_id}/{secrets.token_hex(8)}"
    return tuple(
        Attempt(f"{group}/{member}", task, group, member, Rng("attempt", group, member).below(2**31))
        for member in range(members)
    )


def figures_of(members: tuple[Trajectory, ...]) -> dict[str, float]:
    """Return a group's metrics for AReaL: the share of each outcome, the mean reward of graded attempts, mean steps."""
    kinds = Counter(outcome_kind(one.ending.outcome) for one in members)
    rewards = [found for one in members if (found := reward(one.ending.outcome)) is not None]
    shares = {kind: kinds[kind] / len(members) for kind in OUTCOME_KINDS}
    graded = {"reward": sum(rewards) / len(rewards)} if rewards else {}
    return shares | graded | {"steps": sum(len(one.steps) for one in members) / len(members)}


def _addresses(rows: Iterable[StepRow]) -> list[str]:
    return list(dict.fromkeys(address for row in rows for address in row.pictures))
