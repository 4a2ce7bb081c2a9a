"""Drives the sessions of a system through the scripted episode, as many concurrently as the conditions say."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass
from time import perf_counter

import anyio

from webgym.errors import DeadlineError, WebGymError
from webgym.stages import Browser, Session
from webgym_bench.conditions import Conditions
from webgym_bench.log import EpisodeRecord
from webgym_bench.pages.server import Pages
from webgym_bench.recorder import Recorder
from webgym_bench.script import Move, episode

PATIENCE_SECONDS = 600.0
"""Deadline of one episode. It exceeds the sum of any system's own deadlines, so a hang is recorded as a failure."""


@dataclass(frozen=True)
class Drive:
    """Drives the sessions of one system."""

    browser: Browser
    pages: Pages
    conditions: Conditions
    recorder: Recorder
    progress: Callable[[], None]
    """Called after every episode."""

    async def run(self, visits: range) -> None:
        """Run every visit once. Each session takes the next visit as soon as it is free."""
        waiting = iter(visits)
        async with anyio.create_task_group() as tasks:
            for slot in range(self.conditions.sessions):
                tasks.start_soon(self._take, slot, waiting)

    async def hold(self, sample: Callable[[], Awaitable[None]]) -> None:
        """Open all sessions, pause each at a different step of the episode, and call `sample` while all are paused."""
        steps = len(episode(self.pages, 0))
        arrived = [anyio.Event() for _ in range(self.conditions.sessions)]
        go = anyio.Event()
        async with anyio.create_task_group() as tasks:
            for slot, here in enumerate(arrived):
                tasks.start_soon(self._stand, slot, slot % steps + 1, here, go)
            for here in arrived:
                await here.wait()
            await sample()
            go.set()

    async def _take(self, slot: int, waiting: Iterator[int]) -> None:
        for visit in waiting:
            await self._visit(slot, visit, episode(self.pages, visit))
            self.progress()

    async def _stand(self, slot: int, steps: int, here: anyio.Event, go: anyio.Event) -> None:
        async def stand() -> None:
            here.set()
            await go.wait()

        await self._visit(slot, slot, episode(self.pages, slot)[:steps], stand)
        here.set()  # even if the visit failed, or `hold` would wait for ever

    async def _visit(
        self, slot: int, visit: int, moves: tuple[Move, ...], finally_: Callable[[], Awaitable[None]] | None = None
    ) -> None:
        """Run one episode. A failure ends the episode and is recorded, not raised."""
        start = perf_counter()
        opened = left = 0.0
        failure: WebGymError | None = None
        try:
            with anyio.fail_after(PATIENCE_SECONDS):
                async with self.browser.open(self.conditions.spec) as session:
                    opened = perf_counter()
                    await self._steps(session, slot, visit, moves)
                    if finally_:
                        await finally_()
                    left = perf_counter()
        except TimeoutError:
            failure = DeadlineError(f"the episode did not finish within {PATIENCE_SECONDS:g} s")
        except WebGymError as error:
            failure = error
        now = perf_counter()
        record = EpisodeRecord(
            self.recorder.system,
            visit,
            slot,
            open_seconds=(opened or now) - start,
            close_seconds=now - (left or now),
            failure=failure.code if failure else "",
            detail=str(failure or ""),
        )
        self.recorder.episodes.append(record)

    async def _steps(self, session: Session, slot: int, visit: int, moves: tuple[Move, ...]) -> None:
        for move in moves:
            await anyio.sleep(self.conditions.think.seconds(self.conditions.seed, visit, move.step))
            start = perf_counter()
            try:
                capture = await session.step(move.action, self.conditions.look)
            except WebGymError as error:
                self.recorder.step(slot, visit, move, start, error)
                return
            self.recorder.step(slot, visit, move, start, capture)
