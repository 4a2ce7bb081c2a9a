"""The loss that the settings choose."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from torch import Tensor

from webgym.algorithms.losses.tokens import LossTokens, TokenLoss
from webgym.algorithms.registry import LOSSES, function_named
from webgym.algorithms.settings import LossSettings
from webgym.algorithms.signature import check_signature
from webgym.errors import ConfigError

OfTokens = Callable[[LossTokens], TokenLoss]
"""Returns the loss of each token."""


def loss_of(settings: LossSettings) -> OfTokens:
    """Return the loss with its options.

    Raises:
        ConfigError: It cannot be imported, or does not take what it would be called with.
    """
    function = function_named(settings.use, LOSSES, "train.loss.use")
    return as_loss(function, settings.of_its_own, f"train.loss.use = {settings.use!r}")


def as_loss(function: Any, options: Mapping[str, Any], what: str) -> OfTokens:
    """Return a function with options as a loss; `what` names it in errors.

    Raises:
        ConfigError: It does not take what it would be called with.
    """
    check_signature(function, options, what=what, first="tokens", table="train.loss.options")

    def of_tokens(tokens: LossTokens) -> TokenLoss:
        return _told(function(tokens, **options), tokens, what)

    return of_tokens


def _told(found: Any, tokens: LossTokens, what: str) -> TokenLoss:
    told = found if isinstance(found, TokenLoss) else TokenLoss(found)
    loss: Any = told.loss
    if not isinstance(loss, Tensor) or loss.shape != tokens.current.shape:
        given = f"a tensor of shape {tuple(loss.shape)}" if isinstance(loss, Tensor) else repr(loss)
        raise ConfigError(
            f"{what} gave {given}: expected is a tensor with the loss of each of the {len(tokens.current)} tokens, "
            "not yet summed up"
        )
    return told
