"""The observation and action spaces. They depend on the viewport alone."""

from __future__ import annotations

import string
from typing import Any

import numpy as np
from gymnasium import spaces

from webgym.records.observation import Viewport

LONGEST_INSTRUCTION = 4096
LONGEST_URL = 2048
LONGEST_LINE = 512
"""Longest title, effect or dialog; longer ones are truncated."""
LONGEST_TEXT = 4096
"""Longest text of an action."""
LONGEST_WAIT = 5.0
"""In seconds."""
FARTHEST = 2
"""Longest scroll or drag in each direction, in viewports."""

_UNKNOWN = "\N{REPLACEMENT CHARACTER}"
_LISTED = string.ascii_letters + string.digits + string.punctuation + " \n" + _UNKNOWN
_MOST_SAMPLED = 24


class AnyText(spaces.Text):
    """Text of bounded length in any script.

    Samples are short and printable ASCII. When flattened, all other characters map to one index.
    """

    def __init__(self, max_length: int, seed: int | np.random.Generator | None = None) -> None:
        super().__init__(max_length, min_length=0, charset=_LISTED, seed=seed)

    def contains(self, x: Any) -> bool:
        """Whether `x` is a string within the maximum length."""
        return isinstance(x, str) and len(x) <= self.max_length

    def sample(self, mask: Any = None, probability: Any = None) -> str:
        """Return a short random string, unless a mask or probabilities are given."""
        if mask is None and probability is None:
            length = int(self.np_random.integers(0, min(_MOST_SAMPLED, self.max_length) + 1))
            printable = np.ones(len(self.character_list), dtype=np.int8)
            printable[self.character_index(_UNKNOWN)] = 0
            return super().sample(mask=(length, printable))
        return super().sample(mask, probability)

    def character_index(self, char: str) -> np.int32:
        """Return the index of a character; characters outside the set share that of the replacement character."""
        return super().character_index(char if char in self.character_set else _UNKNOWN)

    def __repr__(self) -> str:
        return f"AnyText({self.max_length})"


def observation_space(viewport: Viewport) -> spaces.Dict:
    """Return the space of observations."""
    shape = (viewport.height, viewport.width, 3)
    return spaces.Dict(
        {
            "screenshot": spaces.Box(0, 255, shape, np.uint8),
            "instruction": AnyText(LONGEST_INSTRUCTION),
            "url": AnyText(LONGEST_URL),
            "title": AnyText(LONGEST_LINE),
            "effect": AnyText(LONGEST_LINE),
            "dialog": AnyText(LONGEST_LINE),
        }
    )


def action_space(viewport: Viewport, kinds: int) -> spaces.Dict:
    """Return the space of actions, in pixels of the viewport. Each kind of action uses only some of the fields."""
    width, height = viewport.width, viewport.height
    far_x, far_y = FARTHEST * width, FARTHEST * height
    return spaces.Dict(
        {
            "kind": spaces.Discrete(kinds),
            "point": spaces.MultiDiscrete([width, height]),
            "delta": spaces.MultiDiscrete([2 * far_x + 1, 2 * far_y + 1], start=[-far_x, -far_y]),
            "text": AnyText(LONGEST_TEXT),
            "submit": spaces.Discrete(2),
            "append": spaces.Discrete(2),
            "seconds": spaces.Box(0.0, LONGEST_WAIT, (), np.float64),
        }
    )
