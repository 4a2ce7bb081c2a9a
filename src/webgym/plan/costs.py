"""What a step costs, and what there is to pay it with. Each number has a meaning of its own."""

from __future__ import annotations

from typing import Literal

from webgym.errors import ConfigError
from webgym.plan.latency import Latency, Lognormal, mean_of
from webgym.records.base import Record

Way = Literal["asynchronous", "barrier", "lockstep"]
"""`asynchronous`: a slot that comes free takes the next attempt, and training goes on meanwhile. `barrier`: the same
within one update; then all wait for the last attempt and for the trainer. `lockstep`: all wait for the slowest at every
step, too."""


class Costs(Record, frozen=True, omit_defaults=False):
    """Of one step of one attempt."""

    cpu: Latency
    """Seconds of one core that a page takes to load, act on and draw."""
    idle_cpus: float
    """Cores that an open page keeps busy while nobody acts on it: advertisements, animations, timers."""
    page_cores: float
    """Cores that one page can make use of at once."""
    page: Latency
    """Seconds of waiting for the website, whatever the processors do."""
    pause: float
    """Seconds of fixed sleeps of the client and the server."""
    reply: Latency
    """Seconds of a decision on a GPU that has nothing else to do."""
    gpu_seconds: float
    """Seconds that one more reply at the same time adds to all others on its GPU: the inverse of the most steps per
    second that one GPU can do."""

    def __post_init__(self) -> None:
        if min(self.idle_cpus, self.pause) < 0 or min(self.page_cores, self.gpu_seconds) <= 0:
            raise ConfigError("costs are 0 or more; page cores and GPU seconds above 0")

    @property
    def step_seconds(self) -> float:
        """Of a step that waits for nobody, on average."""
        return mean_of(self.cpu) / self.page_cores + self.pause + mean_of(self.page) + mean_of(self.reply)


class Farm(Record, frozen=True, omit_defaults=False):
    """What there is."""

    cpus: int
    browsers: int
    """Sessions open at once."""
    gpus: int
    """That answer."""
    trainer_gpus: int = 0

    def __post_init__(self) -> None:
        if min(self.cpus, self.browsers, self.gpus) < 1:
            raise ConfigError("a farm needs at least one CPU, one browser and one GPU")


class Work(Record, frozen=True, omit_defaults=False):
    """What is to be done."""

    trajectories: int = 1800
    mean_length: float = 13.2
    shortest: int = 2
    longest: int = 30
    complete: float = 1.0
    """Share of the attempts after whose end the rest gets `grace` seconds and is given up."""
    grace: float = 30.0
    seed: int = 0

    def __post_init__(self) -> None:
        if not 1 <= self.shortest <= self.mean_length <= self.longest:
            raise ConfigError(f"lengths {self.shortest}:{self.longest} cannot have a mean of {self.mean_length:g}")
        if self.trajectories < 1 or not 0 < self.complete <= 1:
            raise ConfigError("there is at least one trajectory, and a share of them above 0 and up to 1 to complete")


class Training(Record, frozen=True, omit_defaults=False):
    """What is done with the trajectories."""

    groups: int = 16
    members: int = 8
    gpu_seconds: float = 18.0
    """Of the trainer's GPUs for each trajectory."""
    refresh: float = 10.0
    """Seconds without replies while weights are exchanged."""
    restart: float = 0.0
    """Seconds to stop and start servers around every update, where they cannot be refreshed."""
    max_lag: int = 2
    updates: int = 12
    warmup: int = 3
    """Updates before the clock starts."""

    def __post_init__(self) -> None:
        if min(self.groups, self.members) < 1 or not 0 <= self.warmup < self.updates or self.max_lag < 0:
            raise ConfigError("training needs groups with members, a lag of 0 or more, and updates after its warm-up")


class Prices(Record, frozen=True, omit_defaults=False):
    """Of an hour. The defaults are round numbers of the order that clouds ask for: put in your own."""

    cpu: float = 0.04
    gpu: float = 2.5

    def hour(self, farm: Farm) -> float:
        """Of the whole farm."""
        return farm.cpus * self.cpu + (farm.gpus + farm.trainer_gpus) * self.gpu


def usual_reply(sigma: float) -> Lognormal:
    """About 200 tokens at about 100 tokens a second after a prompt of some thousand tokens; at most 3,072 tokens."""
    return Lognormal(2.4, sigma, most=30.0)
