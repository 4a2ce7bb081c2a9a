"""However rollouts, updates and crashes fall together: nothing too old is learned from, nothing twice, nothing lost."""

from __future__ import annotations

import random
from collections import Counter, deque
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, field

import anyio
import anyio.lowlevel
import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.unit.buffer.making import MAKER, step, tokens
from tests.unit.training_async.test_feeder import tasks

from webgym.buffer.batches import Weighing, batch_of
from webgym.buffer.groups import BatchRequirements, Group
from webgym.buffer.staleness import Pace
from webgym.errors import ConfigError, TrainingError
from webgym.records.prompt import pack_ids, unpack_ids
from webgym.records.sample import Batch
from webgym.records.trajectory import Attempt, Ending, Failure, Infrastructure, Success, Trajectory
from webgym.rollout.pool import FinishedGroup
from webgym.run.batches import check_bound
from webgym.run.sources.feeder import FedBatch, Feeder
from webgym.run.sources.stream import stream

MEMBERS = 2


@dataclass
class Sea:
    """A pool whose attempts sample a token at a time and end whenever chance says; it can be cut off at any moment."""

    chance: random.Random
    kept: dict[str, Trajectory]
    version: int = 0
    sampled: dict[str, list[int]] = field(default_factory=dict)
    groups: dict[str, list[Attempt]] = field(default_factory=dict)
    over: deque[FinishedGroup] = field(default_factory=deque)
    made: Counter[str] = field(default_factory=Counter)

    async def submit(self, attempts: Sequence[Attempt], *, priority: float = 0.0) -> bool:
        del priority
        await anyio.lowlevel.checkpoint()
        self.groups[attempts[0].group] = list(attempts)
        self.sampled.update((one.attempt_id, [self.version]) for one in attempts)
        return True

    async def finished(self) -> AsyncIterator[FinishedGroup]:
        while True:
            while not self.over:
                await anyio.lowlevel.checkpoint()
            yield self.over.popleft()

    def tick(self) -> None:
        """Everyone samples a token; some end."""
        for name, attempts in list(self.groups.items()):
            for one in attempts:
                if one.attempt_id not in self.sampled:
                    continue
                self.sampled[one.attempt_id].append(self.version)
                if self.chance.random() < 0.3:
                    self._end(one, self.sampled.pop(one.attempt_id))
            if not any(one.attempt_id in self.sampled for one in attempts):
                del self.groups[name]
                self.over.append(FinishedGroup(tuple(attempts), ()))

    def _end(self, attempt: Attempt, versions: list[int]) -> None:
        reply = msgspec.structs.replace(tokens(len(versions)), versions=pack_ids(versions))
        kinds = (Success(), Failure(), Infrastructure("timeout"))
        outcome = self.chance.choices(kinds, (5, 5, 1))[0]
        self.made[attempt.attempt_id] += 1
        self.kept[attempt.attempt_id] = Trajectory(attempt, (step(1, reply, last=True),), Ending(outcome, steps=1))

    async def load(self, attempts: tuple[Attempt, ...]) -> Group:
        return Group(attempts[0].group, tuple(self.kept[one.attempt_id] for one in attempts))


@dataclass
class Story:
    """What lasts when everything is killed: the store, what was settled, the version."""

    kept: dict[str, Trajectory] = field(default_factory=dict)
    fates: dict[str, str] = field(default_factory=dict)
    taught: Counter[str] = field(default_factory=Counter)
    version: int = 0
    updates: int = 0


def check(taken: FedBatch, version: int, lag: int, story: Story) -> None:
    batch = batch_of(taken.groups, MAKER, Weighing(), version)
    ages = [version - one for sample in batch.samples for one in unpack_ids(sample.versions)]
    assert all(0 <= age <= lag for age in ages)
    check_bound(batch, lag)
    assert not taken.fates.keys() & story.fates.keys(), "settled twice"
    story.fates.update(taken.fates)
    story.taught.update(member.attempt.attempt_id for group in taken.groups for member, _ in group.members)


