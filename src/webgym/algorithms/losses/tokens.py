"""What a loss is computed from, and what it returns."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor

from webgym.errors import TrainingError

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
    """Row index of each token, from 0. For ratios of whole rows."""
    entropy: Tensor | None = None
    """Entropy of the distribution that each token is drawn from, for reporting."""
    anchor: Tensor | None = None
    """Denominator of the ratio: `proximal` or `behaviour`, as the settings say."""
    counts: Tensor | None = None
    """Which tokens count; None: those whose weight is not 0."""

    @property
    def live(self) -> Tensor:
        """Which tokens count."""
        return self.weights != 0 if self.counts is None else self.counts

    def log_ratio(self) -> Tensor:
        """Return the log ratio of current to anchor policy: finite, and 0 for tokens that do not count.

        Raises:
            TrainingError: There is no anchor.
        """
        return log_ratio(self.current, given(self.anchor, "anchor"), self.live)

    def logprobs(self) -> Tensor:
        """Return the current logprobs, 0 for tokens that do not count."""
        return torch.where(self.live, wide(self.current), 0.0)


@dataclass(frozen=True, slots=True)
class TokenLoss:
    """The loss of each token, and what is reported of it."""

    loss: Tensor
    ratio: Tensor | None = None
    clipped: Tensor | None = None
    """Whether clipping stops the token's gradient."""
    dual_clipped: Tensor | None = None


def log_ratio(over: Tensor, under: Tensor, live: Tensor) -> Tensor:
    """Return the log ratio: 0 for tokens that do not count, clamped so that its exp stays finite."""
    return torch.where(live, wide(over) - wide(under), 0.0).clamp(-MOST_LOG_RATIO, MOST_LOG_RATIO)


def wide(values: Tensor) -> Tensor:
    """Upcast to float32: differences of logprobs need more than 16 bits."""
    return values.float() if values.dtype in {torch.bfloat16, torch.float16} else values


def given(values: Tensor | None, name: str) -> Tensor:
    """Return the values.

    Raises:
        TrainingError: There are none.
    """
    if values is None:
        raise TrainingError(f"this loss needs `{name}` of every token")
    return values
