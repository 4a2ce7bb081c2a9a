"""Run or resume a rollout or evaluation: make, monitor and store all its attempts."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

import anyio.lowlevel

from webgym.monitor.board import Board
from webgym.monitor.serve import serve_monitor
from webgym.monitor.wire import BoardFacts
from webgym.records.event import Event
from webgym.records.trajectory import Attempt, Ending
from webgym.rollout.pool import FinishedGroup, open_pool
from webgym.rollout.run_all import StragglerRule, run_all
from webgym.rollout.tally import Tally, Totals
from webgym.run.agents import players_for
from webgym.run.attempt_resources import AttemptResources, attempt_resources, common_spec, environment_of
from webgym.run.checks import check_names, check_support
from webgym.run.config import RunConfig
from webgym.run.episodes import Players
from webgym.run.health import noted, open_health
from webgym.run.interrupt import Interrupt, interruptible
from webgym.run.judges import open_judges
from webgym.run.kept_tasks import TASKS_FILE, drawn_once, keep_drawn
from webgym.run.malformed_replies import MalformedReplies
from webgym.run.monitor_token import monitor_token
from webgym.run.policy import policy_of
from webgym.run.start_pages import check_start_pages
from webgym.run.tasks import groups_for
from webgym.run.wiring import wired
from webgym.serving.page_server import ServedPage
from webgym.store.meta import RunMeta
from webgym.store.packs import PACK_FOLDER
from webgym.store.write import RunWriter, open_writer
from webgym.telemetry.events import EventBus

if TYPE_CHECKING:
    from webgym.run.task_sets.health_recorder import HealthRecorder


class Audience(Protocol):
    """Receives the progress of a run."""

    def say(self, line: str) -> None:
        """Report a message for the user."""
        ...

    def watch(self, board: Board, planned: int, kept: int) -> None:
        """Report the start of the run; `kept` of the planned attempts finished before a restart."""
        ...

    def happened(self, event: Event) -> None:
        """Receive any event of the run."""
        ...

    def ended(self, attempt: Attempt, ending: Ending) -> None:
        """Report a finished attempt."""
        ...


class Silent:
    """An audience that ignores everything."""

    def say(self, line: str) -> None:
        """Do nothing."""

    def watch(self, board: Board, planned: int, kept: int) -> None:
        """Do nothing."""

    def happened(self, event: Event) -> None:
        """Do nothing."""

    def ended(self, attempt: Attempt, ending: Ending) -> None:
        """Do nothing."""


@dataclass(frozen=True, slots=True)
class Ran:
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


async def run(config: RunConfig, folder: Path, meta: RunMeta | None = None, audience: Audience = Silent()) -> Ran:
    """Make all remaining attempts of a run. Without `meta` the run must exist already."""
    async with interruptible(audience.say) as interrupt:
        return await _made(config, folder, meta, audience, interrupt)
    return Ran(0, 0, Tally().totals, interrupted=True, begun=False)


async def _made(config: RunConfig, folder: Path, meta: RunMeta | None, audience: Audience, interrupt: Interrupt) -> Ran:
    environment = environment_of(config)
    tasks = drawn_once(config.tasks, config.seed, folder / TASKS_FILE, audience.say, environment)
    groups = groups_for(tasks, config.tasks.repeats, config.seed)
    planned = sum(len(group) for group in groups)
    common_spec(config.browser)  # fail on missing files and variables before the run is created
    await check_start_pages(config.browser, environment, tasks)
    check_support(config, environment, tasks)
    if meta is not None:
        await check_names(config)
    async with AsyncExitStack() as stack:
        writer = await stack.enter_async_context(
            open_writer(folder, meta, image_budget_bytes=config.store.image_budget_bytes)
        )
        keep_drawn(folder / TASKS_FILE, config.tasks, tasks)
        health_recorder = await stack.enter_async_context(open_health(config.tasks, folder, audience.say))
        over = writer.finished()
        todo = _not_over(groups, over)
        if writer.lost_pictures:
            audience.say(f"{writer.lost_pictures} pictures of this run are gone: {folder / PACK_FOLDER} is damaged")
        if lost := writer.lost():
            audience.say(f"{len(lost)} attempts that were lost to infrastructure are tried again")
        board = Board()
        audience.watch(board, planned, planned - sum(len(group) for group in todo))
        if not todo:
            return Ran(planned, planned, Tally().totals, interrupted=False)
        policy = await stack.enter_async_context(policy_of(config, folder, audience.say))
        if config.monitor.serve:
            for line in (await stack.enter_async_context(_monitored(config, board, writer))).lines():
                audience.say(line)
        judges = await stack.enter_async_context(open_judges(config, folder))
        resources = await stack.enter_async_context(attempt_resources(config, tasks, environment))
        players = players_for(config, policy, judges(writer.blob))
        parts = Parts(resources, players, writer, board, health_recorder, interrupt)
        return await _run(config, parts, todo, audience, planned)


@dataclass(frozen=True, slots=True)
class Parts:
    """The components of a run."""

    resources: AttemptResources
    players: Players
    writer: RunWriter
    board: Board
    health_recorder: HealthRecorder | None
    """Writes the health database."""
    interrupt: Interrupt


async def _run(
    config: RunConfig, parts: Parts, todo: Sequence[Sequence[Attempt]], audience: Audience, planned: int
) -> Ran:
    events = EventBus(parts.board.apply, audience.happened, MalformedReplies(audience.say))
    one = noted(
        wired(config, parts.resources, parts.players, parts.writer, events), parts.health_recorder, parts.writer
    )

    def told(finished: FinishedGroup) -> None:
        for attempt, ending in zip(finished.attempts, finished.endings, strict=True):
            audience.ended(attempt, ending)

    completion = _completion(config, parts.writer.meta, audience)
    async with open_pool(one, events, slots=config.browser.sessions) as pool:
        parts.interrupt.drain(pool)
        await run_all(pool, todo, told, completion)
        totals = pool.totals
        if totals.open:
            await anyio.lowlevel.checkpoint()  # let the error of an attempt that ended the run surface first
            raise RuntimeError(f"{totals.open} of {totals.submitted} attempts have no outcome: please report this")
        return Ran(planned, planned - sum(len(group) for group in todo), totals, parts.interrupt.asked)


def _completion(config: RunConfig, meta: RunMeta, audience: Audience) -> StragglerRule:
    """Return the completion threshold; evaluations have none, as cancelling long attempts would bias success."""
    pool = config.pool
    if meta.kind != "eval":
        return StragglerRule(pool.threshold, pool.grace_seconds)
    if pool.threshold < 1:
        audience.say(f"pool.threshold = {pool.threshold:g} is ignored: an evaluation runs all its attempts")
    return StragglerRule()


@asynccontextmanager
async def _monitored(config: RunConfig, board: Board, writer: RunWriter) -> AsyncGenerator[ServedPage]:
    async with serve_monitor(
        board,
        screenshot=writer.blob,
        steps=writer.steps,
        about=BoardFacts(run=writer.meta.name),
        folder=writer.path,
        port=config.monitor.port,
        token=monitor_token(config.monitor),
    ) as server:
        yield server


def _not_over(groups: Sequence[Sequence[Attempt]], over: frozenset[str]) -> list[tuple[Attempt, ...]]:
    left = (tuple(attempt for attempt in group if attempt.attempt_id not in over) for group in groups)
    return [group for group in left if group]
