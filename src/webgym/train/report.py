"""What a trainer says about a step."""

from __future__ import annotations

from webgym.records.base import Record
from webgym.train.diagnostics import TokenFigures


class UpdateFigures(Record, frozen=True, omit_defaults=False):
    """One step of the optimizer."""

    epoch: int
    rows: int
    loss: float
    grad_norm: float
    """Before it was clipped."""
    lr: float
    tokens: TokenFigures


class StepReport(Record, frozen=True, omit_defaults=False):
    """One batch."""

    version: int
    """Of the weights after it."""
    rows: int
    """That counted; those whose weights are all 0 are left out."""
    tokens: int
    """Of prompts and replies, in one pass over the batch."""
    sampled: int
    pictures: int
    """Shown, each counted once."""
    passes: int
    """Through the model and back."""
    seconds: float
    updates: tuple[UpdateFigures, ...]
