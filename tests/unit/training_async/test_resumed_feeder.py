"""What an asynchronous run offers after a restart, as it is wired: no group that was settled, no attempt twice."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from pathlib import Path
from types import SimpleNamespace

import anyio
import pytest
from tests.unit.store.making import META, ending
from tests.unit.training_async.test_feeder import tasks

from webgym.buffer.groups import Fate, Group
from webgym.concurrency import background
from webgym.records.sample import PolicyVersion
from webgym.records.trajectory import Attempt, Failure, Infrastructure, Success
from webgym.rollout.pool import FinishedGroup
from webgym.run.folders import Folders
from webgym.run.progress import NoProgress
from webgym.run.sources.curriculum import Standing
from webgym.run.sources.feeder import Feeder
from webgym.run.sources.open_streamed import feeder_of
from webgym.run.sources.settled_groups import IterationSettlement, SettledGroups
from webgym.run.sources.stream import stream
from webgym.run.train_config import TrainConfig
from webgym.store.read import Run, open_run
from webgym.store.write import RunWriter, open_writer
from webgym.train.recipe import GroupSource

pytestmark = pytest.mark.anyio
TASKS = tasks(6)
SOURCE = GroupSource(groups=2, members=2, max_lag=4)
SETTLED = 4
"""Groups that two iterations learned from or dropped, the first of the stream."""


def begun(count: int) -> list[tuple[Attempt, ...]]:
    groups = stream(TASKS, SOURCE.members, seed=3)
    return [next(groups) for _ in range(count)]


class Submitted:
    """A pool that notes what is submitted, and never finishes anything."""

    def __init__(self) -> None:
        self.attempts: list[Attempt] = []

    async def submit(self, attempts: Sequence[Attempt], *, priority: float = 0.0) -> bool:
        self.attempts += attempts
        return True

    async def finished(self) -> AsyncIterator[FinishedGroup]:
        await anyio.sleep_forever()
        yield FinishedGroup((), ())

    def groups(self) -> list[str]:
        return list(dict.fromkeys(one.group for one in self.attempts))


class Loaded:
    """Notes the groups that were read from the store, as all of their attempts had ended."""

    def __init__(self, run: Run) -> None:
        self.names: list[str] = []
        self._run = run

    async def load(self, attempts: Sequence[Attempt]) -> Group:
        self.names.append(attempts[0].group)
        return Group(attempts[0].group, tuple(self._run.trajectory(one.attempt_id) for one in attempts))


async def store(writer: RunWriter, settled: SettledGroups) -> None:
    """Four groups that are settled, one that has ended and is not, one half done, one with a lost attempt."""
    first = begun(SETTLED + 3)
    for number, (one, other) in enumerate(first):
        await writer.end(one, ending(Success()), {})
        match number - SETTLED:
            case 1:
                await writer.begin(other)
            case 2:
                await writer.end(other, ending(Infrastructure("transport")), {})
            case _:
                await writer.end(other, ending(Failure()), {})
    for iteration in (1, 2):
        one, other = first[2 * iteration - 2 : 2 * iteration]
        fates: dict[str, Fate] = {one[0].group: "kept", other[0].group: "all_fail"}
        settled.write(IterationSettlement(iteration, iteration - 1, (one[0].group,), fates))


def resumed(
    curriculum: str, folder: Path, writer: RunWriter, run: Run, pool: Submitted, loaded: Loaded, standing: Standing
) -> Feeder:
    config = TrainConfig.model_validate(
        {
            "seed": 3,
            "policy": {"model": "nano"},
            "browser": {"sessions": 64},
            "train": {"mode": "async", "curriculum": curriculum},
        }
    )
    settled = SettledGroups(Folders(folder)).read()
    opened = SimpleNamespace(
        config=config,
        tasks=TASKS,
        store=run,
        writer=writer,
        policy=PolicyVersion(2, "weights"),
        health_recorder=None,
        progress=NoProgress(),
    )
    return feeder_of(opened, pool, SOURCE, loaded.load, settled, standing)


@pytest.mark.parametrize("curriculum", ["uniform", "adaptive"])
async def test_a_resumed_run_offers_no_group_again_that_was_settled(tmp_path: Path, curriculum: str):
    pool, standing = Submitted(), Standing(TASKS)
    async with open_writer(tmp_path / "run", META) as writer:
        await store(writer, SettledGroups(Folders(tmp_path)))
    names = [group[0].group for group in begun(SETTLED + 3)]
    async with open_writer(tmp_path / "run", META) as writer:
        with open_run(tmp_path / "run") as run:
            loaded = Loaded(run)
            feeder = resumed(curriculum, tmp_path, writer, run, pool, loaded, standing)
            assert feeder.version == 2, "how far rollouts may run ahead counts from the weights there are"
            async with background() as running:
                running.start_soon(feeder.run)
                with anyio.fail_after(20):
                    while len(pool.groups()) < 4:
                        await anyio.sleep(0.01)
    assert loaded.names == names[SETTLED : SETTLED + 1], "what had ended is learned from, without being made again"
    assert not set(names[:SETTLED]) & {*pool.groups(), *loaded.names}
    assert [one.attempt_id for one in pool.attempts[:2]] == [f"{name}/1" for name in names[SETTLED + 1 :]]
    assert not set(pool.groups()[2:]) & set(names)
    if curriculum == "adaptive":
        assert standing.worth() == counted(begun(SETTLED + 1)).worth(), "each group that is over counts once"


def counted(groups: Sequence[Sequence[Attempt]]) -> Standing:
    standing = Standing(TASKS)
    for group in groups:
        for reward in (1.0, 0.0):
            standing.add(group[0].task.task_id, reward)
    return standing
