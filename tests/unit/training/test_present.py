"""Groups of tasks that are away are passed over while they are, in both ways of training."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Collection, Iterable

import pytest
from tests.unit.buffer.making import TASK
from tests.unit.training.test_collect import Store, half

from webgym.records.task import Task
from webgym.records.trajectory import Attempt, Outcome, SiteBlock
from webgym.rollout.pool import open_pool
from webgym.run.training.collect import Rollouts, collect_groups
from webgym.run.training.curriculum import Standing, attempt_groups
from webgym.run.training.flow.stream import adaptive_stream, stream
from webgym.run.training.pool_filter import Groups, present
from webgym.testing.rollouts import EventList
from webgym.train.recipe import GroupSource

TASKS = [Task(f"t{n}", TASK.instruction, f"https://s{n % 4}.com/", TASK.rubric) for n in range(12)]


def _adaptive() -> Groups:
    standing = Standing(TASKS)
    return adaptive_stream(TASKS, 2, 3, standing.worth)


STREAMS: list[Callable[[], Groups]] = [
    lambda: attempt_groups(TASKS, 1, 2, 3),
    lambda: stream(TASKS, 2, 3),
    _adaptive,
]


def away(sites: Collection[str]) -> Callable[[Task], bool]:
    """Goes by what is in there when it is asked."""
    return lambda task: any(f"//{site}." in task.website for site in sites)


def names(groups: Iterable[tuple[Attempt, ...]], count: int) -> list[str]:
    return [group[0].group for group in itertools.islice(groups, count)]


@pytest.mark.parametrize("groups", STREAMS)
def test_nothing_of_a_website_that_is_away_is_drawn_until_it_comes_back(groups: Callable[[], Groups]):
    gone = {"s1"}
    found = present(groups(), TASKS, away(gone))
    first = [group[0].task for group in itertools.islice(found, 30)]
    assert not any(map(away({"s1"}), first))
    gone.clear()
    assert any(map(away({"s1"}), (group[0].task for group in itertools.islice(found, 60))))


@pytest.mark.parametrize("groups", STREAMS)
def test_groups_that_stay_are_called_what_they_are_called_without_any_quarantine(groups: Callable[[], Groups]):
    assert set(names(present(groups(), TASKS, away({"s1"})), 6)) <= set(names(groups(), 40))


@pytest.mark.parametrize("groups", STREAMS)
def test_if_everything_is_away_training_goes_on_and_says_so_once(groups: Callable[[], Groups]):
    said: list[str] = []
    found = present(groups(), TASKS, away({"s0", "s1", "s2", "s3"}), say=said.append)
    assert len(names(found, 5)) == 5
    assert len(said) == 1


@pytest.mark.parametrize("groups", STREAMS[:2])
def test_after_a_restart_groups_that_had_begun_come_first_whatever_is_away_by_then(groups: Callable[[], Groups]):
    before = names(present(groups(), TASKS, away({"s1"})), 4)
    again = names(present(groups(), TASKS, away({"s2"}), begun=before), 6)
    assert again[:4] == before
    passed = [name for name in names(groups(), 40) if name not in before]
    assert again[4:] == [name for name in passed if int(name.rpartition("t")[2]) % 4 != 2][:2]


@pytest.mark.anyio
async def test_an_iteration_draws_no_group_of_a_website_that_blocked_the_ones_before():
    blocked: set[str] = set()

    def outcome(attempt: Attempt) -> Outcome:
        if "//s1." in attempt.task.website:
            blocked.add("s1")
            return SiteBlock("captcha")
        return half(attempt)

    store = Store(outcome)
    async with open_pool(store.roll, EventList(), slots=1) as pool:
        rollouts = Rollouts(
            pool,
            TASKS,
            store.kept.__getitem__,
            store.over,
            seed=3,
            sift=lambda groups: present(groups, TASKS, away(blocked)),
        )
        for iteration in range(1, 5):
            await collect_groups(rollouts, GroupSource(groups=4, members=2, refill=3), iteration, lambda group: group)
    groups = {name.rpartition("/")[0] for name in store.rolled}
    tried = [name for name in groups if int(name.rpartition("t")[2]) % 4 == 1]
    assert len(groups) >= 16
    assert 0 < len({name.split("/")[0] for name in tried}) == 1  # in one iteration, and never again
