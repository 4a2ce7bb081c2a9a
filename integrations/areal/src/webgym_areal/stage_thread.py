"""One stage for all workflows of a process, with its own thread and event loop.

AReaL's rollout workers create a new workflow for every group. Browsers, sites and the store open with the first group
and close when the process exits. If it is killed, the kernel ends its child processes.
"""

from __future__ import annotations

import asyncio
import logging
import os
import threading
from collections.abc import AsyncGenerator, Callable
from concurrent.futures import Future
from contextlib import AbstractAsyncContextManager, ExitStack, asynccontextmanager
from dataclasses import dataclass, field, replace

import anyio
from anyio.from_thread import BlockingPortal, start_blocking_portal

from webgym.concurrency import ungrouped
from webgym.engine.render import read_renderer
from webgym.records.task import Task
from webgym.rollout.pool import Roll
from webgym.run.import_path import named
from webgym.run.models import find_policy
from webgym.run.vocabulary import vocabulary_of
from webgym_areal.episode import Company, Played
from webgym_areal.picture_server import serving_pictures
from webgym_areal.pictures import read_cutter
from webgym_areal.policy import ArealPolicy, Engine, MakeRequest, Manner
from webgym_areal.settings import ArealSettings
from webgym_areal.stage import Stage, run_stage

logger = logging.getLogger(__name__)

MakeStage = Callable[[ArealSettings, Task], AbstractAsyncContextManager[Stage]]

_lock = threading.RLock()
_stage_threads: dict[str, StageThread] = {}
_closer: threading.Thread | None = None


@dataclass(frozen=True, slots=True)
class _Cast:
    """The policy and the roll function of one engine. Holding the engine keeps its `id` from being reused."""

    engine: Engine
    policy: ArealPolicy
    roll: Roll


@dataclass(slots=True)
class StageThread:
    """Runs episodes in the thread of a stage."""

    portal: BlockingPortal
    company: Company
    manner: Manner
    stop: ExitStack
    _casts: dict[int, _Cast] = field(default_factory=dict[int, "_Cast"])

    async def play(self, engine: Engine, request: MakeRequest, task: Task, *, learn: bool) -> Played:
        """Run an episode, from any event loop. Cancelling the call cancels the episode."""
        future: Future[Played] = self.portal.start_task_soon(self._play, engine, request, task, learn)
        return await asyncio.wrap_future(future)

    async def _play(self, engine: Engine, request: MakeRequest, task: Task, learn: bool) -> Played:
        cast = self._casts.get(id(engine))
        if cast is None:
            policy = ArealPolicy(engine, self.manner, self.company.settings, request)
            cast = self._casts[id(engine)] = _Cast(engine, policy, self.company.stage.roll(policy))
        with ungrouped():
            played = await self.company.play(cast.roll, task, learn=learn)
        return replace(played, figures=played.figures | {"replies_asked_again": float(cast.policy.asked_again())})


def stage_thread_for(settings: ArealSettings, first: Task, host: Callable[[], str]) -> StageThread:
    """Return the stage thread for these settings, opening it if there is none. Blocks.

    Raises:
        ConfigError: It cannot be opened.
    """
    key = settings.model_dump_json()
    with _lock:
        stage_thread = _stage_threads.get(key)
        if stage_thread is None:
            stage_thread = _stage_threads[key] = _opened(settings, first, settings.host or host())
            _close_in_the_end()
        return stage_thread


def close_all() -> None:
    """Close every stage thread of this process."""
    with _lock:
        for key in list(_stage_threads):
            stage_thread = _stage_threads.pop(key)
            try:
                stage_thread.stop.close()
            except Exception as error:  # noqa: BLE001 (it is stopped, whatever failed on the way)
                logger.warning("a stage did not shut down cleanly: %s", error)


def _opened(settings: ArealSettings, first: Task, host: str) -> StageThread:
    with ExitStack() as stack:
        portal = stack.enter_context(start_blocking_portal(name="webgym-areal"))
        opening = portal.wrap_async_context_manager(_open(settings, first, host))
        company, manner = stack.enter_context(opening)
        return StageThread(portal, company, manner, stack.pop_all())


@asynccontextmanager
async def _open(settings: ArealSettings, first: Task, host: str) -> AsyncGenerator[tuple[Company, Manner]]:
    folder = await anyio.to_thread.run_sync(find_policy, settings.model)
    words, cutter = vocabulary_of(folder), read_cutter(folder)
    manner = Manner(read_renderer(folder, words.image), cutter)
    make: MakeStage = named(settings.stage, "stage") if settings.stage else run_stage
    async with make(settings, first) as stage, serving_pictures(stage.blob, host) as keeper:
        yield Company(stage, settings, words, cutter, keeper, anyio.CapacityLimiter(stage.slots)), manner


def _close_in_the_end() -> None:
    """Close when the main thread ends. Not with `atexit`, which is too late to start the threads that closing needs."""
    global _closer  # noqa: PLW0603 (one per process, like the stage threads)
    if _closer is None:
        _closer = threading.Thread(target=_wait_and_close, name="webgym-areal-closer", daemon=False)
        _closer.start()


def _wait_and_close() -> None:
    threading.main_thread().join()
    close_all()


def _forget() -> None:
    """Reset the state in a forked child: the threads and their processes belong to the parent."""
    global _lock, _closer  # noqa: PLW0603 (per-process state, like the threads)
    _lock = threading.RLock()
    _closer = None
    _stage_threads.clear()


os.register_at_fork(after_in_child=_forget)
