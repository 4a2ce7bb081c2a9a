"""Rows for the model: one image, the decision to take, and as many questions as there is room for.

Everything is computed batched and on the device, from a table: at thousands of rows a second, there is no time for
work per row.
"""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false, reportUnknownArgumentType=false

from __future__ import annotations

from typing import Any, NamedTuple

import torch
from torch import Tensor

from webgym_nano.config import NanoConfig
from webgym_nano.learn.lesson_buffer import Stack
from webgym_nano.learn.segments import ANSWERS, DECISIONS, QUESTIONS, Column, Kind
from webgym_nano.learn.settings import LossSettings, RowSettings
from webgym_nano.learn.words import Words

_FIRST = 1e9
_NEVER = -1e9


class Chosen(NamedTuple):
    """Segments chosen for each row, in order. [rows, segments] each."""

    table: Tensor
    """[rows, segments, columns]"""
    start: Tensor
    """Offset in the row's text."""
    length: Tensor
    """0: left out."""


class Rows(NamedTuple):
    """A batch: B rows of L tokens after the image, R reply tokens, S segments."""

    ids: Tensor
    """[B, L]"""
    positions: Tensor
    """[B, L] Position as if the segment were alone, from the first token after the image."""
    segments: Tensor
    """[B, L] Segment number; -1 for padding."""
    before: Tensor
    """[B, R] Index of the token before each reply token."""
    targets: Tensor
    """[B, R]"""
    weights: Tensor
    """[B, R] Loss weight; 0 for padding."""
    middles: Tensor
    """[B, R] Midpoint of the target location, in pixels; -1 if the target is not a location."""
    spreads: Tensor
    """[B, R] Standard deviation of the soft target, in pixels."""
    bounds: Tensor
    """[B, R, 2] Sides of the box, between which a location is right."""
    policy: Tensor
    """[B, R] Whether the token is part of a decision."""
    pointing: Tensor
    """[B, S] Index of the token before a location."""
    pointed: Tensor
    """[B, S, image tokens] Share of the box that each image token covers; all 0 where there is none."""


