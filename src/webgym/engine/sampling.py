"""Token sampling: the distribution, a draw from it, and its logprob."""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false, reportUnknownArgumentType=false

from __future__ import annotations

from collections.abc import Sequence

import torch

from webgym.engine.request import SamplingParams


def choose(
    logits: torch.Tensor, samplings: Sequence[SamplingParams], draws: Sequence[float]
) -> tuple[list[int], list[float]]:
    """Sample a token and its logprob for each row of [rows, vocabulary].

    Args:
        logits: Raw logits.
        samplings: Sampling parameters of each row.
        draws: One number for each row, uniform in [0, 1). The same row and the same number give the same token,
            whatever the other rows are.
    """
    greedy = [sampling.temperature == 0 for sampling in samplings]
    if all(greedy):
        return logits.argmax(-1).tolist(), [0.0] * len(greedy)
    logprobs = distribution(logits, samplings)
    cumulative = logprobs.exp().cumsum(-1, dtype=torch.double)
    drawn = torch.tensor(draws, dtype=torch.double, device=logits.device)[:, None] * cumulative[:, -1:]
    # `right=True`, so that tokens of probability 0 are never chosen.
    tokens = torch.searchsorted(cumulative, drawn, right=True).clamp_(max=logits.shape[-1] - 1)
    chosen = logprobs.gather(-1, tokens)[:, 0].tolist()
    picked = tokens[:, 0].tolist()
    if any(greedy):
        best = logits.argmax(-1).tolist()
        for row in (row for row, certain in enumerate(greedy) if certain):
            picked[row], chosen[row] = best[row], 0.0
    return picked, chosen


def distribution(logits: torch.Tensor, samplings: Sequence[SamplingParams]) -> torch.Tensor:
    """Return the logprobs sampled from: temperature first, then top-k, then top-p."""
    temperatures = [sampling.temperature or 1.0 for sampling in samplings]
    if any(temperature != 1.0 for temperature in temperatures):
        logits = logits / torch.tensor(temperatures, device=logits.device)[:, None]
    cut = [row for row, sampling in enumerate(samplings) if sampling.top_k or sampling.top_p < 1]
    if cut:
        rows = torch.tensor(cut, device=logits.device)
        logits = logits.index_copy(0, rows, _cut(logits[rows], [samplings[row] for row in cut]))
    return torch.log_softmax(logits, -1)


def _cut(logits: torch.Tensor, samplings: Sequence[SamplingParams]) -> torch.Tensor:
    """Apply top-k, then top-p, by setting other logits to -inf. The most likely token always stays."""
    size = logits.shape[-1]
    ordered, order = torch.sort(logits, dim=-1, descending=True, stable=True)
    most = torch.tensor([sampling.top_k or size for sampling in samplings], device=logits.device)
    ordered = ordered.masked_fill(torch.arange(size, device=logits.device) >= most[:, None], float("-inf"))
    before = ordered.softmax(-1).cumsum(-1).roll(1, -1)
    before[:, 0] = 0.0
    reach = torch.tensor([sampling.top_p for sampling in samplings], device=logits.device)
    # With top_p 1, a sum rounded up to 1 must not cut the tail.
    over = (before >= reach[:, None]) & (reach < 1)[:, None]
    ordered = ordered.masked_fill(over, float("-inf"))
    return torch.empty_like(logits).scatter_(-1, order, ordered)
