"""The prefix cache finds the prompts that a new one begins like, however many there are."""

from __future__ import annotations

import random

import torch

from webgym.engine.prefix_cache import PrefixCache, marks_of

IMAGE = 9


def marks(*ids: int):
    return marks_of(list(ids), IMAGE, [])


def kept(cache: PrefixCache, ids: list[int], size: int = 8) -> torch.Tensor:
    states = torch.full((size,), float(ids[-1]))
    cache.keep(marks(*ids), states)
    return states


def test_the_longest_common_beginning_is_found_to_the_token():
    cache = PrefixCache(1 << 20)
    begin = list(range(100, 140))
    kept(cache, [*begin[:20], *range(200, 230)])
    longer = kept(cache, [*begin, *range(300, 320)])
    assert cache.longest(marks(*begin, 1, 2, 3)) == (40, longer)
    assert cache.saved == 40


def test_a_prompt_that_is_known_as_a_whole_is_still_computed_at_its_last_token():
    cache = PrefixCache(1 << 20)
    ids = list(range(100, 133))
    states = kept(cache, ids)
    assert cache.longest(marks(*ids)) == (32, states)


def test_other_images_of_the_same_size_are_other_beginnings():
    cache = PrefixCache(1 << 20)
    ids = [1, 2, *[IMAGE] * 30, 3, 4, 5]
    cache.keep(marks_of(ids, IMAGE, [("sha256:a", 30)]), torch.zeros(8))
    assert cache.longest(marks_of(ids, IMAGE, [("sha256:b", 30)])) == (0, None)
    assert cache.longest(marks_of(ids, IMAGE, [("sha256:a", 30)]))[0] == len(ids) - 1


def test_what_was_evicted_is_not_found_and_leaves_nothing_behind():
    cache = PrefixCache(4 * 8 * 3)
    rng = random.Random(0)
    prompts = [[rng.randrange(10, 500) for _ in range(64)] for _ in range(50)]
    for ids in prompts:
        kept(cache, ids)
    assert [cache.longest(marks(*ids))[0] for ids in prompts] == [0] * 47 + [63] * 3
    assert len(cache._begins) == 3 * 64 // 16
    cache.clear()
    assert not cache._begins


def test_a_beginning_outlives_the_eviction_of_an_older_prompt_that_had_it_too():
    cache = PrefixCache(4 * 8 * 2)
    begin = list(range(100, 132))
    kept(cache, [*begin, 1])
    newer = kept(cache, [*begin, 2])
    kept(cache, list(range(200, 240)))
    assert cache.longest(marks(*begin, 3)) == (32, newer)
