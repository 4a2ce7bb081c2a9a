"""Reports of training steps."""

from __future__ import annotations

from webgym.records.base import Record
from webgym.train.diagnostics import TokenFigures


class UpdateFigures(Record, frozen=True, omit_defaults=False):
    """Figures of one optimizer step."""

    epoch: int
    rows: int
    loss: float
    grad_norm: float
    """Before clipping."""
    lr: float
    tokens: TokenFigures


class StepReport(Record, frozen=True, omit_defaults=False):
    """Report of training on one batch."""

    version: int
    """Version of the weights after it."""
    rows: int
    """Rows trained on; those whose weights are all 0 are left out."""
    tokens: int
    """Tokens of prompts and replies, counted once per batch."""
    sampled: int
    pictures: int
    """Distinct images shown."""
    passes: int
    """Forward and backward passes of one rank."""
    seconds: float
    updates: tuple[UpdateFigures, ...]
