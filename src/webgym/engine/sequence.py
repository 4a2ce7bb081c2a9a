"""A request being served."""

from __future__ import annotations

import random
from dataclasses import dataclass, field

from webgym.engine.pixels import Patches
from webgym.engine.prefix_cache import Marks
from webgym.engine.request import EngineReply, SamplingParams


@dataclass(frozen=True, slots=True)
class PromptImage:
    """An image of a prompt."""

    address: str
    patches: Patches


@dataclass(slots=True)
class Sequence:
    """A prompt and the tokens sampled so far. Its random draws depend only on its seed."""

    number: int
    ids: list[int]
    pictures: tuple[PromptImage, ...]
    marks: Marks
    sampling: SamplingParams
    ends: frozenset[int]
    most: int
    """Maximum number of tokens to sample."""
    draws: random.Random
    sampled: list[int] = field(default_factory=list[int])
    logprobs: list[float] = field(default_factory=list[float])
    versions: list[int] = field(default_factory=list[int])
    place: int = 0
    """Position of the next token."""
    held: int = 0
    """Number of tokens in its KV cache slot."""

    @property
    def tokens(self) -> list[int]:
        return self.ids + self.sampled

    def take(self, token: int, logprob: float, version: int) -> bool:
        """Append a token; return whether it was the last."""
        self.sampled.append(token)
        self.logprobs.append(logprob)
        self.versions.append(version)
        return token in self.ends or len(self.sampled) >= self.most

    def reply(self) -> EngineReply:
        stopped = self.sampled[-1] in self.ends
        return EngineReply(
            tuple(self.sampled), tuple(self.logprobs), tuple(self.versions), "stop" if stopped else "length"
        )
