"""What attempts in a rollout worker need: browsers, an environment, a judge and a store."""

from __future__ import annotations

import os
import secrets
import socket
import time
from collections.abc import AsyncGenerator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from webgym.errors import StoreError
from webgym.records.task import Task
from webgym.records.trajectory import Attempt, Ending, Step, Trajectory
from webgym.rollout.pool import Roll
from webgym.run.agents import players_for
from webgym.run.load import load_config, to_toml
from webgym.run.resources import open_resources
from webgym.run.wiring import wired
from webgym.stages import Policy, Recorder
from webgym.store.meta import RunMeta
from webgym.telemetry.events import EventBus
from webgym.version import __version__
from webgym_areal.settings import ArealSettings


class Keeping:
    """A recorder that also keeps each attempt in memory until it is taken."""

    def __init__(self, recorder: Recorder) -> None:
        self._recorder = recorder
        self._steps: dict[str, list[Step]] = {}
        self._over: dict[str, Trajectory] = {}

    async def begin(self, attempt: Attempt) -> None:
        """Begin a try, discarding the steps of an earlier one."""
        await self._recorder.begin(attempt)
        self._steps[attempt.attempt_id] = []

    async def step(self, attempt: Attempt, step: Step, blobs: Mapping[str, bytes]) -> None:
        self._steps[attempt.attempt_id].append(step)
        await self._recorder.step(attempt, step, blobs)

    async def end(self, attempt: Attempt, ending: Ending, blobs: Mapping[str, bytes]) -> None:
        await self._recorder.end(attempt, ending, blobs)  # if it raises, our own state stays as it is
        steps = tuple(self._steps.pop(attempt.attempt_id, ()))
        self._over[attempt.attempt_id] = Trajectory(attempt, steps, ending)

    def take(self, attempt_id: str) -> Trajectory:
        """Return a finished attempt and forget it.

        Raises:
            StoreError: It is not finished, or was taken before.
        """
        found = self._over.pop(attempt_id, None)
        if found is None:
            raise StoreError(f"attempt {attempt_id} has not finished, or its result was already taken")
        return found


@dataclass(frozen=True, slots=True)
class Stage:
    """Everything needed to run attempts, opened."""

    roll: Callable[[Policy], Roll]
    """Returns a function that runs attempts with this policy and records them in `keeping`."""
    keeping: Keeping
    blob: Callable[[str], bytes | None]
    """Looks up the bytes of a picture, from any thread."""
    slots: int
    """Concurrent attempts."""


@asynccontextmanager
async def run_stage(settings: ArealSettings, first: Task) -> AsyncGenerator[Stage]:
    """Open a stage as the run's configuration says.

    The environment is opened for `first`: all tasks are on hermetic sites, say, or none is.

    Raises:
        ConfigError: The configuration is invalid, or a fleet cannot be started or reached.
    """
    config = load_config(Path(settings.run) if settings.run else None, settings.overrides)
    name = f"{socket.gethostname()}-{os.getpid()}-{secrets.token_hex(4)}"
    meta = RunMeta(
        name=name,
        created=time.time(),
        command="AReaL rollout worker",
        config=to_toml(config),
        seed=config.seed,
        versions={"webgym": __version__},
    )
    async with open_resources(config, Path(settings.store) / name) as resources:
        writer = await resources.writer(meta)
        judges = await resources.judges()
        attempts = await resources.attempts([first])
        keeping = Keeping(writer)

        def roll(policy: Policy) -> Roll:
            players = players_for(config, policy, judges(writer.blob))
            return wired(config, attempts, players, keeping, EventBus())

        yield Stage(roll, keeping, writer.blob, config.browser.sessions)
