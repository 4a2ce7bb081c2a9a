"""The one loss kernel: every algorithm here is a choice of its settings and of the weights that samples carry.

With W a token's weight (advantage times aggregation), r its probability now over that under the anchor, and w its
importance weight, which is a constant, the loss of a token is

    -w W min(r, clip(r))            where W > 0
    -w W min(max(r, clip(r)), c)    where W < 0

and that of a batch the sum over its tokens, divided by nothing: cut a batch up as you like, over micro-batches or
processes, and add up. With `damping`, W is less for improbable tokens; with `negative`, where it is below 0.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor

from webgym.errors import TrainingError
from webgym.train.diagnostics import TokenSums, TokenTerms
from webgym.train.recipe import Correction, LossSettings

MOST_LOG_RATIO = 20.0
"""Ratios are exp of at most this and at least its negative. A token beyond is broken, and has no gradient."""


@dataclass(frozen=True, slots=True)
class LossTokens:
    """Sampled tokens of whole rows, one behind the other: tensors of one dimension and the same length."""

    current: Tensor
    """Logprobs under the weights that learn, at the temperature that was sampled with; gradients flow through it."""
    weights: Tensor
    """As in the samples; 0: the token does not count, whatever else is said about it."""
    behaviour: Tensor | None = None
    """Logprobs as sampled."""
    proximal: Tensor | None = None
    """Logprobs under the trainer's weights before the first update on this batch."""
    reference: Tensor | None = None
    """Logprobs under the policy that the divergence is from."""
    advantages: Tensor | None = None
    """Of each token's attempt. For the divergence, which is weighed like a token of advantage 1."""
    rows: Tensor | None = None
    """Number of each token's row, from 0. For ratios of whole rows."""
    entropy: Tensor | None = None
    """Of the distribution that each token is drawn from, to be reported."""


def policy_loss(tokens: LossTokens, settings: LossSettings) -> tuple[Tensor, TokenSums]:
    """The loss of these tokens and what there is to know about them.

    Raises:
        TrainingError: The settings ask for logprobs that are not there.
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
    """Weight times what is to be made large, and the ratio if there is one."""
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
    """Less where a token was improbable or its attempt did badly, as far as the settings say. Constants."""
    if settings.damping:
        probability = torch.where(live, _wide(logprobs.detach()), 0.0).exp()
        weights = weights * (1 - settings.damping * (1 - probability))
    return weights if settings.negative == 1 else torch.where(weights < 0, settings.negative * weights, weights)


def _importance(tokens: LossTokens, settings: LossSettings, live: Tensor) -> Tensor:
    """Proximal over behaviour, for each token or its row; 1 where no correction is asked for."""
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
    """Importance weights as they are used, and which of them are outside of the bounds."""
    outside = (raw < correction.low) | (raw > correction.high)
    match correction.use:
        case "off" | "full":
            return raw, torch.zeros_like(outside)
        case "clamp":
            return raw.clamp(correction.low, correction.high), outside
        case "mask":
            return torch.where(outside, 0.0, raw), outside


def _shares(tokens: LossTokens, live: Tensor) -> Tensor:
    """Aggregation weights alone: weights without their advantages."""
    advantages = _given(tokens.advantages, "advantages")
    return torch.where(live, tokens.weights / torch.where(live, advantages, 1.0), 0.0)


def _difference(over: Tensor, under: Tensor, live: Tensor) -> Tensor:
    """The log of a ratio: 0 for tokens that do not count, and never so large that its exp is not finite."""
    return torch.where(live, _wide(over) - _wide(under), 0.0).clamp(-MOST_LOG_RATIO, MOST_LOG_RATIO)


def _k3(log_ratio: Tensor) -> Tensor:
    """An estimate, never negative, of the divergence of what was sampled from: exp(x) - 1 - x."""
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
    """Differences of logprobs need more than 16 bits."""
    return values.float() if values.dtype in {torch.bfloat16, torch.float16} else values


def _given(values: Tensor | None, name: str) -> Tensor:
    if values is None:
        raise TrainingError(f"this loss needs `{name}` of every token")
    return values
