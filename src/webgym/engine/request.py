"""Sampling parameters and replies."""

from __future__ import annotations

from typing import Literal

from webgym.errors import PolicyRejected
from webgym.records.base import Record


class SamplingParams(Record, frozen=True):
    """Sampling parameters of a request."""

    temperature: float = 1.0
    """0: greedy."""
    top_p: float = 1.0
    top_k: int = 0
    """0: off."""
    max_tokens: int = 256
    stop: tuple[int, ...] = ()
    """Token ids that end the reply, besides the model's own."""
    endless: bool = False
    """Whether only length ends the reply: for benchmarks."""

    def check(self) -> None:
        """Raise `PolicyRejected` for values out of range."""
        sound = {
            f"temperature {self.temperature} is not within 0 and 100": 0 <= self.temperature <= 100,
            f"top_p {self.top_p} is not within 0 and 1": 0 < self.top_p <= 1,
            f"top_k {self.top_k} is less than 0": self.top_k >= 0,
            f"max_tokens {self.max_tokens} is less than 1": self.max_tokens >= 1,
        }
        if wrong := [message for message, true in sound.items() if not true]:
            raise PolicyRejected("; ".join(wrong))


class EngineReply(Record, frozen=True):
    """The reply to a finished request."""

    sampled: tuple[int, ...]
    """Including the token that ended it."""
    logprobs: tuple[float, ...]
    """Under the distribution sampled from: after temperature, top-k and top-p. 0 for greedy tokens."""
    versions: tuple[int, ...]
    """Version of the weights that sampled each token."""
    finish: Literal["stop", "length"]
