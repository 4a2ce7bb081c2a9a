"""Measures one system: a warm-up, the timed part, then memory with all sessions open."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from itertools import count
from time import perf_counter

import anyio.to_thread

from webgym.stages import Browser
from webgym_bench.conditions import Conditions
from webgym_bench.drive import Drive
from webgym_bench.figures import Figures, figures
from webgym_bench.log import LogRecord
from webgym_bench.pages.server import Pages
from webgym_bench.processes import Memory, memory, usage
from webgym_bench.recorder import Recorder
from webgym_bench.screenshot_file import ScreenshotFile
from webgym_bench.systems.system import System

Progress = Callable[[str, int, int], None]
"""Called with the current phase, the episodes done and the episodes in total."""


@dataclass(frozen=True)
class Measured:
    """The metrics of a system and the records they were computed from."""

    figures: Figures
    records: tuple[LogRecord, ...]


@dataclass(frozen=True)
class Bench:
    """Measures systems one after the other, against the same pages."""

    pages: Pages
    progress: Progress

    async def measure(self, system: System, conditions: Conditions, label: str = "") -> Measured:
        """Start a system, measure it and stop it."""
        label = label or system.name
        with ScreenshotFile() as screenshots:
            async with system.start(self.pages, conditions) as browser:
                drive = partial(self._drive, browser, conditions)
                visits = range(conditions.sessions * conditions.warmup)
                await drive(Recorder(label, screenshots), "warm-up", len(visits)).run(visits)

                timed, visits = Recorder(label, screenshots), range(conditions.sessions * conditions.episodes)
                before, start = await usage(self.pages.pid), perf_counter()
                await drive(timed, "timed", len(visits)).run(visits)
                seconds, used = perf_counter() - start, await usage(self.pages.pid) - before

                held = await self._held(drive(Recorder(label, screenshots), "memory", conditions.sessions))
            self.progress(f"{label}: checking the screenshots", 0, 0)
            steps = await anyio.to_thread.run_sync(timed.checked)
        made = figures(steps, timed.episodes, used, held, seconds, conditions.sessions)
        return Measured(made, (*steps, *timed.episodes))

    def _drive(self, browser: Browser, conditions: Conditions, recorder: Recorder, phase: str, visits: int) -> Drive:
        done = count(1)
        what = f"{recorder.system}: {phase}"
        self.progress(what, 0, visits)
        return Drive(
            browser, self.pages, conditions, recorder, progress=lambda: self.progress(what, next(done), visits)
        )

    async def _held(self, drive: Drive) -> Memory:
        samples: list[Memory] = []

        async def sample() -> None:
            samples.append(await anyio.to_thread.run_sync(memory, self.pages.pid))

        await drive.hold(sample)
        return samples[0]
