"""How large a prompt may be."""

from __future__ import annotations

import math
import string
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from webgym.records.prompt import Message, Part, Picture, Text

Estimate = Callable[[Part], int]
"""Tokens that a part of a message takes."""

_BYTES_PER_TOKEN = 3
"""Fewer than most texts have: a prompt should turn out smaller than it was thought to be, not larger."""
_PATCH = 28
"""Pixels of a side of what becomes one token; newer processors take 32."""
_MESSAGE_TOKENS = 6
"""What a chat template puts around a message."""


def estimate_tokens(part: Part) -> int:
    """From the length of a text and the size of a picture; meant to be too high rather than too low."""
    match part:
        case Text(text):
            # Tokenizers of today's models take digits one by one.
            digits = sum(text.count(digit) for digit in string.digits)
            return digits + math.ceil((len(text.encode("utf-8", "replace")) - digits) / _BYTES_PER_TOKEN)
        case Picture(_, width, height):
            return math.ceil(width / _PATCH) * math.ceil(height / _PATCH) + 2


@dataclass(frozen=True, slots=True)
class Budget:
    """The most that a prompt may take."""

    tokens: int
    images: int
    estimate: Estimate = estimate_tokens

    def fits(self, messages: Iterable[Message], tools: Iterable[str] = ()) -> bool:
        """Whether a prompt with these is within it."""
        parts = [part for message in messages for part in message.parts]
        pictures = sum(isinstance(part, Picture) for part in parts)
        return pictures <= self.images and self.needs(messages, tools) <= self.tokens

    def needs(self, messages: Iterable[Message], tools: Iterable[str] = ()) -> int:
        """The tokens that these take."""
        around = sum(_MESSAGE_TOKENS for _ in messages)
        parts = sum(self.estimate(part) for message in messages for part in message.parts)
        return around + parts + sum(self.estimate(Text(tool)) for tool in tools)
