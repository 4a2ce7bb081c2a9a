"""Positions of tokens and patches are those that transformers computes."""

from __future__ import annotations

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.unit.train import tiny
from transformers.models.qwen2_vl.image_processing_pil_qwen2_vl import smart_resize
from transformers.vision_utils import get_vision_interpolation_indices_and_weights, get_vision_position_ids

from webgym.errors import SampleError, SampleProblem
from webgym.train.images import whole_tokens
from webgym.train.positions import patch_places, token_positions

GRIDS = st.tuples(st.integers(1, 6), st.integers(1, 6)).map(lambda sides: (2 * sides[0], 2 * sides[1]))


@pytest.fixture(scope="module")
def published():
    return tiny.published()


def row(grids, gaps) -> torch.Tensor:
    ids = [1] * gaps[0]
    for (height, width), gap in zip(grids, gaps[1:], strict=False):
        ids += [tiny.START, *[tiny.IMAGE] * (height * width // 4), tiny.END, *[2] * gap]
    return torch.tensor([*ids, 3])


@settings(max_examples=60, deadline=None)
@given(grids=st.lists(GRIDS, max_size=4), gaps=st.lists(st.integers(0, 5), min_size=5, max_size=5))
def test_token_positions_are_those_of_get_rope_index(published, grids, gaps):
    ids = row(grids, gaps)
    thw = torch.tensor([(1, *grid) for grid in grids]).reshape(-1, 3)
    types = (ids == tiny.IMAGE).int()
    expected, _ = published.model.get_rope_index(ids[None], types[None], image_grid_thw=thw)
    assert torch.equal(token_positions(ids, grids, tiny.IMAGE, 2), expected[:, 0])


@settings(max_examples=60, deadline=None)
@given(grid=GRIDS, side=st.integers(2, 9))
def test_patches_stand_where_transformers_puts_them(grid, side):
    thw = torch.tensor([(1, *grid)])
    places = patch_places(grid, side, 2)
    assert torch.equal(places.at, get_vision_position_ids(thw, 2))
    taps, shares = get_vision_interpolation_indices_and_weights(thw, side, "bilinear", True, 2)
    dense = torch.zeros(len(taps), side * side)
    ours = dense.scatter_add(1, places.taps, places.shares)
    torch.testing.assert_close(ours, dense.scatter_add(1, taps, shares.float()), atol=1e-5, rtol=1e-5)


@settings(max_examples=200, deadline=None)
@given(
    height=st.integers(20, 3000), width=st.integers(20, 3000), least=st.integers(1, 200), more=st.integers(0, 20_000)
)
def test_pictures_get_the_size_that_the_processor_gives_them(height, width, least, more):
    if max(height, width) / min(height, width) > 200:
        return
    least, most = least * 1024, (least + more) * 1024
    expected = smart_resize(height, width, factor=32, min_pixels=least, max_pixels=most)
    assert whole_tokens(height, width, 32, least, most) == expected


@pytest.mark.parametrize(
    ("ids", "grids"),
    [
        ([tiny.IMAGE] * 3 + [1], [(4, 4)]),
        ([tiny.IMAGE] * 4 + [1], []),
        ([1, 2, 3], [(2, 2)]),
        ([tiny.IMAGE, 1, *[tiny.IMAGE] * 4, 1], [(4, 4), (2, 2)]),
    ],
)
def test_placeholders_that_do_not_match_the_pictures_are_refused(ids, grids):
    with pytest.raises(SampleError) as caught:
        token_positions(torch.tensor(ids), grids, tiny.IMAGE, 2)
    assert caught.value.problem is SampleProblem.PICTURES
