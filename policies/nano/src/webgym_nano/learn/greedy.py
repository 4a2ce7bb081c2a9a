"""Greedy decoding of replies to many segments at once."""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false, reportUnknownArgumentType=false

from __future__ import annotations

import torch
from torch import Tensor
from torch.nn import functional as F  # noqa: N812 - as everyone calls it

from webgym_nano.learn.colours import scaled
from webgym_nano.learn.lesson_buffer import Stack
from webgym_nano.learn.model import Pupil, segment_mask
from webgym_nano.learn.rows import Chosen, Packer
from webgym_nano.learn.segments import Column
from webgym_nano.learn.words import Words

_LOOK_EVERY = 8
"""Steps between checks whether all replies are done: on a GPU, a check synchronizes."""


class _Memory:
    """KV cache of rows; tokens of finished segments are written to a position that nothing attends to."""

    def __init__(self) -> None:
        self._kept: list[tuple[Tensor, Tensor]] = []
        self.at: Tensor | None = None
        """[rows, segments] Positions of the next tokens; None: prefill of whole rows."""

    def remember(self, layer: int, key: Tensor, value: Tensor) -> tuple[Tensor, Tensor]:
        if self.at is None:
            self._kept.append((F.pad(key, (0, 0, 0, 1)), F.pad(value, (0, 0, 0, 1))))
            return key, value
        keys, values = self._kept[layer]
        where = self.at[:, None, :, None].expand(-1, key.shape[1], -1, key.shape[3])
        keys.scatter_(2, where, key)
        values.scatter_(2, where, value)
        return keys, values


@torch.no_grad()
def replies(pupil: Pupil, packer: Packer, stack: Stack, chosen: Chosen, words: Words) -> list[list[list[int]]]:
    """Return the reply to each segment of each row, without its end token; at most as long as the segment has room."""
    rows = packer.lay_out(stack.tokens, chosen)
    seen = pupil.look(scaled(stack.pictures))
    memory = _Memory()
    mask = segment_mask(rows.segments, pupil.prefix)
    states = pupil.read(pupil.begin(seen, rows.ids), pupil.row_turns(rows.positions), mask, seen.deep, memory.remember)
    ask, length = chosen.table[..., Column.ASK], chosen.length
    most = torch.where(length > 0, length - ask, 0)
    last = (chosen.start + ask - 1).clamp(0, packer.room - 1) + pupil.prefix
    states = states.gather(1, last[..., None].expand(-1, -1, states.shape[-1]))
    nowhere = pupil.prefix + packer.room
    index = torch.arange(nowhere + 1, device=last.device)
    done = most <= 0
    found: list[Tensor] = []
    for number in range(int(most.max())):
        tokens = torch.where(done, words.end, pupil.logits(states).argmax(-1))
        found.append(tokens)
        done = done | (tokens == words.end) | (number + 1 >= most)
        if number % _LOOK_EVERY == _LOOK_EVERY - 1 and bool(done.all()):
            break
        now = last + 1 + number
        memory.at = torch.where(done, nowhere, now)
        own = (index >= (pupil.prefix + chosen.start)[..., None]) & (index <= now[..., None])
        turns = pupil.turns((ask + number + pupil.start).float().expand(3, -1, -1))
        embedded = F.embedding(tokens, pupil.embedding).to(seen.tokens.dtype)
        visible = ((index < pupil.prefix) | own)[:, None]
        states = pupil.read(embedded, turns, visible, remember=memory.remember)
    return [[_until(reply, words.end) for reply in row] for row in torch.stack(found, -1).tolist()]


def _until(tokens: list[int], end: int) -> list[int]:
    return tokens[: tokens.index(end)] if end in tokens else tokens
