"""The conditions both sides are compared under."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from webgym.errors import ConfigError
from webgym_bench.delays import Delay


@dataclass(frozen=True)
class Conditions:
    """The options of `webgym bench engine`. All randomness is derived from the seed."""

    prompts: int = 16
    """Concurrent clients."""
    requests: int = 4
    """Sequential requests per client."""
    words: Delay = Delay(mean=220.0, sigma=0.4)
    """Characters of text in a prompt, next to its screenshot; lognormal."""
    tokens: Delay = Delay(mean=40.0, sigma=0.7)
    """Tokens of a reply; lognormal."""
    most_tokens: int = 200
    think: Delay = Delay(mean=0.3, sigma=0.6)
    """Seconds between a reply and the next prompt, while the browser acts; lognormal."""
    seen: float = 0.0
    """Share of prompts whose screenshot occurred before, as with unchanged pages and members of a group."""
    rounds: int = 3
    """How often both sides are measured. Ratios are medians over rounds."""
    threads: int = 0
    dtype: Literal["float32", "bfloat16"] = "float32"
    device: str = "cpu"
    folder: str = ""
    """Checkpoint folder. Empty: nano with random weights, which run as fast as trained ones."""
    seed: int = 0

    def __post_init__(self) -> None:
        if not 0 <= self.seen <= 1:
            raise ConfigError(f"the share of repeated screenshots must be between 0 and 1, not {self.seen:g}")
        if self.tokens.mean > self.most_tokens:
            raise ConfigError(
                f"the mean reply length ({self.tokens.mean:g} tokens) exceeds the maximum of {self.most_tokens}"
            )
