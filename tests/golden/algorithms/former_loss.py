"""The loss as it was before algorithms could be swapped, kept as it was: results must not change by a bit."""

from __future__ import annotations

import torch
from torch import Tensor

from webgym.errors import TrainingError

MOST_LOG_RATIO = 20.0


def former_loss(tokens, settings):
    live = tokens.weights != 0
    raw = _importance(tokens, settings, live)
    used, _ = _bounded(raw, settings.correction)
    surrogate, _ = _surrogate(tokens, settings, live)
    loss = -(torch.where(live, used, 0.0) * surrogate).sum()
    divergence = None
    if settings.kl:
        divergence = _k3(_difference(_given(tokens.reference, "reference"), tokens.current, live))
        loss = loss + settings.kl * (_shares(tokens, live) * divergence).sum()
    return loss


def _surrogate(tokens, settings, live: Tensor) -> tuple[Tensor, Tensor | None]:
    """Return the weighted objective of each token, and the ratio if there is one."""
    if settings.use == "logprob":
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


def _weighed(weights: Tensor, logprobs: Tensor, settings, live: Tensor) -> Tensor:
    """Scale down weights of improbable tokens (`damping`) and negative weights (`negative`). No gradient."""
    if settings.damping:
        probability = torch.where(live, _wide(logprobs.detach()), 0.0).exp()
        weights = weights * (1 - settings.damping * (1 - probability))
    return weights if settings.negative == 1 else torch.where(weights < 0, settings.negative * weights, weights)


def _importance(tokens, settings, live: Tensor) -> Tensor:
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


def _bounded(raw: Tensor, correction) -> tuple[Tensor, Tensor]:
    """Return the importance weights to use, and which of them were masked or clamped."""
    outside = (raw < correction.low) | (raw > correction.high)
    match correction.use:
        case "off" | "full":
            return raw, torch.zeros_like(outside)
        case "clamp":
            return raw.clamp(correction.low, correction.high), outside
        case "mask":
            return torch.where(outside, 0.0, raw), outside


def _shares(tokens, live: Tensor) -> Tensor:
    """Return the aggregation weights alone: weights divided by advantages."""
    advantages = _given(tokens.advantages, "advantages")
    return torch.where(live, tokens.weights / torch.where(live, advantages, 1.0), 0.0)


def _difference(over: Tensor, under: Tensor, live: Tensor) -> Tensor:
    """Return the log ratio: 0 for tokens that do not count, clamped so that its exp stays finite."""
    return torch.where(live, _wide(over) - _wide(under), 0.0).clamp(-MOST_LOG_RATIO, MOST_LOG_RATIO)


def _k3(log_ratio: Tensor) -> Tensor:
    """The k3 estimator of the KL divergence, exp(x) - 1 - x: never negative."""
    return log_ratio.expm1() - log_ratio


def _lowest(settings) -> float:
    return 0.0 if settings.clip_low is None else 1 - settings.clip_low


def _highest(settings) -> float:
    return float("inf") if settings.clip_high is None else 1 + settings.clip_high


def _wide(values: Tensor) -> Tensor:
    """Upcast to float32: differences of logprobs need more than 16 bits."""
    return values.float() if values.dtype in {torch.bfloat16, torch.float16} else values


def _given(values: Tensor | None, name: str) -> Tensor:
    if values is None:
        raise TrainingError(f"this loss needs `{name}` of every token")
    return values
