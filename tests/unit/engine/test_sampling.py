"""What is chosen, how often, and the logprob that is told."""

from __future__ import annotations

import math
import random

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from webgym.engine.request import SamplingParams
from webgym.engine.sampling import choose, distribution

ROW = torch.tensor([[2.0, 1.0, 0.0, -1.0, 1.5]])


def test_draws_follow_the_distribution():
    rng = random.Random(1)
    count = 20_000
    sampling = SamplingParams(temperature=0.7)
    tokens, logprobs = choose(ROW.expand(count, -1), [sampling] * count, [rng.random() for _ in range(count)])
    expected = torch.softmax(ROW[0] / 0.7, -1)
    for token in range(5):
        share = tokens.count(token) / count
        assert share == pytest.approx(expected[token].item(), abs=4 * math.sqrt(0.25 / count))
    assert logprobs[0] == pytest.approx(expected[tokens[0]].log().item(), abs=1e-5)


def test_temperature_zero_takes_the_likeliest_and_is_certain():
    assert choose(ROW, [SamplingParams(temperature=0)], [0.99]) == ([0], [0.0])
    tokens, logprobs = choose(ROW.expand(2, -1), [SamplingParams(temperature=0), SamplingParams()], [0.99, 0.999])
    assert (tokens[0], logprobs[0]) == (0, 0.0)
    assert logprobs[1] < 0


def test_top_k_and_top_p_cut_and_what_is_left_sums_to_one():
    two = distribution(ROW, [SamplingParams(top_k=2)])[0]
    assert two.exp().sum().item() == pytest.approx(1)
    assert torch.isfinite(two).tolist() == [True, False, False, False, True]
    narrow = distribution(ROW, [SamplingParams(top_p=0.01)])[0]
    assert narrow[0].item() == pytest.approx(0, abs=1e-6)
    first = torch.softmax(ROW[0], -1)[0].item()
    assert torch.isfinite(distribution(ROW, [SamplingParams(top_p=first + 0.01)])[0]).sum().item() == 2
    assert torch.isfinite(distribution(ROW, [SamplingParams(top_k=3, top_p=0.999)])[0]).sum().item() == 3


@settings(deadline=None, max_examples=60)
@given(
    logits=st.lists(st.floats(-30, 30), min_size=2, max_size=40),
    draw=st.floats(0, 1, exclude_max=True),
    temperature=st.floats(0.05, 5),
    top_p=st.floats(0.01, 1),
    top_k=st.integers(0, 45),
)
def test_what_is_chosen_could_have_been(logits, draw, temperature, top_p, top_k):
    row = torch.tensor([logits])
    sampling = SamplingParams(temperature=temperature, top_p=top_p, top_k=top_k)
    tokens, logprobs = choose(row, [sampling], [draw])
    assert -200 < logprobs[0] <= 1e-6
    assert logprobs[0] == pytest.approx(distribution(row, [sampling])[0, tokens[0]].item(), abs=1e-6)
    # Its row alone decides, not those beside it.
    beside = torch.cat([torch.randn(1, len(logits)), row, torch.randn(1, len(logits))])
    others = [SamplingParams(temperature=0.3), sampling, SamplingParams(top_k=1)]
    assert choose(beside, others, [0.1, draw, 0.9])[0][1] == tokens[0]
