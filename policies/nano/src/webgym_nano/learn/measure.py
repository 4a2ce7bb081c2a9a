"""Accuracy on lessons of held-out websites.

Forced: teacher forcing, each token after the correct ones before it. Free: greedy decoding, as in an attempt.
"""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false, reportUnknownArgumentType=false

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import NamedTuple

import torch
from torch import Tensor

from webgym.records.base import Record
from webgym.records.curve import Rate
from webgym.store.statistics import wilson
from webgym_nano.learn import greedy
from webgym_nano.learn.colours import scaled
from webgym_nano.learn.lesson_buffer import Pile, Stack
from webgym_nano.learn.model import Pupil
from webgym_nano.learn.replies import ANSWERING, Box, Said, inside, read_decision, read_place
from webgym_nano.learn.rows import Chosen, Packer
from webgym_nano.learn.segments import DECISIONS, Column, Kind
from webgym_nano.learn.words import Words

NAMED = "named clicks"
"""Locations of elements given by name."""
NAMED_ACTS = "named acts"
"""Typing and selecting in fields given by name: verb, location and text."""
READING = "reading"
"""What is here, what does a field hold, what does a line say: exact match."""
WHOLE = "decisions"
"""The next action, complete: verb, location and text."""
OTHERS = "other tasks"
"""The same, for tasks other than the attempt's."""
_ROWS = 48
_SLACK = 12
"""Tokens that a free reply may have beyond the length of the correct one."""
_KINDS = {Kind.WHAT: "what", Kind.VALUE: "value", Kind.TEXT: "text"}


class Measured(Record, frozen=True, omit_defaults=False):
    """Accuracy by what was asked, such as `named clicks`, `reading: text`, `click: place`."""

    lessons: int
    forced: dict[str, Rate]
    free: dict[str, Rate]


class _Asked(NamedTuple):
    kind: int
    verb: str
    right: str
    """The correct reply."""
    box: Box | None


def measure(pupil: Pupil, packer: Packer, pile: Pile, words: Words, most: int) -> Measured:
    """Measure accuracy on the first `most` lessons of a pile."""
    places = pile.places[:most]
    forced, free = _Count(), _Count()
    side = words.side(pupil.config)
    device = pupil.embedding.device.type
    with torch.no_grad(), torch.autocast(device, torch.bfloat16, enabled=device == "cuda"):
        for some in places.split(_ROWS):
            stack, verbs = pile.at(some), pile.verbs(some.tolist())
            chosen = packer.choose(stack.table)
            asked = _asked(stack, chosen, verbs, words)
            for one, said in zip(asked, _forced(pupil, packer, stack, chosen, words), strict=True):
                forced.add(one, said, side)
            room = _with_room(packer, stack)
            asked = _asked(stack, room, verbs, words)
            found = greedy.replies(pupil, packer, stack, room, words)
            for one, said in zip(asked, _flat(found, room), strict=True):
                free.add(one, words.decode(said), side)
    return Measured(len(places), forced.rates(), free.rates())


def rate(successes: int, attempts: int) -> Rate:
    """Return a success rate with its confidence interval."""
    low, high = wilson(successes, attempts)
    return Rate(successes, attempts, successes / attempts if attempts else 0.0, low, high)


