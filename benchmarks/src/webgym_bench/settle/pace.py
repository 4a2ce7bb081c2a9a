"""Measures how fast a system takes steps, with one session and with many, and what CPU time they cost."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import chain, islice
from time import perf_counter

import anyio

from webgym.errors import WebGymError
from webgym.stages import Browser
from webgym_bench.figures import percentile
from webgym_bench.processes import usage
from webgym_bench.settle.conditions import Conditions
from webgym_bench.settle.tour import Kind, Move, Walk

STEPS_PER_SESSION = 8
_NOBODY = 0
"""No process is left out: the application is none of our descendants."""


@dataclass(frozen=True)
class Pace:
    """Speed and cost of one system, for one kind of step and one number of sessions."""

    kind: Kind
    sessions: int
    steps: int
    steps_per_second: float
    cpu_ms_per_step: float
    """CPU time of the client and all processes of the system, without the application's."""
    cpu_ms_by: dict[str, float]
    p50_ms: float
    """Time from an action to its picture."""
    p95_ms: float
    unsettled: int
    failures: int
    busy_elsewhere: float
    """CPU seconds per second that other processes used meanwhile, the application included."""


@dataclass
class _Tally:
    seconds: list[float] = field(default_factory=list[float])
    unsettled: int = 0
    failures: int = 0


async def pace(browser: Browser, conditions: Conditions, walks: tuple[Walk, ...], kind: Kind, sessions: int) -> Pace:
    """Open the sessions, let all of them take their steps at the same time, and close them. Only steps are timed."""
    tally = _Tally()
    ready = [anyio.Event() for _ in range(sessions)]
    ended = [anyio.Event() for _ in range(sessions)]
    go, leave = anyio.Event(), anyio.Event()
    used, seconds = await usage(_NOBODY), 0.0

    async def run(slot: int) -> None:
        try:
            async with browser.open(conditions.spec) as session:
                ready[slot].set()
                await go.wait()
                for move in _moves(walks, slot):
                    start = perf_counter()
                    capture = await session.step(move.action, conditions.paced)
                    tally.seconds.append(perf_counter() - start)
                    tally.unsettled += not capture.observation.settled
                ended[slot].set()
                await leave.wait()  # closing belongs to no step
        except WebGymError:
            tally.failures += 1
        finally:
            ready[slot].set()
            ended[slot].set()

    async with anyio.create_task_group() as tasks:
        for slot in range(sessions):
            tasks.start_soon(run, slot)
        for one in ready:
            await one.wait()
        before, start = await usage(_NOBODY), perf_counter()
        go.set()
        for one in ended:
            await one.wait()
        seconds = perf_counter() - start
        used = await usage(_NOBODY) - before
        leave.set()
    ordered = sorted(1000 * one for one in tally.seconds)
    count = max(1, len(ordered))
    return Pace(
        kind=kind,
        sessions=sessions,
        steps=len(ordered),
        steps_per_second=round(len(ordered) / seconds, 3),
        cpu_ms_per_step=round(1000 * used.tree / count, 1),
        cpu_ms_by={role: round(1000 * spent / count, 1) for role, spent in sorted(used.by.items())},
        p50_ms=percentile(ordered, 0.5),
        p95_ms=percentile(ordered, 0.95),
        unsettled=tally.unsettled,
        failures=tally.failures,
        busy_elsewhere=round(used.elsewhere / seconds, 2),
    )


def _moves(walks: tuple[Walk, ...], slot: int) -> list[Move]:
    """Return the steps of one session: whole walks, beginning with another one in every session."""
    turned = [walks[(slot + number) % len(walks)] for number in range(max(len(walks), STEPS_PER_SESSION))]
    return list(islice(chain.from_iterable(walk.moves for walk in turned), STEPS_PER_SESSION))
