"""Prefix cache: keys and values of recent prompts, reused by new prompts that begin with the same tokens.

Prompts are found by the blocks that they begin with, as comparing a new one with thousands of others takes longer than
computing it anew.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch

from webgym.engine.lru import Lru

Marks = np.ndarray[Any, np.dtype[np.int64]]
"""A number per token that identifies its content: the token id, or for image tokens a hash of the image's address."""

_BLOCK = 16
"""Tokens of a block; shorter prefixes are not worth a copy."""


@dataclass(frozen=True, slots=True)
class _PrefixStates:
    marks: Marks
    states: torch.Tensor

    @property
    def bytes(self) -> int:
        return self.states.numel() * self.states.element_size()


class PrefixCache:
    """An LRU cache of prompts' keys and values, of at most `most` bytes."""

    def __init__(self, most: int) -> None:
        self._kept: Lru[_PrefixStates] = Lru(most)
        self._most = most
        self._begins: dict[int, str] = {}
        """By the hash of the blocks up to one: the name of the newest entry that begins with them."""
        self.saved = 0
        """Tokens served from the cache so far."""

    def longest(self, marks: Marks) -> tuple[int, torch.Tensor | None]:
        """Return the length of the longest cached prefix, never all tokens, and the entry's keys and values."""
        found = None
        for begin in _beginnings(marks[:-1]):
            if (name := self._begins.get(begin)) is None:
                break
            found = self._kept.get(name)
        common = 0 if found is None else _common(found.marks, marks[:-1])
        if found is None or common < _BLOCK:
            return 0, None
        self.saved += common
        return common, found.states

    def takes(self, size: int) -> bool:
        """Whether a prompt of this many bytes would be kept: if not, it need not be copied."""
        return 0 < size <= self._most

    def keep(self, marks: Marks, states: torch.Tensor) -> None:
        """Cache the keys and values of a prompt."""
        name, entry = _name(marks), _PrefixStates(marks, states)
        if entry.bytes > self._most:
            return
        self._begins.update((begin, name) for begin in _beginnings(marks))
        for gone in self._kept.put(name, entry):
            evicted = _name(gone.marks)
            for begin in _beginnings(gone.marks):
                if self._begins.get(begin) == evicted:
                    del self._begins[begin]

    def clear(self) -> None:
        """Drop all entries, after new weights."""
        self._kept.clear()
        self._begins.clear()


def marks_of(ids: list[int], image_id: int, addresses: list[tuple[str, int]]) -> Marks:
    """Return the marks of a prompt, given its images' addresses and token counts."""
    marks = np.array(ids, dtype=np.int64)
    if addresses:
        # Negative, so that they never equal a token id.
        pictures = [np.full(tokens, -1 - (hash(address) & (2**62 - 1))) for address, tokens in addresses]
        marks[marks == image_id] = np.concatenate(pictures)
    return marks


def _beginnings(marks: Marks) -> Iterator[int]:
    """Yield a hash of the first block, of the first two, and so on; what does not fill a block is left out."""
    begin = 0
    for end in range(_BLOCK, len(marks) + 1, _BLOCK):
        begin = hash((begin, marks[end - _BLOCK : end].tobytes()))
        yield begin


def _common(one: Marks, other: Marks) -> int:
    size = min(len(one), len(other))
    unlike = one[:size] != other[:size]
    return int(unlike.argmax()) if unlike.any() else size


def _name(marks: Marks) -> str:
    return marks.tobytes().hex()
