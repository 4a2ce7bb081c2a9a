"""Run or resume a rollout or evaluation: make, monitor and store all its attempts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import anyio.lowlevel

from webgym.monitor.board import Board
from webgym.records.trajectory import Attempt
from webgym.rollout.pool import FinishedGroup, Pool, open_pool
from webgym.rollout.run_all import StragglerRule, run_all
from webgym.rollout.tally import Tally, Totals
from webgym.run.agents import players_for
from webgym.run.attempt_resources import environment_of
from webgym.run.checks import check_conditions, check_names
from webgym.run.config import RunConfig
from webgym.run.health import noted
from webgym.run.interrupt import Interrupt, interruptible
from webgym.run.kept_tasks import TASKS_FILE, drawn_once, keep_drawn
from webgym.run.malformed_replies import MalformedReplies
from webgym.run.progress import NoProgress, ProgressListener
from webgym.run.resources import open_resources
from webgym.run.tasks import groups_for
from webgym.run.wiring import wired
from webgym.store.meta import RunMeta
from webgym.telemetry.events import EventBus


@dataclass(frozen=True, slots=True)
class RunOutcome:
    """The outcome of running or resuming a run."""

    planned: int
    """Attempts of the whole run, including finished ones."""
    kept: int
    """Attempts that finished before a resume."""
    totals: Totals
    """Outcomes of the attempts made this time."""
    interrupted: bool
    begun: bool = True
    """Whether it came to making attempts."""

    @property
    def complete(self) -> bool:
        outcomes = self.totals.outcomes
        return self.begun and self.kept + sum(outcomes.values()) == self.planned and not outcomes["cancelled"]


async def run(
    config: RunConfig, folder: Path, meta: RunMeta | None = None, progress: ProgressListener = NoProgress()
) -> RunOutcome:
    """Make all remaining attempts of a run. Without `meta` the run must exist already."""
    async with interruptible(progress.on_message) as interrupt:
        return await _made(config, folder, meta, progress, interrupt)
    return RunOutcome(0, 0, Tally().totals, interrupted=True, begun=False)


async def _made(
    config: RunConfig, folder: Path, meta: RunMeta | None, progress: ProgressListener, interrupt: Interrupt
) -> RunOutcome:
    environment, say = environment_of(config), progress.on_message
    tasks = drawn_once(config.tasks, config.seed, folder / TASKS_FILE, say, environment)
    groups = groups_for(tasks, config.tasks.repeats, config.seed)
    planned = sum(len(group) for group in groups)
    await check_conditions(config, environment, tasks)
    if meta is not None:
        await check_names(config)
    async with open_resources(config, folder, progress) as resources:
        writer = await resources.writer(meta)
        keep_drawn(folder / TASKS_FILE, config.tasks, tasks)
        health_recorder = await resources.health(config.tasks)
        todo = _not_over(groups, writer.finished())
        left = sum(len(group) for group in todo)
        if lost := writer.lost():
            say(f"{len(lost)} attempts that were lost to infrastructure are tried again")
        board = Board()
        progress.on_start(board, planned, planned - left)
        if not todo:
            return RunOutcome(planned, planned, Tally().totals, interrupted=False)
        policy = await resources.policy()
        await resources.monitor(board, writer, writer.meta.name)
        judges = await resources.judges()
        attempts = await resources.attempts(tasks, environment)
        players = players_for(config, policy, judges(writer.blob))
        events = EventBus(board.apply, progress.on_event, MalformedReplies(say))
        roll = noted(wired(config, attempts, players, writer, events), health_recorder, writer)
        async with open_pool(roll, events, slots=config.browser.sessions) as pool:
            interrupt.drain(pool)
            totals = await _attempted(pool, todo, progress, _completion(config, writer.meta, progress))
    return RunOutcome(planned, planned - left, totals, interrupt.asked)


async def _attempted(
    pool: Pool, todo: Sequence[Sequence[Attempt]], progress: ProgressListener, completion: StragglerRule
) -> Totals:
    """Make the attempts and return their outcomes."""

    def told(finished: FinishedGroup) -> None:
        for attempt, ending in zip(finished.attempts, finished.endings, strict=True):
            progress.on_attempt(attempt, ending)

    await run_all(pool, todo, told, completion)
    totals = pool.totals
    if totals.open:
        await anyio.lowlevel.checkpoint()  # let the error of an attempt that ended the run surface first
        raise RuntimeError(f"{totals.open} of {totals.submitted} attempts have no outcome: please report this")
    return totals


def _completion(config: RunConfig, meta: RunMeta, progress: ProgressListener) -> StragglerRule:
    """Return the completion threshold; evaluations have none, as cancelling long attempts would bias success."""
    pool = config.pool
    if meta.kind != "eval":
        return StragglerRule(pool.threshold, pool.grace_seconds)
    if pool.threshold < 1:
        progress.on_message(f"pool.threshold = {pool.threshold:g} is ignored: an evaluation runs all its attempts")
    return StragglerRule()


def _not_over(groups: Sequence[Sequence[Attempt]], over: frozenset[str]) -> list[tuple[Attempt, ...]]:
    left = (tuple(attempt for attempt in group if attempt.attempt_id not in over) for group in groups)
    return [group for group in left if group]
