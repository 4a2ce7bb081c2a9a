"""Randomness that is the same everywhere."""

from __future__ import annotations

from collections import Counter

from webgym.rng import Rng

GOLDEN = [634, 6, "e", [1, 3, 5, 2, 4], 0.418108815]


def test_the_same_seed_gives_the_same_choices_on_every_machine():
    rng = Rng("shop", 3)
    drawn = [
        rng.below(1000),
        rng.between(5, 9),
        rng.pick("abcdef"),
        rng.shuffled([1, 2, 3, 4, 5]),
        round(rng.unit(), 9),
    ]
    assert drawn == GOLDEN


def test_streams_of_different_names_differ():
    assert [Rng("a", 1).below(10**9), Rng("a", 2).below(10**9)] != [Rng("a", 1).below(10**9)] * 2
    assert Rng("a", 11).unit() != Rng("a", 1, 1).unit()


def test_a_fork_does_not_depend_on_how_much_was_drawn():
    used, fresh = Rng("x"), Rng("x")
    for _ in range(10):
        used.unit()
    assert used.fork("names").unit() == fresh.fork("names").unit()


def test_weights_are_kept():
    rng = Rng("weights")
    counts = Counter(rng.weighted((("often", 3.0), ("seldom", 1.0))) for _ in range(4000))
    assert 0.70 < counts["often"] / 4000 < 0.80


def test_a_sample_has_no_repeats_and_is_never_longer_than_the_items():
    rng = Rng("sample")
    assert sorted(rng.sample(range(5), 9)) == [0, 1, 2, 3, 4]
    assert len(set(rng.sample(range(100), 20))) == 20
