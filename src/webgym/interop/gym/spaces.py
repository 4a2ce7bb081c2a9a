"""What an environment takes and shows, as Gymnasium spaces. They depend on the viewport alone."""

from __future__ import annotations

import string
from typing import Any

import numpy as np
from gymnasium import spaces

from webgym.records.observation import Viewport

LONGEST_INSTRUCTION = 4096
LONGEST_URL = 2048
LONGEST_LINE = 512
"""Of a title, an effect, a dialog; what is longer is cut."""
LONGEST_TEXT = 4096
"""Of an action."""
LONGEST_WAIT = 5.0
"""Seconds."""
FARTHEST = 2
"""Viewports that one scroll or drag may go, in each direction."""

_UNKNOWN = "\N{REPLACEMENT CHARACTER}"
_LISTED = string.ascii_letters + string.digits + string.punctuation + " \n" + _UNKNOWN
_MOST_SAMPLED = 24


class AnyText(spaces.Text):
    """Text of a bounded length in any script, as websites have it.

    Samples are short and of printable ASCII characters. Flattened, characters beyond those are all alike.
    """

    def __init__(self, max_length: int, seed: int | np.random.Generator | None = None) -> None:
        super().__init__(max_length, min_length=0, charset=_LISTED, seed=seed)

    def contains(self, x: Any) -> bool:
        """Whether it is a string that is not too long."""
        return isinstance(x, str) and len(x) <= self.max_length

    def sample(self, mask: Any = None, probability: Any = None) -> str:
        """A few characters, unless told otherwise."""
        if mask is None and probability is None:
            length = int(self.np_random.integers(0, min(_MOST_SAMPLED, self.max_length) + 1))
            printable = np.ones(len(self.character_list), dtype=np.int8)
            printable[self.character_index(_UNKNOWN)] = 0
            return super().sample(mask=(length, printable))
        return super().sample(mask, probability)

    def character_index(self, char: str) -> np.int32:
        """Its place among the listed characters; that of the replacement character for all others."""
        return super().character_index(char if char in self.character_set else _UNKNOWN)

    def __repr__(self) -> str:
        return f"AnyText({self.max_length})"


def observation_space(viewport: Viewport) -> spaces.Dict:
    """What is seen after each step."""
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
    """What can be done, in pixels of the viewport. Each kind of action reads the fields that it needs."""
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
