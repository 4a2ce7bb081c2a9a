"""Tasks are drawn as asked for, repeatably, and without overlap between workers."""

from __future__ import annotations

from collections import Counter

import msgspec
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.unit.tasks.rows import facts, row

from webgym.errors import ConfigError, TaskSetError
from webgym.tasks.samplers.informative import chance_of_contrast, guesses, weights_of
from webgym.tasks.samplers.pool import TaskPool, pool_of
from webgym.tasks.samplers.sampler import Kind, PoolSampler, TaskSampling, hardest_first, in_groups, read_state
from webgym.tasks.sets import set_of

KINDS: list[Kind] = ["uniform", "ratio", "balanced", "adaptive"]
RATIO = {"easy": 5, "medium": 3, "hard": 2}


def pool(size: int = 60) -> TaskPool:
    levels = (1, 2, 3, 5, 8)
    rows = [
        row(str(n), website="https://big.com/" if n % 2 else f"https://s{n}.com/", rubric=facts(levels[n % 5]))
        for n in range(size)
    ]
    return pool_of(set_of("x", rows))


def sampling(kind: Kind, **more: int) -> TaskSampling:
    return TaskSampling(kind=kind, ratio=RATIO if kind == "ratio" else {}, **more)


def test_uniform_gives_every_task_once_before_any_twice():
    sampler = PoolSampler(pool(), sampling("uniform"))
    first = np.concatenate([sampler.draw(7) for _ in range(8)] + [sampler.draw(4)])
    assert sorted(first.tolist()) == list(range(60))
    second = np.concatenate([sampler.draw(20) for _ in range(3)])
    assert sorted(second.tolist()) == list(range(60))
    assert first.tolist() != second.tolist()


def test_ratio_gives_the_levels_their_shares():
    sampled = pool()
    found = PoolSampler(sampled, sampling("ratio")).draw(20)
    levels = Counter(np.digitize(sampled.difficulty[found], (1, 4, 7)).tolist())
    assert levels == {1: 10, 2: 6, 3: 4}
    assert len(set(found.tolist())) == 20


def test_balanced_gives_every_website_its_turn():
    sampled = pool()
    sampler = PoolSampler(sampled, sampling("balanced"))
    for _ in range(4):
        assert len(set(sampled.site[sampler.draw(31)].tolist())) == 31
    many = np.concatenate([sampler.draw(31) for _ in range(10)])
    assert set(Counter(sampled.site[many].tolist()).values()) == {10}
    assert len({place for place in many.tolist() if place % 2}) == 10


