"""The two ways of running rollouts, on the same work and with the same tools."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from webgym.records.trajectory import Attempt, Ending
from webgym.rollout.gates import GateLimits, Gates
from webgym.rollout.limits import Limits
from webgym.rollout.play import Tools
from webgym.rollout.pool import FinishedGroup, open_pool
from webgym.rollout.roll import roll
from webgym.rollout.run_all import run_all
from webgym.stages import Browser, Recorder
from webgym_bench.lockstep import LockstepGates, run_in_lockstep
from webgym_bench.rollouts.episodes import BenchEpisodes
from webgym_bench.rollouts.figures import Run
from webgym_bench.rollouts.recorder import CountingRecorder
from webgym_bench.rollouts.vitals import watching
from webgym_bench.rollouts.watch import Watch
from webgym_bench.rollouts.work import Work

ASYNCHRONOUS = "asynchronous"
LOCKSTEP = "lockstep"

Progress = Callable[[str, int, int], None]
"""Called with the mode being run, the attempts done and the attempts in total."""


@dataclass(frozen=True)
class Bench:
    """Runs the same work in either mode."""

    work: Work
    browser: Browser
    website: str
    """Base URL of the pages."""
    limits: GateLimits
    progress: Progress

    async def asynchronous(self, recorder: Recorder | None = None, *, spoken: bool = False) -> Run:
        """Run the attempts in the pool: no barriers, and a free slot takes the next attempt at once.

        Args:
            recorder: Where attempts are recorded. By default they are only counted.
            spoken: Whether turns carry prompts and replies of realistic size.
        """
        attempts, slots = self.work.attempts(self.website), self.work.conditions.attempts_open
        watch = Watch(ASYNCHRONOUS)
        tools = self._tools(watch, Gates(watch, self.limits), recorder)
        told = self._teller(ASYNCHRONOUS)

        def finished(group: FinishedGroup) -> None:
            told(len(group.attempts))

        one = partial(roll, episodes=BenchEpisodes(self.work, spoken=spoken), tools=tools)
        async with watching(lag=not self.work.conditions.virtual) as vitals:
            async with open_pool(one, watch, slots=slots, backlog=len(attempts)) as pool:
                await run_all(pool, [[attempt] for attempt in attempts], finished)
            seconds = watch.now
        return Run(watch, vitals, seconds, slots, batches=False)

    async def lockstep(self) -> Run:
        """Run the attempts in batches, with a barrier before every decision and every action."""
        attempts, slots = self.work.attempts(self.website), self.work.conditions.attempts_open
        watch = Watch(LOCKSTEP)
        gates = LockstepGates(watch, self.limits)
        tools = self._tools(watch, gates, None)
        told = self._teller(LOCKSTEP)

        def ended(_attempt: Attempt, _ending: Ending) -> None:
            told(1)

        async with watching(lag=not self.work.conditions.virtual) as vitals:
            made = await run_in_lockstep(attempts, BenchEpisodes(self.work), tools, gates, ended, sessions=slots)
            seconds = watch.now
        return Run(watch, vitals, seconds, slots, batches=True, barrier_seconds=made.waited)

    def _tools(self, watch: Watch, gates: Gates, recorder: Recorder | None) -> Tools:
        steps = self.work.conditions.longest
        limits = Limits(easy=steps, medium=steps, hard=steps)
        return Tools(self.browser, gates, recorder or CountingRecorder(), watch, limits)

    def _teller(self, system: str) -> Callable[[int], None]:
        done = 0
        self.progress(system, 0, self.work.conditions.attempts)

        def told(more: int) -> None:
            nonlocal done
            done += more
            self.progress(system, done, self.work.conditions.attempts)

        return told
