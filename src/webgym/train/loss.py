"""The one loss kernel: every algorithm here is a choice of its settings and of the weights that samples carry.

With W a token's weight (advantage times aggregation weight), r the ratio of its probability under the current policy
to that under the anchor policy, and w its importance weight, which gets no gradient, the loss of a token is

    -w W min(r, clip(r))            where W > 0
    -w W min(max(r, clip(r)), c)    where W < 0

and the loss of a batch is the plain sum over its tokens: split over micro-batches or ranks in any way, it adds up to
the same. `damping` reduces W for improbable tokens, `negative` reduces it where it is below 0.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor

from webgym.errors import TrainingError
from webgym.train.diagnostics import TokenSums, TokenTerms
from webgym.train.recipe import Correction, LossSettings

MOST_LOG_RATIO = 20.0
"""Log ratios are clamped to plus or minus this. A token beyond it is broken, and gets no gradient."""


@dataclass(frozen=True, slots=True)
class LossTokens:
    """Sampled tokens of whole rows, concatenated: 1-D tensors of the same length."""

    current: Tensor
    """Logprobs under the weights being trained, at the sampling temperature; gradients flow through them."""
    weights: Tensor
    """As in the samples; 0: the token does not count, whatever its other values."""
    behaviour: Tensor | None = None
    """Logprobs recorded at sampling."""
    proximal: Tensor | None = None
    """Logprobs under the trainer's weights before the first update on this batch."""
    reference: Tensor | None = None
    """Logprobs under the reference policy of the KL term."""
    advantages: Tensor | None = None
    """Advantage of each token's attempt. The KL term divides it out: it weighs a token as if its advantage were 1."""
    rows: Tensor | None = None
    """Row index of each token, from 0. For importance ratios of whole rows."""
    entropy: Tensor | None = None
    """Entropy of the distribution that each token is drawn from, for reporting."""


def policy_loss(tokens: LossTokens, settings: LossSettings) -> tuple[Tensor, TokenSums]:
    """Return the loss of these tokens and their diagnostics.

    Raises:
        TrainingError: The settings need logprobs that are missing.
    """
    live = tokens.weights != 0
    raw = _importance(tokens, settings, live)
    used, outside = _bounded(raw, settings.correction)
    surrogate, ratio = _surrogate(tokens, settings, live)
    loss = -(torch.where(live, used, 0.0) * surrogate).sum()
    divergence = None
    if settings.kl:
        divergence = _k3(_difference(_given(tokens.reference, "reference"), tokens.current, live))
        loss = loss + settings.kl * (_shares(tokens, live) * divergence).sum()
    return loss, TokenSums.of(_terms(tokens, settings, live, raw, outside, ratio, divergence))


def _surrogate(tokens: LossTokens, settings: LossSettings, live: Tensor) -> tuple[Tensor, Tensor | None]:
    """Return the weighted objective of each token, and the ratio if there is one."""
    if settings.surrogate == "logprob":
        weights = _weighed(tokens.weights, tokens.current, settings, live)
        return weights * torch.where(live, _wide(tokens.current), 0.0), None
    anchor = _given(tokens.proximal if settings.anchor == "proximal" else tokens.behaviour, settings.anchor)
    weights = _weighed(tokens.weights, anchor, settings, live)
    ratio = _difference(tokens.current, anchor, live).exp()
    clipped = ratio.clamp(_lowest(settings), _highest(settings))
    objective = torch.minimum(weights * ratio, weights * clipped)
    if settings.dual_clip is not None:
        least = torch.where(weights < 0, settings.dual_clip * weights, -torch.inf)
        objective = torch.maximum(objective, least)
    return objective, ratio.detach()


def _weighed(weights: Tensor, logprobs: Tensor, settings: LossSettings, live: Tensor) -> Tensor:
    """Scale down weights of improbable tokens (`damping`) and negative weights (`negative`). No gradient."""
    if settings.damping:
        probability = torch.where(live, _wide(logprobs.detach()), 0.0).exp()
        weights = weights * (1 - settings.damping * (1 - probability))
    return weights if settings.negative == 1 else torch.where(weights < 0, settings.negative * weights, weights)


