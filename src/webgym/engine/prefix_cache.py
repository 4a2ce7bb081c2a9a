"""Prefix cache: keys and values of recent prompts, reused by new prompts that begin with the same tokens."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import torch

from webgym.engine.lru import Lru

Marks = np.ndarray[Any, np.dtype[np.int64]]
"""A number per token that identifies its content: the token id, or for image tokens a hash of the image's address."""

_FEWEST = 16
"""Shortest prefix, in tokens, that is worth a copy."""


@dataclass(frozen=True, slots=True)
class _Kept:
    marks: Marks
    states: torch.Tensor

    @property
    def bytes(self) -> int:
        return self.states.numel() * self.states.element_size()


class PrefixCache:
    """An LRU cache of prompts' keys and values, of at most `most` bytes."""

    def __init__(self, most: int) -> None:
        self._kept: Lru[_Kept] = Lru(most)
        self._most = most
        self.saved = 0
        """Tokens served from the cache so far."""

    def longest(self, marks: Marks) -> tuple[int, torch.Tensor | None]:
        """Return the length of the longest cached prefix, never all tokens, and the entry's keys and values."""
        best, found = 0, None
        for kept in self._kept.values():
            common = _common(kept.marks, marks[:-1])
            if common > best:
                best, found = common, kept
        if found is None or best < _FEWEST:
            return 0, None
        self._kept.get(_name(found.marks))
        self.saved += best
        return best, found.states

    def takes(self, size: int) -> bool:
        """Whether a prompt of this many bytes would be kept: if not, it need not be copied."""
        return 0 < size <= self._most

    def keep(self, marks: Marks, states: torch.Tensor) -> None:
        """Cache the keys and values of a prompt."""
        self._kept.put(_name(marks), _Kept(marks, states))

    def clear(self) -> None:
        """Drop all entries, after new weights."""
        self._kept.clear()


def marks_of(ids: list[int], image_id: int, addresses: list[tuple[str, int]]) -> Marks:
    """Return the marks of a prompt, given its images' addresses and token counts."""
    marks = np.array(ids, dtype=np.int64)
    if addresses:
        # Negative, so that they never equal a token id.
        pictures = [np.full(tokens, -1 - (hash(address) & (2**62 - 1))) for address, tokens in addresses]
        marks[marks == image_id] = np.concatenate(pictures)
    return marks


def _common(one: Marks, other: Marks) -> int:
    size = min(len(one), len(other))
    unlike = one[:size] != other[:size]
    return int(unlike.argmax()) if unlike.any() else size


def _name(marks: Marks) -> str:
    return marks.tobytes().hex()
