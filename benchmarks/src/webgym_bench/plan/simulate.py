"""Simulations of rollouts and of training."""

from __future__ import annotations

import abc
import collections
import math

from webgym_bench.plan.costs import Costs, Farm, Training, Way, Work
from webgym_bench.plan.farm_stations import FarmStations
from webgym_bench.plan.lengths import Deck, deal
from webgym_bench.plan.outcome import Lag, Outcome, outcome
from webgym_bench.plan.schedulers import Slots, in_lockstep


def roll_out(farm: Farm, costs: Costs, work: Work, way: Way, deck: Deck | None = None) -> Outcome:
    """Simulate rollouts alone.

    Raises:
        Overloaded: Idle pages alone use up all CPUs.
    """
    stations = FarmStations(farm, costs)
    attempts = (deck or deal(work)).attempts
    enough, ended = math.ceil(work.complete * len(attempts)), 0

    def over() -> None:
        nonlocal ended
        ended += 1
        if ended == enough and enough < len(attempts):
            stations.clock.end = stations.clock.now + work.grace

    if way == "lockstep":
        in_lockstep(stations, attempts, over, lambda: None)
    else:
        slots = Slots(stations)
        for steps in attempts:
            slots.submit(steps, over)
    stations.clock.run()
    seconds = stations.clock.now
    return outcome(stations, costs, way, seconds=seconds, made=(ended, stations.steps), busy=None, lag=None)


def train(farm: Farm, costs: Costs, work: Work, training: Training, way: Way) -> Outcome:
    """Simulate training.

    Raises:
        Overloaded: Idle pages alone use up all CPUs.
    """
    return (_Overlapping if way == "asynchronous" else _Alternating)(farm, costs, work, training, way).run()


class _Learner(abc.ABC):
    """The base of both training modes: the trainer, the clock, and an endless supply of attempts."""

    def __init__(self, farm: Farm, costs: Costs, work: Work, training: Training, way: Way) -> None:
        self.stations = FarmStations(farm, costs)
        self.clock = self.stations.clock
        self.slots = Slots(self.stations)
        self.training = training
        self.way: Way = way
        self.version = 0
        self.lags: list[int] = []
        self.dropped = 0
        self._costs = costs
        self._deck = deal(work, min(4096, training.groups * training.members * (training.updates + 1)))
        self._next = 0
        self._update = training.groups * training.members * training.gpu_seconds / max(1, farm.trainer_gpus)
        self._began = self._began_steps = 0.0

    def draw(self) -> tuple[tuple[float, float, float], ...]:
        """Return the next attempt."""
        self._next += 1
        return self._deck.attempts[self._next % len(self._deck.attempts)]

    @abc.abstractmethod
    def begin(self) -> None:
        """Start the first attempts."""

    @abc.abstractmethod
    def learned(self) -> None:
        """Called when new weights are in place."""

    def learn(self, ages: list[int]) -> None:
        """Train on groups whose weights lag by these numbers of updates."""
        self.lags += ages
        self.clock.after(self._update, self._publish)

    def run(self) -> Outcome:
        self.begin()
        self.clock.run()
        training, stations = self.training, self.stations
        counted = training.updates - training.warmup
        seconds = self.clock.now - self._began
        made = counted * training.groups * training.members, int(stations.steps - self._began_steps)
        lag = Lag(sum(self.lags) / len(self.lags), max(self.lags), self.dropped)
        return outcome(
            stations, self._costs, self.way, seconds=seconds, made=made, busy=counted * self._update, lag=lag
        )

    def _publish(self) -> None:
        training = self.training
        self.version += 1
        if self.version == training.warmup:
            self._began, self._began_steps = self.clock.now, float(self.stations.steps)
        if self.version == training.updates:
            self.clock.end = self.clock.now
            return
        seconds = training.refresh + (training.restart if self.way != "asynchronous" else 0.0)
        self.stations.gpus.close(self.clock.now)
        self.clock.after(seconds, self._refreshed)

    def _refreshed(self) -> None:
        self.stations.gpus.open(self.clock.now)
        self.learned()


class _Alternating(_Learner):
    """Synchronous training: collect, wait for the last attempt, train, publish, repeat."""

    def begin(self) -> None:
        training = self.training
        attempts = [self.draw() for _ in range(training.groups * training.members)]
        if self.way == "lockstep":
            in_lockstep(self.stations, attempts, lambda: None, self._collected)
            return
        left = len(attempts)

        def over() -> None:
            nonlocal left
            left -= 1
            if not left:
                self._collected()

        for steps in attempts:
            self.slots.submit(steps, over)

    def learned(self) -> None:
        self.begin()

    def _collected(self) -> None:
        self.learn([0] * self.training.groups)


class _Overlapping(_Learner):
    """Asynchronous training: attempts start as long as `max_lag` allows, and training takes groups as they finish."""

    def __init__(self, farm: Farm, costs: Costs, work: Work, training: Training, way: Way) -> None:
        super().__init__(farm, costs, work, training, way)
        self._running = self._accepted = 0
        self._ready: collections.deque[int] = collections.deque()
        self._busy = False

    def begin(self) -> None:
        training = self.training
        ahead = (training.max_lag + self.version + 1) * training.groups
        while self._running + self._accepted < ahead:
            self._group()

    def learned(self) -> None:
        self._busy = False
        self.begin()
        self._learn()

    def _group(self) -> None:
        self._running += 1
        version, left = self.version, self.training.members

        def over() -> None:
            nonlocal left
            left -= 1
            if not left:
                self._running -= 1
                self._accepted += 1
                self._ready.append(version)
                self._learn()

        for _ in range(self.training.members):
            self.slots.submit(self.draw(), over)

    def _learn(self) -> None:
        fresh = [version for version in self._ready if self.version - version <= self.training.max_lag]
        if gone := len(self._ready) - len(fresh):
            self.dropped += gone
            self._accepted -= gone
            self._ready = collections.deque(fresh)
            self.begin()
        if self._busy or len(self._ready) < self.training.groups:
            return
        self._busy = True
        self.learn([self.version - self._ready.popleft() for _ in range(self.training.groups)])
