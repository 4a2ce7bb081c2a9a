"""Rows are packed in order, without padding, and each picture is seen once."""

from __future__ import annotations

import dataclasses
import io
import itertools
from array import array

import msgspec
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image
from tests.unit.train import tiny

from webgym.errors import SampleError, SampleProblem, TokenizerMismatch
from webgym.train.images import PatchCache
from webgym.train.packing import PassBudget, pack, plan_packs
from webgym.train.positions import patch_places
from webgym.train.rows import SampleRow, row_of
from webgym.train.shape import shape_of

SHAPE = shape_of(tiny.config())


class Fetched:
    """Counts how often each picture is asked for."""

    def __init__(self):
        self.asked: list[str] = []

    def __call__(self, address: str) -> bytes:
        self.asked.append(address)
        return tiny.PICTURES[address]


def gallery(fetch=tiny.PICTURES.__getitem__, **options) -> PatchCache:
    return PatchCache(fetch, tiny.processor(), SHAPE.vision, **options)


def rows(samples) -> list[SampleRow]:
    here = gallery()
    return [row_of(n, s, [here.grid(a) for a in s.pictures], SHAPE) for n, s in enumerate(samples)]


@settings(max_examples=40, deadline=None)
@given(
    shown=st.lists(st.text("abcde", max_size=4), min_size=1, max_size=12),
    tokens=st.integers(20, 200),
    patches=st.integers(10, 200),
)
def test_packs_hold_every_row_once_and_keep_to_the_budget(shown, tokens, patches):
    made = rows([tiny.sample(n, pictures) for n, pictures in enumerate(shown)])
    packs = plan_packs(made, PassBudget(tokens, patches))
    assert sorted(row.number for part in packs for row in part) == list(range(len(shown)))
    for part in packs:
        grids = {address: grid for row in part for address, grid in zip(row.pictures, row.grids, strict=True)}
        assert len(part) == 1 or sum(len(row.ids) for row in part) <= tokens
        assert len(part) == 1 or sum(height * width for height, width in grids.values()) <= patches
    assert packs == plan_packs(made, PassBudget(tokens, patches))


def test_a_row_is_packed_with_one_that_shows_the_same_picture():
    made = rows([tiny.sample(n, pictures) for n, pictures in enumerate(("a", "b", "b", "a"))])
    two = max(len(one.ids) + len(other.ids) for one, other in itertools.combinations(made, 2))
    packs = plan_packs(made[:1], PassBudget(two, 10_000)) + plan_packs(made[1:], PassBudget(two, 10_000))
    assert [[row.number for row in part] for part in packs] == [[0], [1, 2], [3]]
    apart = [made[0], made[1], made[3], made[2]]
    both = PassBudget(2 * two, sum(height * width for row in made[:2] for height, width in row.grids) - 1)
    assert [[row.number for row in part] for part in plan_packs(apart, both)] == [[0, 3], [1, 2]]


def test_a_short_row_fills_up_a_pack_of_before():
    made = rows([tiny.sample(n, "a" * count) for n, count in enumerate((1, 4, 1))])
    packs = plan_packs(made, PassBudget(len(made[1].ids), 10_000))
    assert [[row.number for row in part] for part in packs] == [[0, 2], [1]]


def test_a_pack_has_no_padding_and_each_picture_once():
    samples = tiny.samples()
    made = rows(samples)
    patches = gallery().patches("abcde")
    one = pack(made, patches, SHAPE)
    assert len(one.ids) == sum(len(row.ids) for row in made)
    assert one.within.lengths == tuple(len(row.ids) for row in made)
    assert one.patches == sum(len(each) for each in patches.values())
    assert len(one.seen_from) == sum(tiny.tokens_of(address) for s in samples for address in s.pictures)
    assert one.lengths == tuple(row.sampled for row in made)
    assert torch.equal(one.ids[one.loss_at + 1], one.targets)


def test_pictures_of_one_size_share_the_places_of_their_patches():
    made = rows([tiny.sample(0, "a"), tiny.sample(1, "c")])
    other = dataclasses.replace(made[0], number=2, pictures=("again",))
    patches = gallery().patches("ac")
    found = pack([*made, other], patches | {"again": patches["a"]}, SHAPE).pictures
    grids = [made[0].grids[0], made[1].grids[0]]
    assert grids[0] != grids[1]
    assert len(found.taps) == len(found.shares) == sum(height * width for height, width in grids)
    starts = itertools.accumulate(found.within.lengths, initial=0)
    for start, length in zip(starts, found.within.lengths, strict=False):
        grid = next(each for each in grids if each[0] * each[1] == length)
        place, mine = patch_places(grid, SHAPE.vision.side, SHAPE.vision.merge), slice(start, start + length)
        assert torch.equal(found.at[mine], place.at)
        assert torch.equal(found.taps[found.places[mine]], place.taps)
        assert torch.equal(found.shares[found.places[mine]], place.shares)


