"""Under which conditions training is compared."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass, field

from webgym.bench.delays import Delay
from webgym.bench.rollouts.conditions import Conditions as Latencies
from webgym.errors import ConfigError


@dataclass(frozen=True)
class Conditions:
    """What the flags of `webgym bench flow` say. All seconds are those of the thing that is modelled."""

    browsers: int = 128
    inference: int = 128
    """Replies that are written at once."""
    groups: int = 8
    """Of an update."""
    members: int = 8
    latencies: Latencies = field(default_factory=Latencies)
    """What decisions and pages take, and how many steps attempts have."""
    train_seconds: float = 11.5
    """Of the trainer, for an update."""
    restart_seconds: float = 7.0
    """To stop and start inference around a synchronous update."""
    refresh_seconds: float = 0.6
    """Without replies, while weights are exchanged in flight."""
    max_lag: int = 2
    depth: float = 0.0
    """Batches that are under way or wait, at most; 0: as many as the lag allows."""
    lockstep: bool = False
    """Whether synchronous attempts wait for each other at every step, too."""
    updates: int = 2
    """Of the synchronous way that are timed."""
    overlapping: int = 5
    """Of the asynchronous way that are timed."""
    warmup: int = 2
    """Of the asynchronous way before the clock starts: it begins with nothing under way."""
    scale: float = 0.5
    """Real seconds for each second that is modelled."""

    def __post_init__(self) -> None:
        if min(self.browsers, self.inference, self.groups, self.updates, self.overlapping, self.warmup) < 1:
            raise ConfigError("browsers, replies, groups, updates and the warm-up are at least 1")
        if self.members < 2:
            raise ConfigError("a group needs two members to be compared")
        if self.scale <= 0 or min(self.train_seconds, self.restart_seconds, self.refresh_seconds) < 0:
            raise ConfigError("the scale is above 0, and what things take is 0 or more")

    @property
    def trajectories(self) -> int:
        """Of one update."""
        return self.groups * self.members

    def real(self) -> Latencies:
        """Latencies in real seconds."""
        scale, latencies = self.scale, self.latencies

        def scaled(delay: Delay) -> Delay:
            return Delay(delay.mean * scale, delay.sigma)

        return dataclasses.replace(
            latencies,
            decision=scaled(latencies.decision),
            page=scaled(latencies.page),
            straggler_seconds=latencies.straggler_seconds * scale,
        )
