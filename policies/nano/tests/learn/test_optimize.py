"""Muon is torch's, AdamW gets the rest, and the average follows."""

from __future__ import annotations

import pytest
import torch
from policies.nano.tests.learn.pages import SMALL

from webgym_nano.learn.model import Pupil
from webgym_nano.learn.optimize import Average, Muon, Optimizer, schedule
from webgym_nano.learn.settings import OptimizerSettings
from webgym_nano.learn.words import Words
from webgym_nano.model import new_model


def test_muon_moves_weights_as_torch_does():
    shapes = [(16, 32), (16, 32), (48, 16), (24, 24)]
    generator = torch.Generator().manual_seed(0)
    ours = [torch.nn.Parameter(torch.randn(shape, generator=generator)) for shape in shapes]
    start = [weight.detach().clone() for weight in ours]
    theirs = [torch.nn.Parameter(weight.clone()) for weight in start]
    muon = Muon(ours, lr=0.01, decay=0.05)
    torchs = torch.optim.Muon(theirs, lr=0.01, weight_decay=0.05, momentum=0.95, adjust_lr_fn="match_rms_adamw")
    for _ in range(5):
        for one, other in zip(ours, theirs, strict=True):
            one.grad = torch.randn(one.shape, generator=generator)
            other.grad = one.grad.clone()
        muon.step()
        torchs.step()
    for before, one, other in zip(start, ours, theirs, strict=True):
        moved, expected = one.detach() - before, other.detach() - before
        assert float((moved - expected).norm() / expected.norm()) < 0.03  # torch's computes in bfloat16 everywhere


def test_every_weight_learns_once():
    pupil = Pupil(new_model(SMALL), SMALL, Words())
    optimizer = Optimizer(pupil, OptimizerSettings())
    groups = [group for inner in (optimizer._adam, optimizer._muon) for group in inner.param_groups]
    listed = [id(weight) for group in groups for weight in group["params"]]
    assert sorted(listed) == sorted(id(weight) for weight in pupil.parameters())
    embedding = id(pupil.embedding)
    (free,) = [group for group in optimizer._adam.param_groups if group["weight_decay"] == 0]
    assert embedding in [id(weight) for weight in free["params"]]
    assert all(weight.ndim == 2 for weight in optimizer._muon.param_groups[0]["params"])


def test_the_learning_rate_rises_then_falls_along_a_cosine():
    settings = OptimizerSettings(warmup=10, floor=0.1)
    assert schedule(0.0, 0, settings) == pytest.approx(0.1)
    assert schedule(0.0, 9, settings) == pytest.approx(1.0)
    assert schedule(0.5, 500, settings) == pytest.approx(0.55)
    assert schedule(1.0, 900, settings) == schedule(2.0, 900, settings) == pytest.approx(0.1)


def test_the_average_follows_and_can_be_tried_and_put_back():
    pupil = Pupil(new_model(SMALL), SMALL, Words())
    average = Average(pupil, 0.5)
    before = pupil.embedding.detach().clone()
    with torch.no_grad():
        pupil.embedding.add_(1.0)
    average.follow(1000)
    name = next(name for name in average.weights if name.endswith("embed_tokens.weight"))
    torch.testing.assert_close(average.weights[name], before + 0.5)
    average.exchange()
    torch.testing.assert_close(pupil.embedding.detach(), before + 0.5)
    average.exchange()
    torch.testing.assert_close(pupil.embedding.detach(), before + 1.0)
    torch.testing.assert_close(average.weights[name], before + 0.5)
