"""Keys and values of prompts that were read lately: what a new prompt shares with one of them is not read again."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import torch

from webgym.engine.lru import Lru

Marks = np.ndarray[Any, np.dtype[np.int64]]
"""A number for each token; tokens of a picture carry the picture's."""

_FEWEST = 16
"""Tokens that are worth a copy."""


@dataclass(frozen=True, slots=True)
class _Kept:
    marks: Marks
    states: torch.Tensor

    @property
    def bytes(self) -> int:
        return self.states.numel() * self.states.element_size()


class PrefixCache:
    """Up to so many bytes of them."""

    def __init__(self, most: int) -> None:
        self._kept: Lru[_Kept] = Lru(most)
        self._most = most
        self.saved = 0
        """Tokens that were not read again."""

    def longest(self, marks: Marks) -> tuple[int, torch.Tensor | None]:
        """How many of these tokens, the last one never, are known, and their keys and values."""
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
        """Whether a prompt of so many bytes would be kept: if not, it need not be copied."""
        return 0 < size <= self._most

    def keep(self, marks: Marks, states: torch.Tensor) -> None:
        """The keys and values of a prompt."""
        self._kept.put(_name(marks), _Kept(marks, states))

    def clear(self) -> None:
        """Other weights: nothing is known."""
        self._kept.clear()


def marks_of(ids: list[int], image_id: int, addresses: list[tuple[str, int]]) -> Marks:
    """Of a prompt's tokens, and its pictures with the number of their tokens."""
    marks = np.array(ids, dtype=np.int64)
    if addresses:
        # Negative, so that no token is taken for one.
        pictures = [np.full(tokens, -1 - (hash(address) & (2**62 - 1))) for address, tokens in addresses]
        marks[marks == image_id] = np.concatenate(pictures)
    return marks


def _common(one: Marks, other: Marks) -> int:
    size = min(len(one), len(other))
    unlike = one[:size] != other[:size]
    return int(unlike.argmax()) if unlike.any() else size


def _name(marks: Marks) -> str:
    return marks.tobytes().hex()