class Packer:
    """Packs lessons into rows of fixed size."""

    def __init__(self, config: NanoConfig, rows: RowSettings, loss: LossSettings, words: Words) -> None:
        self._config = config
        self._rows = rows
        self._loss = loss
        self._side = words.side(config)
        self._first_place, self._places = words.first_place, words.places
        self.room = rows.tokens - config.picture_tokens - len(words.prefix) - 1
        """Tokens after the image."""
        self._odds = {kind: max(rows.odds.get(name, 1.0), 1e-6) for name, kind in QUESTIONS.items()}
        self._odds[Kind.TASK_ANSWER] = self._odds[Kind.TASK]
        self._pack: Any = self._packed

    def compile(self) -> None:
        """Compile `pack`; batches must all be of one size then."""
        self._pack = torch.compile(self._pack, dynamic=False)

    def pack(self, stack: Stack, generator: torch.Generator) -> Rows:
        """Return a row for each lesson, with random questions, and locations jittered within their boxes."""
        device = stack.table.device
        random = torch.rand(stack.table.shape[:2], generator=generator).to(device)
        noise = torch.randn((len(stack.table), self.room), generator=generator).to(device)
        return self._pack(stack.tokens, stack.table, random, noise if self._rows.wander else None)

    def _packed(self, tokens: Tensor, table: Tensor, random: Tensor, noise: Tensor | None) -> Rows:
        return self.lay_out(tokens, self.choose(table, random), noise)

    def choose(self, table: Tensor, random: Tensor | None = None) -> Chosen:
        """Choose segments that fit together: sampled with random numbers from 0 to 1, or else in order.

        A segment that does not fit is left out as a whole; smaller ones after it may still fit.
        """
        table = table.long()
        lengths, kinds = table[..., Column.LENGTH], table[..., Column.KIND]
        order = self._order(kinds, lengths, random)
        table = table.gather(1, order[..., None].expand_as(table))
        lengths = table[..., Column.LENGTH]
        replies = lengths - table[..., Column.ASK]
        asked = (table[..., Column.KIND] >= Kind.WHERE).long()
        used = lengths.new_zeros(len(table))
        used_replies, questions = used.clone(), used.clone()
        starts: list[Tensor] = []
        taken: list[Tensor] = []
        for number in range(table.shape[1]):
            length, reply = lengths[:, number], replies[:, number]
            fits = (used + length <= self.room) & (used_replies + reply <= self._rows.replies)
            fits &= questions + asked[:, number] <= self._rows.questions
            starts.append(used)
            taken.append(torch.where(fits, length, 0))
            used = used + taken[-1]
            used_replies = used_replies + torch.where(fits, reply, 0)
            questions = questions + torch.where(fits & (length > 0), asked[:, number], 0)
        return Chosen(table, torch.stack(starts, 1), torch.stack(taken, 1))

    def _order(self, kinds: Tensor, lengths: Tensor, random: Tensor | None) -> Tensor:
        """Order decisions first, then questions at random, weighted by their kind's odds (Efraimidis-Spirakis)."""
        if random is None:
            keys = -torch.arange(kinds.shape[1], device=kinds.device).float().expand(kinds.shape)
        else:
            odds = torch.ones_like(random)
            for kind, wanted in self._odds.items():
                odds = torch.where(kinds == kind, wanted, odds)
            keys = random.clamp(min=1e-12).log() / odds
        keys = torch.where((kinds == Kind.POLICY) | (kinds == Kind.ANSWER), _FIRST, keys)
        return torch.where(lengths > 0, keys, _NEVER).argsort(dim=1, descending=True, stable=True)

    def lay_out(self, tokens: Tensor, chosen: Chosen, noise: Tensor | None = None) -> Rows:
        """Return rows with the chosen segments; with noise, locations are jittered within their boxes."""
        count, device = len(tokens), tokens.device
        at = torch.arange(self.room, device=device).expand(count, -1).contiguous()
        ends = chosen.start + chosen.length
        number = torch.searchsorted(ends, at, right=True)
        inside = number < ends.shape[1]
        number = number.clamp(max=ends.shape[1] - 1)
        table = chosen.table.gather(1, number[..., None].expand(-1, -1, chosen.table.shape[-1]))
        offset = at - chosen.start.gather(1, number)
        source = (table[..., Column.START] + offset).clamp(0, tokens.shape[1] - 1)
        ids = torch.where(inside, tokens.long().gather(1, source), 0)
        shown = ids if noise is None else self._wandered(ids, table, offset, noise)
        after = offset + 1
        replied = inside & (after >= table[..., Column.ASK]) & (after < table[..., Column.LENGTH])
        before = replied.long().argsort(dim=1, descending=True, stable=True)[:, : self._rows.replies]
        table = table.gather(1, before[..., None].expand(-1, -1, table.shape[-1]))
        return Rows(
            shown,
            torch.where(inside, offset, 0),
            torch.where(inside, number, -1),
            before,
            ids.gather(1, (before + 1).clamp(max=self.room - 1)),
            *self._wanted(table, after.gather(1, before), replied.gather(1, before), ids, before),
            *self._pointing(chosen),
        )

    def _wandered(self, ids: Tensor, table: Tensor, offset: Tensor, noise: Tensor) -> Tensor:
        """Jitter location tokens within the box, by the standard deviation of the soft targets."""
        across, down = _places(table, offset)
        low, high = _sides(table, across)
        cell = (ids - self._first_place) + (noise * self._spread(low, high) / self._side).round().long()
        least, most = (low / self._side - 0.5).ceil().long(), (high / self._side - 0.5).floor().long()
        moves = (across | down) & (table[..., Column.LEFT] >= 0) & (least <= most)
        cell = cell.minimum(most).maximum(least).clamp(0, self._places - 1)
        return torch.where(moves, cell + self._first_place, ids)

    def _spread(self, low: Tensor, high: Tensor) -> Tensor:
        return (self._loss.soft * (high - low)).clamp(min=self._side / 4)

    def _wanted(
        self, table: Tensor, offset: Tensor, real: Tensor, ids: Tensor, before: Tensor
    ) -> tuple[Tensor, Tensor, Tensor, Tensor, Tensor]:
        """Return weights, middles, spreads and bounds of targets, and which are part of a decision."""
        loss, kind = self._loss, table[..., Column.KIND]
        across, down = _places(table, offset)
        located = (across | down) & real
        low, high = _sides(table, across)
        target = ids.gather(1, (before + 1).clamp(max=self.room - 1))
        middle = ((target - self._first_place).float() + 0.5) * self._side
        boxed = (table[..., Column.LEFT] >= 0) & (high > low)
        policy, answer = _any_of(kind, DECISIONS), _any_of(kind, ANSWERS)
        weight = torch.where(located, loss.place, 1.0)
        weight = torch.where(policy, loss.policy, weight)
        weight = torch.where(answer, loss.policy * loss.answer, weight)
        soft = located & boxed & (loss.soft > 0)
        return (
            torch.where(real, weight, 0.0),
            torch.where(soft, middle, -1.0),
            self._spread(low, high),
            torch.stack([low, high], -1),
            policy & real,
        )

    def _pointing(self, chosen: Chosen) -> tuple[Tensor, Tensor]:
        table, config = chosen.table, self._config
        cell = config.patch * config.merge
        place = table[..., Column.PLACE]
        left, top, right, bottom = table[..., Column.LEFT : Column.BOTTOM + 1, None].float().unbind(-2)
        columns = torch.arange(0, config.width, cell, device=table.device)
        rows = torch.arange(0, config.height, cell, device=table.device)
        wide = (torch.minimum(right, columns + cell) - torch.maximum(left, columns)).clamp(min=0)
        high = (torch.minimum(bottom, rows + cell) - torch.maximum(top, rows)).clamp(min=0)
        shares = (high[..., :, None] * wide[..., None, :]).flatten(2)
        pointed = (chosen.length > 0) & (place > 0) & (left[..., 0] >= 0)
        shares = torch.where(pointed[..., None], shares, 0.0)
        shares = shares / shares.sum(-1, keepdim=True).clamp(min=1e-6)
        at = (chosen.start + place - 1).clamp(0, self.room - 1)
        return torch.where(pointed, at, 0), shares


def _any_of(kinds: Tensor, wanted: tuple[int, ...]) -> Tensor:
    found = kinds == wanted[0]
    for kind in wanted[1:]:
        found = found | (kinds == kind)
    return found


def _places(table: Tensor, offset: Tensor) -> tuple[Tensor, Tensor]:
    """Return which tokens are the column of a location, and which the row."""
    place = table[..., Column.PLACE]
    return (place > 0) & (offset == place), (place > 0) & (offset == place + 1)


def _sides(table: Tensor, across: Tensor) -> tuple[Tensor, Tensor]:
    """Return the sides of the box between which a location is right: left and right, or top and bottom."""
    low = torch.where(across, table[..., Column.LEFT], table[..., Column.TOP])
    return low.float(), torch.where(across, table[..., Column.RIGHT], table[..., Column.BOTTOM]).float()
