"""Under which conditions the two are compared."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from webgym.bench.delays import Delay
from webgym.errors import ConfigError


@dataclass(frozen=True)
class Conditions:
    """What the flags of `webgym bench engine` say. All that is random is drawn from the seed."""

    prompts: int = 16
    """Asked at the same time."""
    requests: int = 4
    """One after the other, by each of those who ask."""
    words: Delay = Delay(mean=220.0, sigma=0.4)
    """Characters of a prompt beside its screenshot; lognormal."""
    tokens: Delay = Delay(mean=40.0, sigma=0.7)
    """Of a reply; lognormal."""
    most_tokens: int = 200
    think: Delay = Delay(mean=0.3, sigma=0.6)
    """Seconds between a reply and the next prompt, in which a browser acts; lognormal."""
    seen: float = 0.0
    """Share of prompts whose screenshot an earlier prompt showed: unchanged pages, members of one group."""
    rounds: int = 3
    """Times that both are measured, in turn; ratios are medians."""
    threads: int = 0
    dtype: Literal["float32", "bfloat16"] = "float32"
    device: str = "cpu"
    folder: str = ""
    """A checkpoint; nano with random weights by default, which is as fast as a trained one."""
    seed: int = 0

    def __post_init__(self) -> None:
        if not 0 <= self.seen <= 1:
            raise ConfigError(f"a share of {self.seen:g} is not within 0 and 1")
        if self.tokens.mean > self.most_tokens:
            raise ConfigError(f"replies of {self.tokens.mean:g} tokens cannot have {self.most_tokens} at most")
