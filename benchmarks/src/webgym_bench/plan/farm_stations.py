"""The simulated farm: every step of an attempt passes through CPUs, the website and GPUs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from webgym.errors import ConfigError
from webgym_bench.plan.clock import Clock, Gauge, Station, Then
from webgym_bench.plan.costs import Costs, Farm
from webgym_bench.plan.latency import mean_of, seconds_of
from webgym_bench.plan.lengths import Luck


class Overloaded(ConfigError):
    """Idle pages alone use up all CPUs, so that no attempt would ever finish."""


@dataclass(slots=True)
class Spent:
    """Accumulated times: totals over all browsers, and the delay of each step."""

    pages: float = 0.0
    replies: float = 0.0
    cpu_waits: list[float] = field(default_factory=list[float])
    """Delay of each step due to shared CPUs."""
    gpu_waits: list[float] = field(default_factory=list[float])


class FarmStations:
    """The stations of a farm: CPUs and GPUs under one clock."""

    def __init__(self, farm: Farm, costs: Costs) -> None:
        free = farm.cpus - costs.idle_cpus * farm.browsers
        if free <= 0:
            pages = costs.idle_cpus * farm.browsers
            most = int(farm.cpus / costs.idle_cpus)
            raise Overloaded(
                f"{farm.browsers} open pages alone need {pages:.0f} cores, but there are {farm.cpus} CPUs: use fewer "
                f"than {most} browsers"
            )
        alone, added = mean_of(costs.reply), costs.gpu_seconds
        self.farm = farm
        self.cpus = Station(lambda count: min(costs.page_cores, free / count))
        self.gpus = Station(lambda count: alone / (alone + added * max(0.0, count / farm.gpus - 1)))
        self.clock = Clock(self.cpus, self.gpus)
        self.spent = Spent()
        self.steps = 0
        self.loading = Gauge()
        self._at_pages = 0
        self._since = 0.0
        self._pause = costs.pause
        self._cores = costs.page_cores
        self._cpu, self._page, self._reply = seconds_of(costs.cpu), seconds_of(costs.page), seconds_of(costs.reply)

    def load(self, luck: Luck, then: Then) -> None:
        """Act on the page, and wait until it has loaded."""
        began, work = self.clock.now, self._cpu(luck[0])
        self._count(+1)

        def computed() -> None:
            self.spent.cpu_waits.append(self.clock.now - began - work / self._cores)
            self.clock.after(self._pause + self._page(luck[1]), loaded)

        def loaded() -> None:
            self._count(-1)
            self.spent.pages += self.clock.now - began
            then()

        self.cpus.enter(self.clock.now, work, computed)

    def ask(self, luck: Luck, then: Then) -> None:
        """Request a decision from the GPUs."""
        began, work = self.clock.now, self._reply(luck[2])

        def answered() -> None:
            self.steps += 1
            self.spent.gpu_waits.append(self.clock.now - began - work)
            self.spent.replies += self.clock.now - began
            then()

        self.gpus.enter(self.clock.now, work, answered)

    def attempt(self, steps: tuple[Luck, ...], over: Callable[[], None]) -> None:
        """Run an attempt from its first page to its last decision, without synchronizing with others."""
        left = iter(steps)

        def step() -> None:
            luck = next(left, None)
            if luck is None:
                over()
            else:
                self.load(luck, lambda: self.ask(luck, step))

        step()

    def _count(self, more: int) -> None:
        self.loading.add(self._at_pages, self.clock.now - self._since)
        self._since = self.clock.now
        self._at_pages += more
