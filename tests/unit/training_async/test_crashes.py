"""A run that is cut off between any two of its files goes on as if it had not been."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from tests.unit.training_async.test_feeder import World, half
from tests.unit.training_async.test_loop import Bench, run

from webgym.buffer.groups import ScoredGroup
from webgym.records.curve import Iteration
from webgym.records.sample import PolicyVersion, TrainingResult
from webgym.records.trajectory import Attempt, Failure, Outcome
from webgym.run.batches import BuiltBatch
from webgym.run.folders import Folders
from webgym.run.sources.settled_groups import IterationSettlement, SettledGroups

pytestmark = pytest.mark.anyio
CRASH_AT = 3
"""Version whose update is cut off."""
ITERATIONS = 6


class CutOffError(Exception):
    """Stands for `kill -9`."""


@dataclass
class Disk:
    """What outlives a process: what the trainer learned from, by version."""

    learned: dict[int, tuple[str, ...]] = field(default_factory=dict)


@dataclass
class Fragile(Bench):
    """Ends at a given point of a given update."""

    disk: Disk = field(default_factory=Disk)
    at: str = ""

    def _perhaps(self, where: str, version: int) -> None:
        if self.at == where and version == CRASH_AT:
            raise CutOffError(where)

    def make(self, groups: Sequence[ScoredGroup], version: int, done: float = 0.0) -> BuiltBatch | None:
        self._perhaps("before the batch", version)
        made = super().make(groups, version, done)
        self._perhaps("after the batch", version)
        return made

    async def step(self, batch: Path, version: int, folder: Path) -> TrainingResult:
        self._perhaps("before learning", version)
        if version not in self.disk.learned:  # a trainer does not learn twice: its checkpoint says what it learned
            assert version == len(self.disk.learned)
            self.disk.learned[version] = self.batch
        assert self.disk.learned[version] == self.batch, "asked again with another batch"
        self._perhaps("after learning", version)
        return await super().step(batch, version, folder)

    async def publish(self, policy: PolicyVersion) -> None:
        self._perhaps("before publishing", policy.version - 1)
        await super().publish(policy)
        self._perhaps("after publishing", policy.version - 1)


def now_and_then(attempt: Attempt) -> Outcome:
    """Every third group fails as a whole."""
    return half(attempt) if int(attempt.group.partition("/")[0]) % 3 else Failure()


@pytest.mark.parametrize(("members", "probe"), [(2, 0), (5, 2)])
@pytest.mark.parametrize(
    "at",
    [
        "before it was settled",
        "before the batch",
        "after the batch",
        "before learning",
        "after learning",
        "before publishing",
        "after publishing",
    ],
)
async def test_nothing_is_learned_from_twice_and_nothing_is_lost(at, members, probe, tmp_path, monkeypatch):
    disk, told = Disk(), list[Iteration]()
    first = Fragile(World(now_and_then), disk=disk, at=at, members=members, probe=probe)

    def write(self: SettledGroups, settled: IterationSettlement, plain=SettledGroups.write) -> None:
        if at == "before it was settled" and settled.version == CRASH_AT:
            raise CutOffError(at)
        plain(self, settled)

    with monkeypatch.context() as patched:
        patched.setattr(SettledGroups, "write", write)
        with pytest.raises(CutOffError, match=at):
            await run(first, tmp_path, ITERATIONS, told=told)
    assert [one.iteration for one in told] == list(range(1, CRASH_AT + 1))

    second = Fragile(World(now_and_then), disk=disk, members=members, probe=probe)
    second.world.kept = dict(first.world.kept)
    after = await run(second, tmp_path, ITERATIONS, list(told))
    assert [one.iteration for one in after] == list(range(1, ITERATIONS + 1))
    assert [one.version for one in after] == list(range(1, ITERATIONS + 1))
    assert list(disk.learned) == list(range(ITERATIONS))
    taught = Counter(name for groups in disk.learned.values() for name in groups)
    assert set(taught.values()) == {1}
    settled = SettledGroups(Folders(tmp_path)).read()
    assert [settled[number].groups for number in range(1, ITERATIONS + 1)] == list(disk.learned.values())
    # What was over before the crash was not made again, and all of it that taught nothing yet came back.
    assert not set(first.world.kept) & set(second.world.began)
    fates = {name for one in settled.values() for name in one.fates}
    whole = {name.rsplit("/", 1)[0] for name in first.world.kept}
    assert {name for name in whole if name <= max(fates)} <= fates
