"""Size limits of prompts."""

from __future__ import annotations

import math
import string
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from webgym.records.prompt import Message, Part, Picture, Text

Estimate = Callable[[Part], int]
"""Estimates the tokens of a message part."""

_BYTES_PER_TOKEN = 3
"""Lower than for most texts, so that estimates err on the high side."""
_PATCH = 28
"""Side of the image patch of one token, in pixels; newer processors use 32."""
_MESSAGE_TOKENS = 6
"""Tokens that a chat template adds per message."""


def estimate_tokens(part: Part) -> int:
    """Estimate tokens from the length of a text or the size of an image; errs on the high side."""
    match part:
        case Text(text):
            # Current tokenizers encode each digit as one token.
            digits = sum(text.count(digit) for digit in string.digits)
            return digits + math.ceil((len(text.encode("utf-8", "replace")) - digits) / _BYTES_PER_TOKEN)
        case Picture(_, width, height):
            return math.ceil(width / _PATCH) * math.ceil(height / _PATCH) + 2


@dataclass(frozen=True, slots=True)
class PromptBudget:
    """Maximum tokens and images of a prompt."""

    tokens: int
    images: int
    estimate: Estimate = estimate_tokens

    def fits(self, messages: Iterable[Message], tools: Iterable[str] = ()) -> bool:
        """Return whether a prompt with these messages is within the budget."""
        parts = [part for message in messages for part in message.parts]
        pictures = sum(isinstance(part, Picture) for part in parts)
        return pictures <= self.images and self.needs(messages, tools) <= self.tokens

    def needs(self, messages: Iterable[Message], tools: Iterable[str] = ()) -> int:
        """Return the estimated tokens of these messages and tools."""
        around = sum(_MESSAGE_TOKENS for _ in messages)
        parts = sum(self.estimate(part) for message in messages for part in message.parts)
        return around + parts + sum(self.estimate(Text(tool)) for tool in tools)
