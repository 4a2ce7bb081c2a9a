"""On a GPU the learner is compiled: torch must be able to take each part in one piece, and get the same."""

from __future__ import annotations

import pytest
import torch
from policies.nano.tests.learn.pages import SMALL, page, small_settings, stack_of

from webgym_nano.learn.colours import scaled
from webgym_nano.learn.loss import Teaching
from webgym_nano.learn.model import Pupil
from webgym_nano.learn.rows import Packer
from webgym_nano.learn.words import Words
from webgym_nano.model import new_model


@pytest.mark.timeout(600)
@pytest.mark.parametrize(
    ("narrow", "tolerance", "backend"),
    [
        (True, 2e-2, "eager"),
        pytest.param(True, 2e-2, "aot_eager", marks=pytest.mark.full),  # the way back, too
        pytest.param(False, 1e-5, "aot_eager", marks=pytest.mark.full),
    ],
)
def test_rows_and_losses_are_traced_in_one_piece_in_either_precision(narrow, tolerance, backend):
    words, settings = Words(), small_settings()
    packer = Packer(SMALL, settings.rows, settings.loss, words)
    stack = stack_of([page(number) for number in range(3)], SMALL, settings, packer)
    generator = torch.Generator().manual_seed(1)
    random, noise = torch.rand(stack.table.shape[:2], generator=generator), torch.randn(3, packer.room)
    plain = packer._packed(stack.tokens, stack.table, random, noise)
    traced = torch.compile(packer._packed, dynamic=False, fullgraph=True, backend=backend)
    rows = traced(stack.tokens, stack.table, random, noise)
    assert all(torch.equal(one, other) for one, other in zip(plain, rows, strict=True))
    teaching = Teaching(Pupil(new_model(SMALL), SMALL, words), settings.loss, words)
    expected = teaching(scaled(stack.pictures), rows, stack.letters)
    traced = torch.compile(teaching, dynamic=False, fullgraph=True, backend=backend)
    dtype = torch.bfloat16 if narrow else torch.float32
    with torch.autocast("cpu", torch.bfloat16, enabled=narrow):
        found = traced(scaled(stack.pictures, dtype), rows, stack.letters)
    found.total.backward()
    for one, other in zip(found, expected, strict=True):
        torch.testing.assert_close(one, other, atol=tolerance, rtol=tolerance)