async def live(story: Story, chance: random.Random, pace: Pace, turns: int) -> None:
    """From a start, or a restart, until it is killed."""
    sea = Sea(chance, story.kept, story.version)
    before = frozenset(story.kept)
    source = stream(tasks(5), MEMBERS, 1, frozenset(story.fates))
    wanted = BatchRequirements(pace.groups, max_lag=pace.max_lag, refill=50)
    feeder = Feeder(sea, source, sea.load, wanted, pace, version=story.version, over=before)
    async with anyio.create_task_group() as group:
        group.start_soon(feeder.run)
        learning = 0
        for _ in range(turns):
            for _ in range(6):
                await anyio.lowlevel.checkpoint()
            sea.tick()
            held = feeder.waiting + feeder.running + pace.groups * feeder.learning
            assert held <= (pace.max_lag + 1) * pace.groups
            assert pace.depth is None or held <= pace.depth * pace.groups + 1
            if learning:
                learning -= 1
                if not learning:
                    story.version = sea.version = sea.version + 1
                    feeder.moved(story.version)
            else:
                with anyio.move_on_after(0):
                    taken = await feeder.take()
                    check(taken, story.version, pace.max_lag, story)
                    learning = chance.randint(1, 6)
                    story.updates += 1
        if learning:  # what was taken and not learned from is learned from after the restart: same groups, same batch
            story.version += 1
        group.cancel_scope.cancel()
    assert before.isdisjoint(sea.made), "what was over was made again"
    assert set(sea.made.values()) <= {1}


@settings(deadline=None, max_examples=30)
@given(
    groups=st.integers(1, 3),
    lag=st.integers(0, 3),
    depth=st.one_of(st.none(), st.floats(1, 3)),
    lives=st.lists(st.integers(5, 60), min_size=1, max_size=4),
    seed=st.integers(0, 2**16),
)
def test_nothing_too_old_is_learned_from_nothing_twice_and_nothing_is_lost(groups, lag, depth, lives, seed):
    story, chance = Story(), random.Random(seed)
    pace = Pace(groups, lag, 6, depth)

    async def all_lives() -> None:
        for turns in lives:
            await live(story, chance, pace, turns)

    anyio.run(all_lives)
    assert set(story.taught.values()) <= {1}
    learned_from = {name for name, fate in story.fates.items() if fate == "kept"}
    assert {name.rsplit("/", 1)[0] for name in story.taught} == learned_from
    # Whatever is over is settled, or comes back: the stream gives every group that is not settled.
    left = {one.attempt.group for one in story.kept.values()} - story.fates.keys()
    again = stream(tasks(5), MEMBERS, 1, frozenset(story.fates))
    coming = {next(again)[0].group for _ in range(len(left) + 50)}
    assert left <= coming


def test_a_long_life_makes_updates():
    story = Story()
    anyio.run(live, story, random.Random(4), Pace(2, 2, 6), 400)
    assert story.updates > 20


def sample_of(versions: list[int]):
    reply = msgspec.structs.replace(tokens(len(versions)), versions=pack_ids(versions))
    return MAKER.make(Attempt("a", tasks(1)[0], "g"), step(1, reply), advantage=1.0, weight=1.0)


@settings(deadline=None)
@given(
    st.lists(st.lists(st.integers(0, 12), min_size=1, max_size=5), min_size=1, max_size=4),
    st.integers(0, 12),
    st.integers(0, 4),
)
def test_a_batch_with_one_token_beyond_the_bound_is_refused(samples, version, most):
    batch = Batch(tuple(map(sample_of, samples)), version)
    if all(0 <= version - one <= most for versions in samples for one in versions):
        check_bound(batch, most)
    else:
        with pytest.raises(TrainingError, match="outside a lag of"):
            check_bound(batch, most)


def test_tokens_of_unknown_age_are_refused():
    unknown = msgspec.structs.replace(sample_of([1, 1]), versions=b"")
    with pytest.raises(TrainingError, match="are unknown"):
        check_bound(Batch((unknown,), 1), 5)


def test_a_depth_of_less_than_a_batch_is_refused():
    with pytest.raises(ConfigError, match="depth"):
        Pace(4, 1, 4, depth=0.5)