def test_a_picture_is_fetched_once_to_be_measured_and_seen():
    fetch = Fetched()
    here = gallery(fetch)
    for _ in range(3):
        assert here.grid("a") == (4, 6)
        here.patches(["a", "a"])
    assert fetch.asked == ["a"]


def test_a_picture_whose_patches_made_way_is_not_fetched_again_while_its_bytes_fit():
    fetch = Fetched()
    here = gallery(fetch, most_bytes=0)
    for _ in range(3):
        here.patches(["a", "b"])
    assert sorted(fetch.asked) == ["a", "b"]


def test_patches_are_those_of_the_processor_without_repeated_frames():
    made = tiny.processor()(images=[Image.open(io.BytesIO(tiny.PICTURES["c"]))], return_tensors="pt")
    frames = made["pixel_values"].view(-1, 3, 2, 8, 8)
    assert torch.equal(frames[:, :, 0], frames[:, :, 1])
    assert torch.equal(gallery().patches(["c"])["c"], frames[:, :, 0].flatten(1))


def test_the_least_recently_shown_pictures_leave_first():
    fetch = Fetched()
    size = gallery().patches(["a"])["a"].nbytes
    here = gallery(fetch, most_bytes=2 * size, encoded_bytes=0)
    for address in "abdab":
        here.patches([address])
    assert fetch.asked == ["a", "b", "d", "a", "b"]
    here.patches(["b"])
    assert fetch.asked[5:] == []


def test_something_that_is_no_picture_is_named():
    here = gallery({"x": b"no picture", "y": tiny.PICTURES["a"][:300]}.__getitem__)
    for attempt in (lambda: here.grid("x"), lambda: here.grid("z"), lambda: here.patches(["y"])):
        with pytest.raises(SampleError, match=r"picture [xyz]") as caught:
            attempt()
        assert caught.value.problem is SampleProblem.PICTURES


def test_one_placeholder_for_a_whole_picture_is_expanded():
    whole = tiny.sample(3, "ca")
    ids = array("i", whole.prompt).tolist()
    short = [token for token, before in zip(ids, [None, *ids], strict=False) if not token == before == tiny.IMAGE]
    [a], [b] = rows([whole]), rows([msgspec.structs.replace(whole, prompt=array("i", short).tobytes())])
    assert torch.equal(a.ids, b.ids)
    assert torch.equal(a.positions, b.positions)


def test_tokens_that_the_model_does_not_know_are_refused():
    bad = msgspec.structs.replace(tiny.sample(1), sampled=array("i", [3, tiny.VOCABULARY]).tobytes(), weights=bytes(8))
    with pytest.raises(TokenizerMismatch, match=f"the reply has the token {tiny.VOCABULARY}"):
        rows([bad])


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"pictures": ()}, SampleProblem.PICTURES),
        ({"pictures": ("a",)}, SampleProblem.PICTURES),
        ({"pictures": ("a", "b", "c")}, SampleProblem.PICTURES),
        ({"pictures": ("b", "a")}, SampleProblem.PICTURES),
        ({"sampled": array("i", [1, tiny.IMAGE, 2, 3]).tobytes()}, SampleProblem.PICTURES),
        ({"sampled": b""}, SampleProblem.BAD_LENGTHS),
        ({"prompt": b"123"}, SampleProblem.BAD_LENGTHS),
        ({"weights": bytes(4)}, SampleProblem.BAD_LENGTHS),
        ({"logprobs": bytes(12)}, SampleProblem.BAD_LENGTHS),
        ({"logprobs": array("f", [float("nan")] * 4).tobytes()}, SampleProblem.BAD_VALUES),
        ({"temperature": 0.0}, SampleProblem.BAD_VALUES),
    ],
)
def test_samples_whose_parts_do_not_fit_are_refused_by_name(change, problem):
    bad = msgspec.structs.replace(tiny.sample(1, "ab"), **change)
    with pytest.raises(SampleError, match="attempt attempt-0, step 1: ") as caught:
        rows([bad])
    assert caught.value.problem is problem
