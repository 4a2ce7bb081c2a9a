"""The conditions sessions are measured under. All systems of one run share them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from webgym.records.session import Look, SessionSpec
from webgym_bench.baseline_browser import BaselineBrowser
from webgym_bench.delays import NO_DELAY, Delay


@dataclass(frozen=True)
class Conditions:
    """The options of `webgym bench sessions`."""

    sessions: int = 16
    """Concurrent sessions."""
    episodes: int = 4
    """Timed episodes per session."""
    warmup: int = 1
    """Warm-up episodes per session."""
    format: Literal["jpeg", "png", "webp"] = "jpeg"
    quality: int = 80
    isolation: Literal["context", "process"] = "context"
    settle_seconds: float = 5.0
    baseline_browser: BaselineBrowser = "auto"
    """The Chromium of the published sequence."""
    other_browser: str = ""
    """The executable of the system `other`."""
    think: Delay = NO_DELAY
    """Latency of the policy before each action."""
    page: Delay = NO_DELAY
    """Extra latency of the website, on top of the 20 to 150 ms of each data request."""
    seed: int = 0

    @property
    def look(self) -> Look:
        """What each step observes."""
        return Look(screenshot=self.format, quality=self.quality, settle_seconds=self.settle_seconds)

    @property
    def spec(self) -> SessionSpec:
        """The session each episode opens."""
        return SessionSpec(isolation=self.isolation)
