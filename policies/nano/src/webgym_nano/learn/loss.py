"""Training losses."""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false, reportUnknownArgumentType=false

from __future__ import annotations

import math
from typing import NamedTuple

import torch
from torch import Tensor, nn
from torch.nn import functional as F  # noqa: N812 - as everyone calls it

from webgym_nano.learn.model import Pupil
from webgym_nano.learn.rows import Rows
from webgym_nano.learn.settings import LossSettings
from webgym_nano.learn.words import Words


class Losses(NamedTuple):
    """Mean losses; `total` is the one that is minimized."""

    total: Tensor
    replies: Tensor
    """Weighted mean over all reply tokens."""
    policy: Tensor
    """Mean over the tokens of decisions only."""
    pointer: Tensor
    letters: Tensor


class Teaching(nn.Module):
    """Forward pass and losses as one module, for torch.compile."""

    def __init__(self, pupil: Pupil, settings: LossSettings, words: Words) -> None:
        super().__init__()
        self.pupil = pupil
        self._settings = settings
        self._first, self._count = words.first_place, words.places
        side = words.side(pupil.config)
        self.register_buffer("middles", (torch.arange(words.places) + 0.5) * side, persistent=False)

    def forward(self, pictures: Tensor, rows: Rows, letters: Tensor) -> Losses:
        """Return the losses of a batch; pixels are from -1 to 1."""
        pupil, settings = self.pupil, self._settings
        seen = pupil.look(pictures)
        states = pupil.states(seen, rows.ids, rows.positions, rows.segments)
        at = (rows.before + pupil.prefix)[..., None].expand(-1, -1, states.shape[-1])
        costs = self._costs(pupil.logits(states.gather(1, at)), rows)
        replies = _mean(costs, rows.weights)
        policy = _mean(costs, rows.policy.float())
        pointer = self._pointer(states, rows)
        reading = self._letters(seen.patches, letters)
        total = replies + settings.pointer * pointer + settings.letters * reading
        return Losses(total, replies, policy, pointer, reading)

    def _costs(self, logits: Tensor, rows: Rows) -> Tensor:
        """Return the cross entropy of each token; locations have soft targets within their box."""
        normal = torch.logsumexp(logits, -1)
        hard = logits.gather(-1, rows.targets[..., None])[..., 0]
        locations = logits[..., self._first : self._first + self._count]
        soft = (location_targets(self.get_buffer("middles"), rows) * locations).sum(-1)
        return normal - torch.where(rows.middles >= 0, soft, hard)

    def _pointer(self, states: Tensor, rows: Rows) -> Tensor:
        found = F.log_softmax(self.pupil.pointer(states, rows.pointing), -1)
        costs = -(found * rows.pointed).sum(-1)
        return _mean(costs, (rows.pointed.sum(-1) > 0).float())

    def _letters(self, patches: Tensor, letters: Tensor) -> Tensor:
        """Return the letter loss. A letter may be one slot to the left or right of its estimated position."""
        slots = self.pupil.constant("slots")
        row, column, kind = letters.long().unbind(-1)
        there = (kind >= 0).float()
        beside = torch.stack([(column + step).clamp(0, slots.shape[1] - 1) for step in (-1, 0, 1)], -1)
        numbers = slots[row.clamp(min=0)[..., None], beside]
        logits = self.pupil.letters(patches)
        near = logits.gather(1, numbers.flatten(1)[..., None].expand(-1, -1, logits.shape[-1]))
        likely = F.log_softmax(near.float(), -1).unflatten(1, numbers.shape[1:])
        right = likely.gather(-1, kind.clamp(min=0)[..., None, None].expand(-1, -1, beside.shape[-1], 1))[..., 0]
        costs = math.log(beside.shape[-1]) - torch.logsumexp(right, -1)
        return _mean(costs, there)


def location_targets(middles: Tensor, rows: Rows) -> Tensor:
    """Return soft targets, [rows, tokens, locations]: a Gaussian around the target location, cut off at the box.

    If the box holds no cell's midpoint, only the target is left.
    """
    distance = (middles - rows.middles[..., None]) / rows.spreads[..., None]
    inside = (middles >= rows.bounds[..., 0, None]) & (middles <= rows.bounds[..., 1, None])
    return torch.softmax(-0.5 * distance**2 + torch.where(inside, 0.0, -50.0), -1)


def _mean(costs: Tensor, weights: Tensor) -> Tensor:
    return (costs * weights).sum() / weights.sum().clamp(min=1.0)