@pytest.mark.parametrize("group", [1, 4])
def test_adaptive_prefers_the_middle(group: int):
    sampled = pool(3000)
    won, lost = np.zeros(3000), np.zeros(3000)
    won[:1000], lost[1000:2000], won[2000:], lost[2000:] = 16, 16, 8, 8
    found = PoolSampler(sampled, sampling("adaptive", group=group)).draw(300, estimates=(won, lost))
    thirds = np.bincount(found // 1000, minlength=3)
    assert thirds[2] > 1.2 * thirds[:2].sum()
    assert thirds[:2].min() > 0


@given(st.integers(2, 8), st.floats(0, 20), st.floats(0, 20))
def test_contrast_is_a_chance_and_symmetric(group: int, won: float, lost: float):
    half = np.array([0.5])
    one = chance_of_contrast(np.array([won]), np.array([lost]), half, group)
    other = chance_of_contrast(np.array([lost]), np.array([won]), half, group)
    assert 0 <= one[0] <= 1
    assert one[0] == pytest.approx(other[0])


def test_contrast_is_what_many_groups_show():
    rng = np.random.default_rng(0)
    success = rng.beta(3 + 1, 5 + 1, size=200_000)
    wins = rng.binomial(4, success)
    expected = ((wins > 0) & (wins < 4)).mean()
    found = chance_of_contrast(np.array([3.0]), np.array([5.0]), np.array([0.5]), 4)
    assert found[0] == pytest.approx(expected, abs=0.005)


def test_a_task_never_tried_is_guessed_from_its_level():
    found = guesses(np.array([9.0, 0, 0]), np.array([0.0, 0, 0]), np.array([1, 1, 2]))
    assert found[1] > 0.8
    assert found[2] == 0.5


def test_weights_are_the_chances_of_contrast_whether_tried_or_not():
    won, lost, kinds = np.array([3.0, 0, 0]), np.array([1.0, 0, 0]), np.array([1, 1, 2])
    guess = guesses(won, lost, kinds)[kinds]
    assert weights_of(won, lost, kinds, 4) == pytest.approx(chance_of_contrast(won, lost, guess, 4))


@given(st.sampled_from(KINDS), st.integers(0, 5), st.lists(st.integers(1, 12), min_size=1, max_size=5), st.data())
@settings(max_examples=40, deadline=None)
def test_drawing_goes_on_after_a_restart_as_if_there_was_none(
    kind: Kind, seed: int, counts: list[int], data: st.DataObject
):
    sampled, wanted = pool(), sampling(kind, seed=seed)
    straight, halting = PoolSampler(sampled, wanted), PoolSampler(sampled, wanted)
    for count in counts:
        if data.draw(st.booleans()):
            halting = PoolSampler(sampled, wanted, read_state(msgspec.json.encode(halting.state())))
        assert straight.draw(count).tolist() == halting.draw(count).tolist()


@pytest.mark.parametrize("kind", KINDS)
def test_workers_never_share_a_task_within_a_round(kind: Kind):
    sampled = pool(600)
    found = [
        place
        for worker in range(4)
        for place in PoolSampler(sampled, sampling(kind, worker=worker, workers=4)).draw(40).tolist()
    ]
    assert len(found) == len(set(found)) == 160


def test_the_only_task_of_a_website_is_of_one_worker_in_all_turns():
    sampled = pool()
    samplers = [PoolSampler(sampled, sampling("balanced", worker=worker, workers=2)) for worker in range(2)]
    drawn = [{place for _ in range(6) for place in one.draw(20).tolist()} for one in samplers]
    assert not drawn[0] & drawn[1]


def test_balanced_gives_as_many_as_are_wanted_if_there_are_so_many():
    sampled = pool(600)  # of which 300 on one website
    found = PoolSampler(sampled, sampling("balanced")).draw(600)
    assert sorted(found.tolist()) == list(range(600))
    out = sampled.without(task_ids=["0", "1"])
    assert sorted(PoolSampler(sampled, sampling("balanced")).draw(700, without=out).tolist()) == list(range(2, 600))


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_out_of_the_pool_is_not_drawn_and_comes_back(kind: Kind):
    sampled = pool()
    out = sampled.without(["big.com"], ["0"])
    assert out is not None
    assert out.sum() == 31
    sampler = PoolSampler(sampled, sampling(kind))
    few = sampler.draw(12, without=out)
    assert len(few) == 12
    assert not out[few].any()
    back = np.concatenate([sampler.draw(12) for _ in range(20)])
    assert out[back].any()


def test_a_draw_larger_than_the_pool_gives_all_there_are():
    sampled = pool(10)
    for kind in ("uniform", "balanced", "adaptive"):
        assert sorted(PoolSampler(sampled, sampling(kind)).draw(99).tolist()) == list(range(10))
    assert len(PoolSampler(sampled, sampling("uniform")).draw(5, without=np.ones(10, bool))) == 0


def test_a_state_of_another_pool_or_another_sampling_is_refused():
    state = PoolSampler(pool(10), sampling("uniform")).state()
    with pytest.raises(TaskSetError, match="start a new one"):
        PoolSampler(pool(11), sampling("uniform"), state)
    with pytest.raises(TaskSetError, match="start a new one"):
        PoolSampler(pool(10), sampling("uniform", seed=1), state)


def test_sampling_that_makes_no_sense_is_refused():
    with pytest.raises(ConfigError, match="must be 0 to 1"):
        PoolSampler(pool(), sampling("uniform", worker=2, workers=2))
    with pytest.raises(ConfigError, match="such as easy=5"):
        PoolSampler(pool(), TaskSampling(kind="ratio", ratio={"tricky": 1}))
    with pytest.raises(ConfigError, match="no hard tasks"):
        PoolSampler(pool(4), sampling("ratio"))
    with pytest.raises(TaskSetError, match="no tasks"):
        pool_of(set_of("x", []))


def test_the_hardest_come_first_and_groups_stay_together():
    sampled = pool(10)
    ordered = hardest_first(sampled, np.arange(10))
    assert sampled.difficulty[ordered].tolist() == sorted(sampled.difficulty.tolist(), reverse=True)
    assert in_groups(ordered[:2], 3).tolist() == [4, 4, 4, 9, 9, 9]