class _Count:
    """Counts correct replies by what was asked."""

    def __init__(self) -> None:
        self._found: defaultdict[str, list[int]] = defaultdict(lambda: [0, 0])

    def rates(self) -> dict[str, Rate]:
        return {name: rate(*found) for name, found in sorted(self._found.items())}

    def add(self, asked: _Asked, said: str, side: float) -> None:
        """Count a reply."""
        if asked.kind in (Kind.POLICY, Kind.ANSWER):
            self._decision(asked, said, side)
        elif asked.kind in DECISIONS:
            self._tell(OTHERS, right=_is_right(asked, read_decision(asked.right), read_decision(said), side))
        elif asked.kind == Kind.WHERE:
            self._named(asked, said, side)
        else:
            right = _read(said) == _read(asked.right) if asked.kind == Kind.VALUE else said == asked.right
            self._tell(READING, right=right)
            self._tell(f"{READING}: {_KINDS[asked.kind]}", right=right)

    def _named(self, asked: _Asked, said: str, side: float) -> None:
        wanted, found = read_decision(asked.right), read_decision(said)
        right = asked.box is not None and inside(read_place(said), asked.box, side)
        if wanted.text:
            self._tell(NAMED_ACTS, right=right and (found.verb, found.text) == (wanted.verb, wanted.text))
        else:
            self._tell(NAMED, right=right)

    def _decision(self, asked: _Asked, said: str, side: float) -> None:
        wanted, found = read_decision(asked.right), read_decision(said)
        verb, text = found.verb == wanted.verb, found.text == wanted.text
        place = _is_there(asked, wanted, found, side)
        self._tell(f"{asked.verb}: verb", right=verb)
        if wanted.place is not None:
            self._tell(f"{asked.verb}: place", right=verb and place)
        if wanted.text:
            self._tell(f"{asked.verb}: text", right=verb and text)
        for name in (WHOLE, f"{asked.verb}: whole"):
            self._tell(name, right=_is_right(asked, wanted, found, side))

    def _tell(self, name: str, *, right: bool) -> None:
        self._found[name][0] += right
        self._found[name][1] += 1


def _is_there(asked: _Asked, wanted: Said, found: Said, side: float) -> bool:
    if wanted.place is not None and asked.box is not None:
        return inside(found.place, asked.box, side)
    return wanted.place is None or found.place == wanted.place


def _is_right(asked: _Asked, wanted: Said, found: Said, side: float) -> bool:
    # The location of an answer only informs the reader; no action is taken there.
    there = wanted.verb == ANSWERING or _is_there(asked, wanted, found, side)
    return (found.verb, found.text) == (wanted.verb, wanted.text) and there


def _read(reply: str) -> tuple[str, str]:
    """Verb and text."""
    said = read_decision(reply)
    return said.verb, said.text


def _with_room(packer: Packer, stack: Stack) -> Chosen:
    """Choose as many segments as fit, with room for replies longer than the correct ones."""
    table = stack.table.clone()
    length = table[..., Column.LENGTH]
    longer = (length + _SLACK).clamp(max=packer.room)
    table[..., Column.LENGTH] = torch.where(length > 0, longer, 0).to(table.dtype)
    return packer.choose(table)


def _segments(chosen: Chosen) -> Iterator[tuple[int, int]]:
    """Yield row and number of each chosen segment."""
    for row, lengths in enumerate(chosen.length.tolist()):
        yield from ((row, number) for number, length in enumerate(lengths) if length)


def _flat(found: list[list[list[int]]], chosen: Chosen) -> Iterator[list[int]]:
    return (found[row][number] for row, number in _segments(chosen))


def _asked(stack: Stack, chosen: Chosen, verbs: list[str], words: Words) -> list[_Asked]:
    tables, tokens = chosen.table.tolist(), stack.tokens.tolist()
    found: list[_Asked] = []
    for row, number in _segments(chosen):
        line = tables[row][number]
        start = line[Column.START] + line[Column.ASK]
        reply = tokens[row][start : tokens[row].index(words.end, start)]
        corners = tuple(line[Column.LEFT : Column.BOTTOM + 1])
        box = None if corners[0] < 0 else corners
        found.append(_Asked(line[Column.KIND], verbs[row], words.decode(reply), box))
    return found


def _forced(pupil: Pupil, packer: Packer, stack: Stack, chosen: Chosen, words: Words) -> Iterator[str]:
    rows = packer.lay_out(stack.tokens, chosen)
    states = pupil.states(pupil.look(scaled(stack.pictures)), rows.ids, rows.positions, rows.segments)
    best: Tensor = pupil.logits(states[:, pupil.prefix :]).argmax(-1)
    tokens, starts, tables = best.tolist(), chosen.start.tolist(), chosen.table.tolist()
    for row, number in _segments(chosen):
        line, start = tables[row][number], starts[row][number]
        said = tokens[row][start + line[Column.ASK] - 1 : start + line[Column.LENGTH] - 1]
        yield words.decode(said[:-1] if said[-1] == words.end else said)
