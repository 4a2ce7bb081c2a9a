"""The conditions rollouts are compared under."""

from __future__ import annotations

import math
import os
from dataclasses import dataclass
from typing import Literal

from webgym.errors import ConfigError
from webgym_bench.delays import Delay

USUAL_LENGTH = 13.0
"""Mean steps per rollout in the published system."""
BrowserKind = Literal["simulated", "chromium"]


@dataclass(frozen=True)
class Conditions:
    """The options of `webgym bench rollouts`. Every latency is derived from the seed, the attempt and the step."""

    attempts_open: int = 128
    attempts: int = 256
    decision: Delay = Delay(mean=1.0, sigma=0.6)
    """Latency of the policy per step; lognormal."""
    stragglers: float = 0.02
    """Share of decisions that are stragglers and take `straggler_seconds` instead."""
    straggler_seconds: float = 10.0
    page: Delay = Delay(mean=0.3 * math.exp(0.5), sigma=1.0)
    """Load time of a page; lognormal."""
    shortest: int = 2
    longest: int = 30
    mean_length: float = USUAL_LENGTH
    """Mean steps per attempt, the answer included."""
    browser: BrowserKind = "simulated"
    virtual: bool = False
    """Whether to run in virtual time, where the clock skips every wait."""
    seed: int = 0

    def __post_init__(self) -> None:
        if not 1 <= self.shortest <= self.mean_length <= self.longest:
            raise ConfigError(f"lengths {self.shortest}:{self.longest} cannot have a mean of {self.mean_length:g}")
        if self.virtual and self.browser != "simulated":
            raise ConfigError("a real browser cannot run in virtual time")


def page_delay(median: float, sigma: float) -> Delay:
    """Return a lognormal page load time with this median."""
    return Delay(median * math.exp(sigma**2 / 2), sigma)


def read_lengths(text: str) -> tuple[int, int]:
    """Parse a range of lengths such as `2:30`.

    Raises:
        ConfigError: The text is not a range.
    """
    shortest, _, longest = text.partition(":")
    if not shortest.isdigit() or not longest.isdigit():
        raise ConfigError(f"lengths must give the minimum and maximum number of steps, such as 2:30, not {text!r}")
    return int(shortest), int(longest)


def usually_open(browser: BrowserKind, *, virtual: bool) -> int:
    """Return the default number of open attempts: that of published systems, or what the cores can run for real."""
    if browser == "chromium":
        return 16 * (os.cpu_count() or 1)
    return 256 if virtual else 128


def usual_length(shortest: int, longest: int) -> float:
    """Return the published mean length if it is within the range, else the middle of the range."""
    return USUAL_LENGTH if shortest < USUAL_LENGTH < longest else (shortest + longest) / 2
