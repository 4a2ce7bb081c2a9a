"""A discrete-event simulation of a rollout: its events with their times."""

from __future__ import annotations

import collections
import heapq
import random
from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass, field

from webgym.records import event as events
from webgym.records.event import OPERATIONS, Event, Operation
from webgym.records.observation import address_of
from webgym.records.trajectory import OutcomeKind

PICTURES = 48
_SITES = ("bramble-books", "hillside-hotels", "pixel-forum", "north-post", "kite-tracker", "daily-lantern")
_LEVELS = ("easy", "medium", "hard")
_SECONDS: dict[Operation, tuple[float, float]] = {
    "open": (0.5, 0.3),
    "navigate": (0.9, 0.7),
    "act": (0.5, 0.8),
    "observe": (0.2, 0.4),
    "infer": (1.4, 0.6),
    "judge": (2.0, 0.4),
    "close": (0.1, 0.3),
}
"""Median seconds and lognormal sigma."""
_SHARES: dict[Operation, float] = {
    "open": 0.08, "navigate": 0.2, "act": 0.3, "observe": 0.3, "infer": 0.4, "judge": 0.08, "close": 0.1,
}  # fmt: skip
_OUTCOMES: tuple[tuple[OutcomeKind, float], ...] = (
    ("success", 0.42),
    ("failure", 0.31),
    ("truncated", 0.13),
    ("blocked", 0.06),
    ("infrastructure", 0.04),
    ("judge_unknown", 0.03),
    ("cancelled", 0.01),
)
_STEPS = (
    ("click", "Click the search field at the top of the page"),
    ("type", "Type 'blue ceramic mug' and press Enter"),
    ("scroll", "Scroll down to see more results"),
    ("click", "Open the second result, which is under 20 euros"),
    ("select", "Choose the size Large"),
    ("back", "Go back to the list"),
    ("wait", "Wait for the offers to load"),
    ("malformed", ""),
)
_Work = Generator[tuple[Operation, int], None, None]


@dataclass(frozen=True, slots=True)
class SimulationPlan:
    """Parameters of the simulation."""

    attempts: int = 400
    at_once: int = 96
    seed: int = 0
    pace: float = 1.0
    """Speed-up factor."""


@dataclass(slots=True)
class _Line:
    """A first-come-first-served queue for an operation."""

    limit: int
    running: int = 0
    waiting: collections.deque[Callable[[], None]] = field(default_factory=collections.deque[Callable[[], None]])


def picture_address(number: int) -> str:
    """Return the address of a simulated screenshot."""
    return address_of(b"simulated picture %d" % (number % PICTURES))


def simulated_run(plan: SimulationPlan) -> Iterator[tuple[float, Event]]:
    """Yield the events of a simulated run with their seconds, in order of time."""
    return _Simulation(plan).play()


class _Simulation:
    """The simulation, driven by a heap of future callbacks."""

    def __init__(self, plan: SimulationPlan) -> None:
        self._plan = plan
        self._random = random.Random(plan.seed)  # noqa: S311 - nothing here is secret
        self._now = 0.0
        self._count = 0
        self._heap: list[tuple[float, int, Callable[[], None]]] = []
        self._said: collections.deque[tuple[float, Event]] = collections.deque()
        self._lines: dict[Operation, _Line] = {
            operation: _Line(max(1, round(plan.at_once * _SHARES[operation]))) for operation in OPERATIONS
        }
        self._next = 0

    def play(self) -> Iterator[tuple[float, Event]]:
        for operation, line in self._lines.items():
            self._say(events.LimitChanged(operation, line.limit, "configured"))
        for number in range(self._plan.attempts):
            self._submit(number)
        for _ in range(min(self._plan.at_once, self._plan.attempts)):
            self._after(self._random.uniform(0, 4), self._begin_next)
        yield from self._drain()
        while self._heap:
            self._now, _, happen = heapq.heappop(self._heap)
            happen()
            yield from self._drain()

    def _drain(self) -> Iterator[tuple[float, Event]]:
        while self._said:
            yield self._said.popleft()

    def _say(self, event: Event) -> None:
        self._said.append((self._now / self._plan.pace, event))

    def _after(self, seconds: float, happen: Callable[[], None]) -> None:
        self._count += 1
        heapq.heappush(self._heap, (self._now + seconds, self._count, happen))

    def _submit(self, number: int) -> None:
        task = f"{_SITES[number // 4 % len(_SITES)]}-{number // 4:04d}"
        self._say(
            events.AttemptSubmitted(
                attempt=_id(number),
                task=task,
                site=_SITES[number // 4 % len(_SITES)],
                level=_LEVELS[number // 4 % 3],
                instruction="Find the cheapest blue ceramic mug that holds at least 300 ml and put two in the cart.",
                group=task,
            )
        )

    def _begin_next(self) -> None:
        if self._next < self._plan.attempts:
            number, self._next = self._next, self._next + 1
            self._say(events.AttemptBegan(_id(number)))
            self._go_on(number, self._work(number))

    def _go_on(self, number: int, work: _Work) -> None:
        """Queue the attempt for its next operation; if there is none, begin the next attempt."""
        try:
            operation, step = next(work)
        except StopIteration:
            self._begin_next()
            return
        self._say(events.OperationQueued(_id(number), operation, step))
        line = self._lines[operation]
        since = self._now
        line.waiting.append(lambda: self._operate(number, work, (operation, step), self._now - since))
        self._admit(line)

    def _admit(self, line: _Line) -> None:
        while line.waiting and line.running < line.limit:
            line.running += 1
            line.waiting.popleft()()

    def _operate(self, number: int, work: _Work, what: tuple[Operation, int], queued: float) -> None:
        operation, step = what
        line = self._lines[operation]
        median, sigma = _SECONDS[operation]
        seconds = median * self._random.lognormvariate(0, sigma)
        if operation == "infer" and self._random.random() < 0.02:
            seconds += 10
        self._say(events.OperationStarted(_id(number), operation, step, queued))

        def end() -> None:
            line.running -= 1
            error = "timeout" if self._random.random() < 0.004 else ""
            self._say(events.OperationEnded(_id(number), operation, step, seconds, error))
            self._go_on(number, work)
            self._admit(line)

        self._after(seconds, end)

    def _work(self, number: int) -> _Work:
        steps = min(30, max(2, round(9 * self._random.lognormvariate(0, 0.7))))
        started = self._now
        yield "open", 0
        yield "navigate", 0
        for step in range(1, steps + 1):
            yield "observe", step
            yield "infer", step
            action, sentence = (
                _STEPS[(number + step) % len(_STEPS)] if step < steps else ("answer", "Say that it is done")
            )
            url = f"http://{_SITES[number // 4 % len(_SITES)]}.example/page/{step}"
            self._say(events.StepDecided(_id(number), step, action, sentence, url, picture_address(number * 7 + step)))
            if step < steps:
                yield "act", step
        kinds, weights = zip(*_OUTCOMES, strict=True)
        [outcome] = self._random.choices(kinds, weights)
        if outcome in ("success", "failure", "judge_unknown"):
            yield "judge", steps
        yield "close", steps
        self._say(events.AttemptEnded(_id(number), outcome, steps, self._now - started))


def _id(number: int) -> str:
    return f"attempt-{number:05d}"
