"""`webgym bench settle`: are the pictures of an application those of finished pages, and how long do they take?

A tour of the application is recorded once, with our sessions. Then every system takes its steps: first with a second
look at every picture, walk by walk in turn, all systems running; then against the clock, one system right after the
other, in rounds of alternating order.
"""

from __future__ import annotations

import statistics
from collections import Counter
from collections.abc import Sequence
from contextlib import AsyncExitStack
from dataclasses import asdict, dataclass, replace
from itertools import count
from pathlib import Path

import anyio
import msgspec

from webgym_bench.machine import machine
from webgym_bench.measure import Progress
from webgym_bench.processes import orphans_adopted
from webgym_bench.settle.check import Check, Checked
from webgym_bench.settle.conditions import Conditions
from webgym_bench.settle.pace import Pace, pace
from webgym_bench.settle.pictures import Verdict
from webgym_bench.settle.record import Recording
from webgym_bench.settle.sides import OURS, Side, our_fleet, sides
from webgym_bench.settle.tour import KINDS, Tour

REPORT_VERSION = 1
AT_ONCE = 4
"""Sessions that are checked concurrently: they wait most of the time."""


@dataclass(frozen=True)
class Result:
    """What was found out about one system."""

    about: str
    checked: int
    """Steps that were looked at again."""
    verdicts: dict[str, int]
    """These steps by what the later pictures said."""
    unfinished_told: int
    """Unfinished ones whose observation said itself that the page had not settled."""
    unsettled: int
    """Steps whose observation said so. Plain Playwright: `networkidle` did not come in time."""
    astray: int
    """Steps that led to another page than when they were recorded."""
    failures: dict[str, int]
    paces: tuple[Pace, ...]


@dataclass(frozen=True)
class Report:
    """The results of one run."""

    conditions: Conditions
    machine: dict[str, object]
    steps: dict[str, int]
    """Steps of the tour, by kind."""
    results: dict[str, Result]
    ratios: dict[str, dict[str, float]]
    """Our steps per second over those of other systems, by kind and number of sessions: medians of the rounds."""

    def as_json(self) -> dict[str, object]:
        conditions = asdict(self.conditions)
        conditions["storage_state"] = bool(self.conditions.storage_state)  # it holds secrets
        return {
            "benchmark": "settle",
            "version": REPORT_VERSION,
            "steps": self.steps,
            "systems": {name: asdict(one) for name, one in self.results.items()},
            "steps_per_second_over": self.ratios,
            "conditions": conditions,
            "machine": self.machine,
        }


@dataclass(frozen=True)
class Comparison:
    """Runs the whole comparison."""

    conditions: Conditions
    folder: Path | None
    """Where the steps and the pictures of unfinished pages go."""
    progress: Progress

    async def run(self) -> Report:
        """Record, check, measure; return the report.

        Raises:
            ConfigError: A start page cannot be loaded.
        """
        about = machine()
        every = sides(self.conditions)
        with orphans_adopted():
            tour = await self._recorded()
            checked = await self._checked(every, tour)
            rounds = [await self._paced(every, tour, number) for number in range(self.conditions.rounds)]
        if self.folder:
            self.folder.mkdir(parents=True, exist_ok=True)
            lines = b"".join(msgspec.json.encode(one) + b"\n" for one in checked)
            (self.folder / "steps.jsonl").write_bytes(lines)
        return Report(
            self.conditions,
            about,
            {kind: sum(len(walk.moves) for walk in tour.of(kind)) for kind in KINDS},
            {side.name: _result(side, checked, [one[side.name] for one in rounds]) for side in every},
            {side.name: _ratios(rounds, side.name) for side in every[1:]},
        )

    async def _recorded(self) -> Tour:
        async with our_fleet(self.conditions) as browser:

            def told(done: int) -> None:
                self.progress("recording", done, self.conditions.steps)

            return await Recording(browser, self.conditions, told).tour()

    async def _checked(self, every: Sequence[Side], tour: Tour) -> list[Checked]:
        """Take every walk in every system, all of them running, in an order that changes from walk to walk."""
        done = count(1)
        found: list[Checked] = []
        turns = anyio.CapacityLimiter(min(AT_ONCE, self.conditions.sessions))

        def told() -> None:
            self.progress("checking", next(done), tour.steps * len(every))

        async def take(number: int, checks: Sequence[Check]) -> None:
            async with turns:
                for one in checks:
                    found.extend(await one.walk(number, tour.walks[number]))

        async with AsyncExitStack() as stack:
            checks = [
                Check(
                    side.name,
                    await stack.enter_async_context(side.start(self.conditions)),
                    self.conditions,
                    self.folder,
                    told,
                )
                for side in every
            ]
            async with anyio.create_task_group() as tasks:
                for number in range(len(tour.walks)):
                    first = number % len(checks)
                    tasks.start_soon(take, number, [*checks[first:], *checks[:first]])
        return sorted(found, key=lambda one: (one.system, one.walk, one.step))

    async def _paced(self, every: Sequence[Side], tour: Tour, number: int) -> dict[str, list[Pace]]:
        """Measure the speed of every system once: for each kind and number of sessions one right after another."""
        found: dict[str, list[Pace]] = {side.name: [] for side in every}
        for kind in KINDS:
            walks = tour.of(kind)
            for sessions in dict.fromkeys((1, self.conditions.sessions)) if walks else ():
                for side in every if number % 2 == 0 else reversed(every):
                    self.progress(f"{side.name}: {kind}, {sessions} at once", number, self.conditions.rounds)
                    async with side.start(self.conditions) as browser:
                        found[side.name].append(await pace(browser, self.conditions, walks, kind, sessions))
        return found


def _result(side: Side, checked: Sequence[Checked], rounds: Sequence[Sequence[Pace]]) -> Result:
    ours = [one for one in checked if one.system == side.name]
    looked = [one for one in ours if one.verdict]
    verdicts = Counter(one.verdict for one in looked)
    return Result(
        about=side.about,
        checked=len(looked),
        verdicts={verdict.value: verdicts[verdict.value] for verdict in Verdict},
        unfinished_told=sum(one.verdict == Verdict.UNFINISHED and not one.settled for one in looked),
        unsettled=sum(not one.settled for one in looked),
        astray=sum(one.astray for one in looked),
        failures=dict(Counter(one.failure for one in ours if one.failure)),
        paces=tuple(_median(one) for one in zip(*rounds, strict=True)),
    )


def _median(rounds: Sequence[Pace]) -> Pace:
    """Return the round of median CPU time, with the median speed, and with the steps and failures of all rounds."""
    median = sorted(rounds, key=lambda one: one.cpu_ms_per_step)[(len(rounds) - 1) // 2]
    return replace(
        median,
        steps=sum(one.steps for one in rounds),
        steps_per_second=round(statistics.median(one.steps_per_second for one in rounds), 3),
        unsettled=sum(one.unsettled for one in rounds),
        failures=sum(one.failures for one in rounds),
    )


def _ratios(rounds: Sequence[dict[str, list[Pace]]], other: str) -> dict[str, float]:
    ratios: dict[str, list[float]] = {}
    for one in rounds:
        for ours, theirs in zip(one[OURS], one[other], strict=True):
            if theirs.steps_per_second:
                made = ratios.setdefault(f"{ours.kind}, {ours.sessions}", [])
                made.append(ours.steps_per_second / theirs.steps_per_second)
    return {name: round(statistics.median(found), 3) for name, found in ratios.items()}