def _importance(tokens: LossTokens, settings: LossSettings, live: Tensor) -> Tensor:
    """Return the importance ratio, proximal over behaviour, of each token or its row; 1 without correction."""
    if not settings.corrects:
        return torch.ones_like(tokens.weights)
    proximal, behaviour = _given(tokens.proximal, "proximal"), _given(tokens.behaviour, "behaviour")
    difference = torch.where(live, _wide(proximal) - _wide(behaviour), 0.0).detach()
    if settings.correction.level != "token":
        difference = _by_row(difference, live, _given(tokens.rows, "rows"), settings.correction.level == "geometric")
    return difference.clamp(-MOST_LOG_RATIO, MOST_LOG_RATIO).exp()


def _by_row(difference: Tensor, live: Tensor, rows: Tensor, mean: bool) -> Tensor:
    count = int(rows.max()) + 1 if rows.numel() else 0
    totals = difference.new_zeros(count).index_add(0, rows, difference)
    if mean:
        totals = totals / difference.new_zeros(count).index_add(0, rows, live.to(difference.dtype)).clamp(min=1)
    return totals[rows]


def _bounded(raw: Tensor, correction: Correction) -> tuple[Tensor, Tensor]:
    """Return the importance weights to use, and which of them were masked or clamped."""
    outside = (raw < correction.low) | (raw > correction.high)
    match correction.use:
        case "off" | "full":
            return raw, torch.zeros_like(outside)
        case "clamp":
            return raw.clamp(correction.low, correction.high), outside
        case "mask":
            return torch.where(outside, 0.0, raw), outside


def _shares(tokens: LossTokens, live: Tensor) -> Tensor:
    """Return the aggregation weights alone: weights divided by advantages."""
    advantages = _given(tokens.advantages, "advantages")
    return torch.where(live, tokens.weights / torch.where(live, advantages, 1.0), 0.0)


def _difference(over: Tensor, under: Tensor, live: Tensor) -> Tensor:
    """Return the log ratio: 0 for tokens that do not count, clamped so that its exp stays finite."""
    return torch.where(live, _wide(over) - _wide(under), 0.0).clamp(-MOST_LOG_RATIO, MOST_LOG_RATIO)


def _k3(log_ratio: Tensor) -> Tensor:
    """The k3 estimator of the KL divergence, exp(x) - 1 - x: never negative."""
    return log_ratio.expm1() - log_ratio


def _terms(
    tokens: LossTokens,
    settings: LossSettings,
    live: Tensor,
    raw: Tensor,
    outside: Tensor,
    ratio: Tensor | None,
    divergence: Tensor | None,
) -> TokenTerms:
    with torch.no_grad():
        drift = None if tokens.behaviour is None else _k3(_difference(tokens.current, tokens.behaviour, live))
        mismatch = None
        if tokens.behaviour is not None and tokens.proximal is not None:
            mismatch = _k3(_difference(tokens.proximal, tokens.behaviour, live))
        clipped = dual = None
        if ratio is not None:
            up = tokens.weights > 0
            clipped = torch.where(up, ratio > _highest(settings), ratio < _lowest(settings))
            dual = ~up & (ratio > (settings.dual_clip or torch.inf))
        return TokenTerms(live, raw, outside, clipped, dual, ratio, drift, mismatch, divergence, tokens.entropy)


def _lowest(settings: LossSettings) -> float:
    return 0.0 if settings.clip_low is None else 1 - settings.clip_low


def _highest(settings: LossSettings) -> float:
    return float("inf") if settings.clip_high is None else 1 + settings.clip_high


def _wide(values: Tensor) -> Tensor:
    """Upcast to float32: differences of logprobs need more than 16 bits."""
    return values.float() if values.dtype in {torch.bfloat16, torch.float16} else values


def _given(values: Tensor | None, name: str) -> Tensor:
    if values is None:
        raise TrainingError(f"this loss needs `{name}` of every token")
    return values
