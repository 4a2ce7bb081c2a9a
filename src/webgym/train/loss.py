"""The loss of a batch: what the chosen loss says of each token, and what goes with every loss.

With W a token's weight (advantage times aggregation weight) and w its importance weight, which gets no gradient, the
loss of a batch is the plain sum of w times the loss of a token with weight W: split over micro-batches or ranks in any
way, it adds up to the same. `damping` reduces W for improbable tokens, `negative` reduces it where it is below 0.
`kl` adds the divergence from a reference policy.
"""

from __future__ import annotations

from dataclasses import replace

import torch
from torch import Tensor

from webgym.algorithms.losses.chosen import OfTokens, loss_of
from webgym.algorithms.losses.importance import bounded, importance
from webgym.algorithms.losses.tokens import LossTokens, TokenLoss, given, log_ratio
from webgym.algorithms.losses.weighing import weighed
from webgym.algorithms.settings import LossSettings
from webgym.train.diagnostics import TokenSums, TokenTerms


def policy_loss(
    tokens: LossTokens, settings: LossSettings, of_tokens: OfTokens | None = None
) -> tuple[Tensor, TokenSums]:
    """Return the loss of these tokens and their diagnostics; `of_tokens` is the loss of the settings, if at hand.

    Raises:
        ConfigError: A loss of one's own returned something else than the loss of each token.
        TrainingError: The settings need logprobs that are missing.
    """
    live = tokens.live
    raw = importance(tokens, settings.correction, live)
    used, outside = bounded(raw, settings.correction)
    found = (of_tokens or loss_of(settings))(_as_chosen(tokens, settings, live))
    loss = (torch.where(live, used, 0.0) * torch.where(live, found.loss, 0.0)).sum()
    divergence = None
    if settings.kl:
        divergence = _k3(log_ratio(given(tokens.reference, "reference"), tokens.current, live))
        loss = loss + settings.kl * (_shares(tokens, live) * divergence).sum()
    return loss, TokenSums.of(_terms(tokens, live, raw, outside, found, divergence))


def _as_chosen(tokens: LossTokens, settings: LossSettings, live: Tensor) -> LossTokens:
    """Return the tokens with the anchor and the weights that the settings choose. Scaled to 0, they still count."""
    if not settings.has_ratio:
        return replace(tokens, counts=live, weights=weighed(tokens.weights, tokens.current, settings, live))
    anchor = given(tokens.proximal if settings.anchor == "proximal" else tokens.behaviour, settings.anchor)
    return replace(tokens, counts=live, anchor=anchor, weights=weighed(tokens.weights, anchor, settings, live))


def _shares(tokens: LossTokens, live: Tensor) -> Tensor:
    """Return the aggregation weights alone: weights divided by advantages."""
    advantages = given(tokens.advantages, "advantages")
    return torch.where(live, tokens.weights / torch.where(live, advantages, 1.0), 0.0)


def _k3(log_ratio: Tensor) -> Tensor:
    """The k3 estimator of the KL divergence, exp(x) - 1 - x: never negative."""
    return log_ratio.expm1() - log_ratio


def _terms(
    tokens: LossTokens, live: Tensor, raw: Tensor, outside: Tensor, found: TokenLoss, divergence: Tensor | None
) -> TokenTerms:
    with torch.no_grad():
        drift = None if tokens.behaviour is None else _k3(log_ratio(tokens.current, tokens.behaviour, live))
        mismatch = None
        if tokens.behaviour is not None and tokens.proximal is not None:
            mismatch = _k3(log_ratio(tokens.proximal, tokens.behaviour, live))
        return TokenTerms(
            live=live,
            weight=raw,
            outside=outside,
            clipped=found.clipped,
            dual_clipped=found.dual_clipped,
            ratio=found.ratio,
            kl_behaviour=drift,
            kl_mismatch=mismatch,
            kl_reference=divergence,
            entropy=tokens.entropy,
        )
