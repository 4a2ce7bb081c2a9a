"""Run a study: each run is a `webgym train` process, several at a time."""

from __future__ import annotations

import shlex
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO

import anyio
import anyio.abc
import anyio.to_thread

from webgym.concurrency import background
from webgym.study.cores import available, shares
from webgym.study.plan import StudyRun, is_done
from webgym.study.progress import RunProgress, State, StudyListener, progress_of

_LOOK_SECONDS = 1.0
_DRAIN_SECONDS = 180.0
"""Time for a run to stop after SIGINT before it is killed, which loses only unfinished work."""
_INTERRUPTED = 130
_TAIL_LINES = 15


@dataclass(frozen=True, slots=True)
class Conditions:
    """How to run a study."""

    at_once: int = 1
    """Concurrent runs."""
    seconds: float | None = None
    """Time limit after which all runs are stopped; None: run to the end."""
    arms: frozenset[str] = frozenset()
    """Arms to run now; empty: all."""
    program: tuple[str, ...] = (sys.executable, "-m", "webgym.study.child")
    """Command of a run; its cores and the arguments of `webgym` are appended."""


@dataclass(frozen=True, slots=True)
class StudyOutcome:
    """The outcome of running a study."""

    runs: tuple[RunProgress, ...]
    interrupted: bool
    """Whether a signal stopped it, rather than the time limit."""


async def carry_out(runs: Sequence[StudyRun], conditions: Conditions, listener: StudyListener) -> StudyOutcome:
    """Run or resume every run that is not done. The study's folder must exist."""
    return await _Study(runs, conditions, listener).carry_out()


class _Study:
    """A study in progress."""

    def __init__(self, runs: Sequence[StudyRun], conditions: Conditions, listener: StudyListener) -> None:
        self._runs = runs
        self._conditions = conditions
        self._listener = listener
        self._states: dict[str, State] = {run.name: "done" if run.standing == "done" else "waiting" for run in runs}
        self._progress = {run.name: progress_of(run, self._states[run.name]) for run in runs}
        now = [run for run in runs if not conditions.arms or run.arm in conditions.arms]
        self._todo: Iterator[StudyRun] = iter([run for run in now if run.standing != "done"])
        self._ending = anyio.Event()
        self._killing = anyio.Event()
        self._interrupted = False

    async def carry_out(self) -> StudyOutcome:
        conditions = self._conditions
        self._begin()
        cores = shares(available(), conditions.at_once)
        if conditions.at_once > 1 and not cores[0]:
            self._listener.on_message(
                "fewer CPU cores than concurrent runs: runs share cores, so timings are unreliable"
            )
        async with background() as beside:
            if threading.current_thread() is threading.main_thread():  # others cannot receive signals
                beside.start_soon(self._listen)
            if conditions.seconds is not None:
                beside.start_soon(self._end_after, conditions.seconds)
            async with anyio.create_task_group() as tasks:
                for share in cores:
                    tasks.start_soon(self._work, share)
        return StudyOutcome(tuple(self._progress.values()), self._interrupted)

    def _begin(self) -> None:
        for run in self._runs:
            if run.standing == "done":
                self._listener.on_message(f"{run.name}: already finished")
        self._listener.on_change(tuple(self._progress.values()))

    async def _listen(self) -> None:
        with anyio.open_signal_receiver(signal.SIGINT, signal.SIGTERM) as signals:
            async for _ in signals:
                if self._interrupted:
                    self._killing.set()
                    continue
                self._interrupted = True
                self._listener.on_message("stopping all runs; finished work is kept. Ctrl-C again kills them")
                self._ending.set()

    async def _end_after(self, seconds: float) -> None:
        await anyio.sleep(seconds)
        self._listener.on_message("time limit reached: stopping all runs; finished work is kept")
        self._ending.set()

    async def _work(self, cores: frozenset[int]) -> None:
        """Process runs one after the other on these cores."""
        for run in self._todo:
            if self._ending.is_set():
                return
            await self._one(run, cores)

    async def _one(self, run: StudyRun, cores: frozenset[int]) -> None:
        on = f" on cores {','.join(map(str, sorted(cores)))}" if cores else ""
        await self._move(run, "running", f"{'resuming' if run.standing == 'begun' else 'starting'}{on}")
        command = ("train", *run.arguments)
        log = await anyio.to_thread.run_sync(_opened_log, run.log, command)
        with log:
            began = log.tell()
            share = ",".join(map(str, sorted(cores)))
            process = await anyio.open_process(
                [*self._conditions.program, share, *command],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,  # Ctrl-C in a terminal goes to the study, which forwards it
            )
            try:
                async with background() as beside:
                    beside.start_soon(self._watch, run)
                    beside.start_soon(self._stop, process)
                    status = await process.wait()
            finally:
                if process.returncode is None:
                    process.kill()
        await self._ended(run, status, began)

    async def _watch(self, run: StudyRun) -> None:
        while True:
            await anyio.sleep(_LOOK_SECONDS)
            await self._look(run)

    async def _look(self, run: StudyRun) -> None:
        found = await anyio.to_thread.run_sync(progress_of, run, self._states[run.name])
        if found != self._progress[run.name]:
            self._progress[run.name] = found
            self._listener.on_change(tuple(self._progress.values()))

    async def _stop(self, process: anyio.abc.Process) -> None:
        """Interrupt the run once the study ends, and kill it after a timeout or a second Ctrl-C."""
        await self._ending.wait()
        process.send_signal(signal.SIGINT)
        with anyio.move_on_after(_DRAIN_SECONDS):
            await self._killing.wait()
        process.kill()

    async def _ended(self, run: StudyRun, status: int, began: int) -> None:
        if status == 0 and await anyio.to_thread.run_sync(is_done, run.folder, run.config):
            await self._move(run, "done", "done")
        elif status == _INTERRUPTED or self._ending.is_set():
            await self._move(run, "stopped", "stopped; run the same command again to resume it")
        else:
            why = "it exited before it was finished" if status == 0 else f"exit status {status}"
            tail = await anyio.to_thread.run_sync(_tail, run.log, began)
            await self._move(run, "failed", f"failed ({why}); the end of {run.log}:\n{tail}")

    async def _move(self, run: StudyRun, state: State, said: str) -> None:
        self._states[run.name] = state
        self._listener.on_message(f"{run.name}: {said}")
        await self._look(run)


def _opened_log(path: Path, command: Sequence[str]) -> IO[bytes]:
    log = path.open("ab")
    log.write(f"$ webgym {shlex.join(command)}\n".encode())
    log.flush()
    return log


def _tail(path: Path, began: int) -> str:
    """Return the last lines of the log written since offset `began`."""
    with path.open("rb") as file:
        file.seek(began)
        lines = file.read().decode("utf-8", "replace").rstrip().splitlines()
    return "\n".join(f"    {line}" for line in lines[-_TAIL_LINES:])
