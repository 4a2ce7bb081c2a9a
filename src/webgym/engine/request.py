"""What the engine is asked, and what it says."""

from __future__ import annotations

from typing import Literal

from webgym.errors import PolicyRejected
from webgym.records.base import Record


class Sampling(Record, frozen=True):
    """How the next token is chosen."""

    temperature: float = 1.0
    """0 takes the likeliest."""
    top_p: float = 1.0
    top_k: int = 0
    """0: off."""
    max_tokens: int = 256
    stop: tuple[int, ...] = ()
    """Tokens that end the reply, besides the model's own."""
    endless: bool = False
    """Nothing ends the reply but its length: for measurements."""

    def check(self) -> None:
        """Raise `PolicyRejected` for what makes no sense."""
        sound = {
            f"temperature {self.temperature} is not within 0 and 100": 0 <= self.temperature <= 100,
            f"top_p {self.top_p} is not within 0 and 1": 0 < self.top_p <= 1,
            f"top_k {self.top_k} is less than 0": self.top_k >= 0,
            f"max_tokens {self.max_tokens} is less than 1": self.max_tokens >= 1,
        }
        if wrong := [message for message, true in sound.items() if not true]:
            raise PolicyRejected("; ".join(wrong))


class Reply(Record, frozen=True):
    """One finished request."""

    sampled: tuple[int, ...]
    """The token that ended it included."""
    logprobs: tuple[float, ...]
    """Of the distribution sampled from: after temperature, top-k and top-p. 0 where there was no choice."""
    versions: tuple[int, ...]
    """Of the weights, for each token."""
    finish: Literal["stop", "length"]
