"""A trial of a loss on made-up tokens."""

from __future__ import annotations

import torch

from webgym.algorithms.losses.chosen import loss_of
from webgym.algorithms.losses.tokens import LossTokens
from webgym.algorithms.settings import LossSettings
from webgym.errors import ConfigError


def try_loss(settings: LossSettings) -> None:
    """Ask for the loss of two rows, the last token of which does not count.

    Raises:
        ConfigError: It cannot be imported, raised an error, or returned something without a gradient.
    """
    of_tokens, what = loss_of(settings), f"train.loss.use = {settings.use!r}"
    current = torch.tensor([-0.5, -1.0, -2.0, -0.1], requires_grad=True)
    before = torch.tensor([-0.6, -1.0, -1.5, -0.1])
    tokens = LossTokens(
        current=current,
        weights=torch.tensor([0.5, 0.5, -0.25, 0.0]),
        behaviour=before,
        proximal=before,
        reference=before,
        advantages=torch.tensor([1.0, 1.0, -0.5, -0.5]),
        rows=torch.tensor([0, 0, 1, 1]),
        entropy=torch.ones(4),
        anchor=before,
    )
    try:
        found = of_tokens(tokens)
    except ConfigError:
        raise
    except Exception as error:
        raise ConfigError(f"{what} fails for made-up tokens: {error!r}") from error
    if not found.loss.requires_grad:
        raise ConfigError(f"{what} has no gradient: expected is a loss computed from `tokens.current`")
