"""Under which conditions sessions are measured. Every system in one run is measured under the same ones."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from webgym.bench.delays import NO_DELAY, Delay
from webgym.records.session import Look, SessionSpec


@dataclass(frozen=True)
class Conditions:
    """What the flags of `webgym bench sessions` say."""

    sessions: int = 16
    """Open at once."""
    episodes: int = 4
    """Per session, in the timed part."""
    warmup: int = 1
    """Episodes per session before it."""
    format: Literal["jpeg", "png", "webp"] = "jpeg"
    quality: int = 80
    isolation: Literal["context", "process"] = "context"
    settle_seconds: float = 5.0
    think: Delay = NO_DELAY
    """What the policy takes before each action."""
    page: Delay = NO_DELAY
    """What the website takes beyond its own 20 to 150 ms per request for data."""
    seed: int = 0

    @property
    def look(self) -> Look:
        """What is observed after each step."""
        return Look(screenshot=self.format, quality=self.quality, settle_seconds=self.settle_seconds)

    @property
    def spec(self) -> SessionSpec:
        """The session every episode opens."""
        return SessionSpec(isolation=self.isolation)
