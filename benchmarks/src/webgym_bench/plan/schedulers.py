"""Schedulers of attempts on a farm."""

from __future__ import annotations

import collections
from collections.abc import Callable, Sequence

from webgym_bench.plan.clock import Then
from webgym_bench.plan.farm_stations import FarmStations
from webgym_bench.plan.lengths import Luck

Steps = tuple[Luck, ...]


class Slots:
    """Starts the next attempt as soon as a slot is free."""

    def __init__(self, stations: FarmStations) -> None:
        self._stations = stations
        self._free = stations.farm.browsers
        self._queue: collections.deque[tuple[Steps, Then]] = collections.deque()

    def submit(self, steps: Steps, over: Then) -> None:
        self._queue.append((steps, over))
        self._begin()

    def _begin(self) -> None:
        while self._free and self._queue:
            self._free -= 1
            self._start(*self._queue.popleft())

    def _start(self, steps: Steps, over: Then) -> None:
        def done() -> None:
            self._free += 1
            over()
            self._begin()

        self._stations.attempt(steps, done)


def in_lockstep(stations: FarmStations, attempts: Sequence[Steps], over: Callable[[], None], then: Then) -> None:
    """Run attempts in batches of one per browser; all wait for the slowest at every page and every decision.

    A finished attempt keeps its browser until its batch ends, as in a vectorized environment.
    """
    size = stations.farm.browsers

    def batch(first: int) -> None:
        if first >= len(attempts):
            then()
            return
        members = attempts[first : first + size]

        def step(number: int) -> None:
            lucks = [steps[number] for steps in members if len(steps) > number]
            if not lucks:
                batch(first + size)
                return

            def decided() -> None:
                for _ in range(sum(len(steps) == number + 1 for steps in members)):
                    over()
                step(number + 1)

            together(lucks, stations.load, lambda: together(lucks, stations.ask, decided))

        step(0)

    batch(0)


def together(lucks: Sequence[Luck], do: Callable[[Luck, Then], None], then: Then) -> None:
    """Start all, and continue when the last one is done."""
    left = len(lucks)

    def one() -> None:
        nonlocal left
        left -= 1
        if not left:
            then()

    for luck in lucks:
        do(luck, one)
