"""The packed model computes what transformers computes, and so do its gradients."""

from __future__ import annotations

import pytest
import torch
from tests.unit.train import plain, tiny

from webgym.train.images import Gallery
from webgym.train.model import PackedModel
from webgym.train.packing import Pack, pack
from webgym.train.rows import row_of
from webgym.train.shape import shape_of


def packed(samples, shape) -> Pack:
    gallery = Gallery(tiny.PICTURES.__getitem__, tiny.processor(), shape.vision)
    rows = [row_of(n, s, [gallery.grid(a) for a in s.pictures], shape) for n, s in enumerate(samples)]
    return pack(rows, gallery.patches(a for s in samples for a in s.pictures), shape)


def twin(published) -> PackedModel:
    model = PackedModel(shape_of(published.config))
    state = published.state_dict()
    if model.lm_head is None:
        del state["lm_head.weight"]
    model.load_state_dict(state)
    return model


@pytest.mark.parametrize("tied", [True, False])
def test_logprobs_and_gradients_equal_those_of_the_padded_transformers_model(tied):
    published = tiny.published(tied=tied)
    model = twin(published)
    samples = tiny.samples()
    weights = torch.cat([torch.frombuffer(bytearray(s.weights), dtype=torch.float32) for s in samples])

    expected = plain.logprobs(published, samples)
    (expected * weights).sum().backward()
    found = model(packed(samples, model.shape)).logprobs
    (found * weights).sum().backward()

    torch.testing.assert_close(found, expected, atol=2e-5, rtol=1e-5)
    theirs = dict(published.named_parameters())
    for name, weight in model.named_parameters():
        reference = theirs[name].grad
        scale = float(reference.abs().max())
        torch.testing.assert_close(weight.grad, reference, atol=1e-5 * max(scale, 1.0), rtol=1e-4, msg=name)
