"""All servers of a policy, refreshed, paused and resumed together."""

from __future__ import annotations

import logging
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path

import anyio

from webgym.errors import ConfigError, PolicyError, PolicyUnavailable
from webgym.inference.api import ControlCall, ServerApi
from webgym.inference.config import ServersConfig
from webgym.inference.control_client import ControlClient
from webgym.inference.process import ServerProcess
from webgym.records.base import Record
from webgym.records.sample import PolicyVersion

logger = logging.getLogger(__name__)

_STATE_SECONDS = 10.0
_AGAIN_SECONDS = 1.0


class ReplicaState(Record, frozen=True, omit_defaults=False):
    """State of one server."""

    url: str
    healthy: bool
    version: str = ""
    """The server's label of its weights."""
    restarts: int = 0
    log: str = ""
    """Log file of a server that we started."""


@dataclass(slots=True)
class _Replica:
    url: str
    process: ServerProcess | None = None
    slept: int | None = None
    """Its restart count when it was put to sleep; None: awake."""

    @property
    def restarts(self) -> int:
        return 0 if self.process is None else self.process.restarts

    @property
    def asleep(self) -> bool:
        """Whether it has to be woken: a restarted server is awake, and SGLang crashes if woken twice."""
        return self.slept is not None and self.slept == self.restarts

    @property
    def serves(self) -> bool:
        return self.process is None or self.process.serves.is_set()


class Replicas:
    """The servers of one policy. Made by `open_replicas` in `opening.py`."""

    def __init__(self, api: ServerApi, config: ServersConfig, control: ControlClient, policy: PolicyVersion) -> None:
        self.api = api
        self.config = config
        self.policy = policy
        """Weights to serve, also after a restart of a server."""
        self.changes = 0
        """Incremented when a refresh begins and when it ends: odd while one is under way."""
        self._control = control
        self._all: list[_Replica] = []
        self._paused = self._asleep = False
        self._ordering = anyio.Lock()
        """One operation on all servers at a time: a refresh would undo a pause between its load and its resume."""

    def add(self, url: str, process: ServerProcess | None = None) -> None:
        self._all.append(_Replica(url, process))

    @property
    def urls(self) -> tuple[str, ...]:
        return tuple(replica.url for replica in self._all)

    @property
    def restarts(self) -> int:
        """Total restarts of the servers we started."""
        return sum(replica.restarts for replica in self._all)

    def serves(self, url: str) -> bool:
        """Whether requests may be sent to a server; for attached ones, always."""
        return all(replica.serves for replica in self._all if replica.url == url)

    async def refresh(self, policy: PolicyVersion) -> None:
        """Switch to new weights; unfinished replies go on, and each token records the version that sampled it.

        Raises:
            ConfigError: The folder holds no weights; nothing was changed.
            PolicyUnavailable: A server did not load them in time; the others serve them.
        """
        check_folder(policy)
        async with self._ordering:
            self.policy = policy
            self.changes += 1
            try:
                await self._each(self._refresh_one, self.config.refresh_seconds)
            finally:
                self.changes += 1
            self._paused = self._asleep = False

    async def pause(self) -> None:
        """Stop sampling until `resume` or `refresh`; requests wait."""
        async with self._ordering:
            await self._each(lambda _, call: self.api.pause(call, self.config.in_flight), self.config.refresh_seconds)
            self._paused = True

    async def resume(self) -> None:
        """Go on sampling.

        Raises:
            ConfigError: The servers are asleep: they have no weights to go on with.
        """
        async with self._ordering:
            if self._asleep:
                raise ConfigError("sleeping servers wake only when new weights are loaded: refresh them")
            await self._each(lambda _, call: self.api.resume(call), self.config.refresh_seconds)
            self._paused = False

    async def rest(self) -> None:
        """Pause, and release GPU memory if so configured."""
        await self.pause()
        if not self.config.sleep:
            return
        async with self._ordering:
            await self._each(self._sleep_one, self.config.refresh_seconds)
            self._asleep = True

    async def state(self) -> tuple[ReplicaState, ...]:
        """Return the state of all servers; does not raise if one is unhealthy."""
        states: dict[str, ReplicaState] = {}

        async def ask(replica: _Replica) -> None:
            log = str(replica.process.log) if replica.process else ""
            healthy = await self._control.healthy(replica.url, self.api.health, _STATE_SECONDS)
            version = ""
            if healthy:
                try:
                    version = await self.api.version(self._control.to(replica.url, _STATE_SECONDS))
                except PolicyError as error:
                    logger.info("%s does not report its weights' version: %s", replica.url, error)
            states[replica.url] = ReplicaState(replica.url, healthy, version, replica.restarts, log)

        async with anyio.create_task_group() as tasks:
            for replica in self._all:
                tasks.start_soon(ask, replica)
        return tuple(states[replica.url] for replica in self._all)

    async def _refresh_one(self, replica: _Replica, call: ControlCall) -> None:
        if replica.process is not None and await self._is_served(call) and not (self._paused or self._asleep):
            # It was restarted with these weights, or an earlier try loaded them but did not resume.
            await self.api.resume(call)
            return
        await self.api.check(call, self.policy.path)
        await self.api.pause(call, self.config.in_flight)
        if replica.asleep:
            await self.api.wake(call)
            replica.slept = None
        # If this fails, weights may be half loaded: the server stays paused and does not sample from them.
        await self.api.load(call, self.policy.path, self.policy.version)
        await self.api.resume(call)

    async def _sleep_one(self, replica: _Replica, call: ControlCall) -> None:
        await self.api.sleep(call)
        replica.slept = replica.restarts

    async def _is_served(self, call: ControlCall) -> bool:
        return await self.api.version(call) == str(self.policy.version)

    async def _each(self, order: Callable[[_Replica, ControlCall], Awaitable[None]], seconds: float) -> None:
        """Run an operation on all servers concurrently, retrying each until it works or time is up."""
        until = time.monotonic() + seconds
        failed: dict[str, str] = {}

        async def one_by_one(replica: _Replica) -> None:
            try:
                await self._until_done(replica, order, until)
            except PolicyError as error:
                failed[replica.url] = str(error)

        async with anyio.create_task_group() as tasks:
            for replica in self._all:
                tasks.start_soon(one_by_one, replica)
        if failed:
            raise PolicyUnavailable(f"{len(failed)} of {len(self._all)} servers: " + "; ".join(failed.values()))

    async def _until_done(
        self, replica: _Replica, order: Callable[[_Replica, ControlCall], Awaitable[None]], until: float
    ) -> None:
        while True:
            left = max(0.001, until - time.monotonic())
            try:
                if replica.process is not None:
                    await _serving(replica.process, left)
                await order(replica, self._control.to(replica.url, max(0.001, until - time.monotonic())))
            except PolicyUnavailable:
                if time.monotonic() + _AGAIN_SECONDS >= until:
                    raise
                await anyio.sleep(_AGAIN_SECONDS)
            else:
                return


async def _serving(process: ServerProcess, seconds: float) -> None:
    with anyio.move_on_after(seconds):
        await process.serves.wait()
        return
    raise PolicyUnavailable(f"{process.url} is not up again; see {process.log}")


def check_folder(policy: PolicyVersion) -> None:
    """Raise `ConfigError` unless this is a checkpoint: a server that fails to load one may be left without weights."""
    folder = Path(policy.path)
    if not (folder / "config.json").is_file() or not any(folder.glob("*.safetensors")):
        raise ConfigError(f"{folder} holds no weights: config.json and *.safetensors are needed")
