"""Under which conditions rollouts are compared."""

from __future__ import annotations

import math
import os
from dataclasses import dataclass
from typing import Literal

from webgym.bench.delays import Delay
from webgym.errors import ConfigError

USUAL_LENGTH = 13.0
"""Mean steps of published rollouts."""
BrowserKind = Literal["simulated", "chromium"]


@dataclass(frozen=True)
class Conditions:
    """What the flags of `webgym bench rollouts` say. Every wait is drawn from the seed, the attempt and the step."""

    attempts_open: int = 128
    attempts: int = 256
    decision: Delay = Delay(mean=1.0, sigma=0.6)
    """What the policy takes for a step; lognormal."""
    stragglers: float = 0.02
    """Share of decisions that take `straggler_seconds` instead."""
    straggler_seconds: float = 10.0
    page: Delay = Delay(mean=0.3 * math.exp(0.5), sigma=1.0)
    """What a page takes to load; lognormal."""
    shortest: int = 2
    longest: int = 30
    mean_length: float = USUAL_LENGTH
    """Steps of an attempt, its answer included."""
    browser: BrowserKind = "simulated"
    virtual: bool = False
    """Whether clocks jump where they would wait."""
    seed: int = 0

    def __post_init__(self) -> None:
        if not 1 <= self.shortest <= self.mean_length <= self.longest:
            raise ConfigError(f"lengths {self.shortest}:{self.longest} cannot have a mean of {self.mean_length:g}")
        if self.virtual and self.browser != "simulated":
            raise ConfigError("a real browser cannot run in virtual time")


def page_delay(median: float, sigma: float) -> Delay:
    """By its median, which is what people know of pages."""
    return Delay(median * math.exp(sigma**2 / 2), sigma)


def read_lengths(text: str) -> tuple[int, int]:
    """`2:30` as two numbers.

    Raises:
        ConfigError: It is not that.
    """
    shortest, _, longest = text.partition(":")
    if not shortest.isdigit() or not longest.isdigit():
        raise ConfigError(f"lengths are the fewest and the most steps, as in 2:30, not {text!r}")
    return int(shortest), int(longest)


def usually_open(browser: BrowserKind, *, virtual: bool) -> int:
    """As many as the published systems have open, or as a core can hold real sessions of."""
    if browser == "chromium":
        return 16 * (os.cpu_count() or 1)
    return 256 if virtual else 128


def usual_length(shortest: int, longest: int) -> float:
    """The published mean where the range allows it, else the middle of the range."""
    return USUAL_LENGTH if shortest < USUAL_LENGTH < longest else (shortest + longest) / 2
