"""The inputs of the simulation: costs of a step, resources, workload, training and prices."""

from __future__ import annotations

from typing import Literal

from webgym.errors import ConfigError
from webgym.records.base import Record
from webgym_bench.plan.latency import Latency, Lognormal, mean_of

Way = Literal["asynchronous", "barrier", "lockstep"]
"""`asynchronous`: a free slot takes the next attempt at once, and training overlaps with rollouts. `barrier`: the same
within one update, after which all wait for the last attempt and for the trainer. `lockstep`: in addition, all wait for
the slowest at every step."""


class Costs(Record, frozen=True, omit_defaults=False):
    """Costs of one step of one attempt."""

    cpu: Latency
    """Core-seconds to load a page, act on it and render it."""
    idle_cpus: float
    """Cores that an idle open page keeps busy: advertisements, animations, timers."""
    page_cores: float
    """Cores that one page can use in parallel."""
    page: Latency
    """Seconds of waiting for the website, independent of CPU load."""
    pause: float
    """Seconds of fixed sleeps in client and server."""
    reply: Latency
    """Seconds of a decision on an otherwise idle GPU."""
    gpu_seconds: float
    """Seconds that one more concurrent reply adds to all others on its GPU: the inverse of a GPU's maximum steps per
    second."""

    def __post_init__(self) -> None:
        if min(self.idle_cpus, self.pause) < 0 or min(self.page_cores, self.gpu_seconds) <= 0:
            raise ConfigError("costs must be 0 or more, and page cores and GPU seconds above 0")

    @property
    def step_seconds(self) -> float:
        """Mean duration of a step without contention."""
        return mean_of(self.cpu) / self.page_cores + self.pause + mean_of(self.page) + mean_of(self.reply)


class Farm(Record, frozen=True, omit_defaults=False):
    """The resources of a farm."""

    cpus: int
    browsers: int
    """Sessions open at once."""
    gpus: int
    """GPUs for inference."""
    trainer_gpus: int = 0

    def __post_init__(self) -> None:
        if min(self.cpus, self.browsers, self.gpus) < 1:
            raise ConfigError("a farm needs at least one CPU, one browser and one GPU")


class Work(Record, frozen=True, omit_defaults=False):
    """The workload: attempts and their lengths."""

    trajectories: int = 1800
    mean_length: float = 13.2
    shortest: int = 2
    longest: int = 30
    complete: float = 1.0
    """Share of attempts after whose end the rest is abandoned, `grace` seconds later."""
    grace: float = 30.0
    seed: int = 0

    def __post_init__(self) -> None:
        if not 1 <= self.shortest <= self.mean_length <= self.longest:
            raise ConfigError(f"lengths {self.shortest}:{self.longest} cannot have a mean of {self.mean_length:g}")
        if self.trajectories < 1 or not 0 < self.complete <= 1:
            raise ConfigError("trajectories must be at least 1, and the share to complete above 0 and at most 1")


class Training(Record, frozen=True, omit_defaults=False):
    """The parameters of training."""

    groups: int = 16
    members: int = 8
    gpu_seconds: float = 18.0
    """GPU seconds of training per trajectory."""
    refresh: float = 10.0
    """Seconds without inference while weights are updated."""
    restart: float = 0.0
    """Seconds to stop and start servers around every update, where weights cannot be updated in place."""
    max_lag: int = 2
    updates: int = 12
    warmup: int = 3
    """Initial updates excluded from the measurements."""

    def __post_init__(self) -> None:
        if min(self.groups, self.members) < 1 or not 0 <= self.warmup < self.updates or self.max_lag < 0:
            raise ConfigError(
                "training needs at least 1 group and member, a lag of 0 or more, and more updates than warm-up"
            )


class Prices(Record, frozen=True, omit_defaults=False):
    """Prices per hour. The defaults are round numbers of the order of cloud prices: put in your own."""

    cpu: float = 0.04
    gpu: float = 2.5

    def hour(self, farm: Farm) -> float:
        """Return the hourly price of the whole farm."""
        return farm.cpus * self.cpu + (farm.gpus + farm.trainer_gpus) * self.gpu


def usual_reply(sigma: float) -> Lognormal:
    """A reply of about 200 tokens at 100 tokens per second, after a prompt of some thousands; at most 3,072 tokens."""
    return Lognormal(2.4, sigma, most=30.0)
