"""The conditions both training modes are compared under."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass, field

from webgym.errors import ConfigError
from webgym_bench.delays import Delay
from webgym_bench.rollouts.conditions import Conditions as Latencies


@dataclass(frozen=True)
class Conditions:
    """The options of `webgym bench flow`. All durations are modelled seconds; `scale` maps them to real ones."""

    browsers: int = 128
    inference: int = 128
    """Concurrent replies."""
    groups: int = 8
    """Groups per update."""
    members: int = 8
    latencies: Latencies = field(default_factory=Latencies)
    """Latencies of decisions and pages, and the number of steps per attempt."""
    train_seconds: float = 11.5
    """Duration of a training update."""
    restart_seconds: float = 7.0
    """Time to stop and restart inference around a synchronous update."""
    refresh_seconds: float = 0.6
    """Pause of all replies while weights are refreshed in flight."""
    max_lag: int = 2
    depth: float = 0.0
    """Most batches in progress or waiting to be trained on; 0 allows as many as `max_lag` does."""
    lockstep: bool = False
    """Whether synchronous attempts also wait for each other at every step."""
    updates: int = 2
    """Timed synchronous updates."""
    overlapping: int = 5
    """Timed asynchronous updates."""
    warmup: int = 2
    """Asynchronous updates before timing starts, which fill the pipeline."""
    scale: float = 0.5
    """Real seconds per modelled second."""

    def __post_init__(self) -> None:
        if min(self.browsers, self.inference, self.groups, self.updates, self.overlapping, self.warmup) < 1:
            raise ConfigError("browsers, replies, groups, updates and the warm-up must each be at least 1")
        if self.members < 2:
            raise ConfigError("a group needs at least two members")
        if self.scale <= 0 or min(self.train_seconds, self.restart_seconds, self.refresh_seconds) < 0:
            raise ConfigError("the scale must be above 0, and durations must be 0 or more")

    @property
    def trajectories(self) -> int:
        """Trajectories per update."""
        return self.groups * self.members

    def real(self) -> Latencies:
        """Return the latencies scaled to real seconds."""
        scale, latencies = self.scale, self.latencies

        def scaled(delay: Delay) -> Delay:
            return Delay(delay.mean * scale, delay.sigma)

        return dataclasses.replace(
            latencies,
            decision=scaled(latencies.decision),
            page=scaled(latencies.page),
            straggler_seconds=latencies.straggler_seconds * scale,
        )
