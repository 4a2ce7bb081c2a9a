"""Which groups come when tasks are drawn by what they are worth."""

from __future__ import annotations

import itertools
from collections import Counter

import pytest
from tests.unit.training_async.test_feeder import tasks

from webgym.run.training.curriculum import LEAST, Standing
from webgym.run.training.flow.stream import adaptive_stream

MEMBERS = 4


def standing_of(count: int, **solved: tuple[int, int]) -> Standing:
    """By task: how often it was solved, of so many attempts."""
    standing = Standing(tasks(count))
    for name, (won, tried) in solved.items():
        for number in range(tried):
            standing.add(name, float(number < won))
    return standing


def drawn(standing: Standing, count: int, groups: int, **more: set[str]) -> list[str]:
    found = adaptive_stream(tasks(count), MEMBERS, 3, standing.worth, **more)
    return [group[0].group for group in itertools.islice(found, groups)]


def test_what_is_solved_now_and_then_comes_most_often_and_nothing_stays_away_for_ever():
    hopeless = {f"t{number}": (0, 400) for number in range(12)}
    standing = standing_of(16, **hopeless, t12=(200, 400), t13=(400, 400), t14=(200, 400), t15=(400, 400))
    times = Counter(name.partition("/")[2] for name in drawn(standing, 16, 2000))
    assert min(times["t12"], times["t14"]) > 2 * max(times[name] for name in hopeless)
    assert min(times.values()) > 0
    assert len(times) == 16


def test_what_was_drawn_waits_for_others():
    names = [name.partition("/")[2] for name in drawn(standing_of(10, t3=(5, 10)), 10, 200)]
    for place in range(len(names) - 3):
        assert len(set(names[place : place + 3])) == 3


def test_what_attempts_come_to_changes_what_is_drawn_next():
    standing = standing_of(8)
    stream = adaptive_stream(tasks(8), MEMBERS, 3, standing.worth)
    first = next(stream)
    for _ in range(500):
        standing.add("t5", 0.0)
    later = Counter(group[0].task.task_id for group in itertools.islice(stream, 800))
    assert first[0].group.startswith("000000/")
    assert later["t5"] < min(count for name, count in later.items() if name != "t5")


def test_attempts_without_a_reward_say_nothing():
    standing = standing_of(4)
    before = standing.worth()
    standing.add("t1", None)
    standing.add("nobody's", 1.0)
    assert standing.worth() == before
    assert min(standing_of(4, t0=(0, 10_000)).worth()) >= LEAST


def test_after_a_restart_what_had_begun_comes_first_and_nothing_settled_comes_back():
    before = drawn(standing_of(8), 8, 10)
    settled, begun = set(before[:4]) | {before[6]}, set(before[:8])
    again = drawn(standing_of(8, t2=(1, 2)), 8, 40, settled=settled, begun=begun)
    assert again[:3] == [before[4], before[5], before[7]]
    assert not set(again) & settled
    assert again[3].startswith("000008/")
    assert len(set(again)) == len(again)


def test_with_a_half_life_what_is_long_past_counts_less_than_what_is_new():
    aging = Standing(tasks(2), half_life=10)
    for _ in range(40):
        aging.add("t0", 0.0)
    hopeless = aging.worth()[0]
    for _ in range(1000):
        aging.add("t1", 1.0)
    for number in range(4):
        aging.add("t0", float(number % 2))
    lasting = standing_of(2, t0=(2, 44), t1=(1000, 1000))
    assert aging.worth()[0] > 2 * lasting.worth()[0]
    assert aging.worth()[0] > 2 * hopeless
    assert aging.copy().worth() == aging.worth()


def test_a_sharper_curriculum_prefers_uncertain_tasks_more():
    plain, sharp = Standing(tasks(2)), Standing(tasks(2), sharpness=2)
    for standing in (plain, sharp):
        for number in range(20):
            standing.add("t0", float(number % 2))
            standing.add("t1", float(number == 0))
    even, rare = plain.worth()
    assert sharp.worth() == pytest.approx([even**2, rare**2])
