"""A server that we start: health-checked, logged, restarted if it dies, and stopped with us."""

from __future__ import annotations

import asyncio
import logging
import socket
import tempfile
import time
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import anyio
import anyio.abc
import msgspec

from webgym.errors import ConfigError, PolicyError
from webgym.inference.api import ServerApi
from webgym.inference.config import ServersConfig
from webgym.inference.control_client import ControlClient
from webgym.inference.launch import Serving, command_of, environment_of
from webgym.inference.server_wrapper import Order, ServerExit
from webgym.records.sample import PolicyVersion
from webgym.serving.child_process import child_process

logger = logging.getLogger(__name__)

Say = Callable[[str], None]
_POLL_SECONDS = 0.5
_HEALTH_SECONDS = 5.0
_TELL_SECONDS = 15.0
_PAUSES_SECONDS = (1.0, 5.0, 20.0, 60.0)
_HEALTHY_SECONDS = 300.0
"""A server that lived this long resets the restart backoff."""
_TAIL_BYTES, _TAIL_LINES = 8_000, 12
_LABEL_SECONDS = 30.0


@dataclass(slots=True)
class Launch:
    """What servers are started with."""

    api: ServerApi
    serving: Serving
    config: ServersConfig
    control: ControlClient
    logs: Path
    say: Say
    devices: tuple[str, ...] = ()
    """CUDA_VISIBLE_DEVICES of each server; empty: inherited from the environment."""


class ServerProcess:
    """One replica that we started."""

    def __init__(self, launch: Launch, number: int, policy: Callable[[], PolicyVersion]) -> None:
        self._launch = launch
        self._number = number
        self._policy = policy
        """Returns the weights to serve now."""
        self._port = _free_port()
        self.url = f"http://127.0.0.1:{self._port}"
        """Stays the same after a restart."""
        self.log = launch.logs / f"{launch.serving.kind}-{number}.log"
        self.restarts = 0
        self.serves = anyio.Event()
        """Set while the server takes requests."""
        self.pid: int | None = None
        """Process id of its wrapper, while it runs."""

    async def keep_alive(self, *, task_status: anyio.abc.TaskStatus[None]) -> None:
        """Run the server until cancelled, restarting it whenever it dies. `ConfigError` if it does not start at all."""
        told = False
        failures = 0
        while True:
            began = time.monotonic()
            trouble = "it died"
            try:
                async with self._started() as ended:
                    if not told:
                        task_status.started()
                        told = True
                    trouble = f"it ended with code {await ended()}"
            except (OSError, PolicyError, ConfigError) as error:
                if not told:
                    raise ConfigError(f"{self._name} failed to start: {error}") from error
                trouble = str(error)
            self.restarts += 1
            logger.warning("restarting %s: %s", self._name, trouble)
            await anyio.sleep(_PAUSES_SECONDS[min(failures, len(_PAUSES_SECONDS) - 1)])
            failures = 0 if time.monotonic() - began > _HEALTHY_SECONDS else failures + 1

    @property
    def _name(self) -> str:
        return f"{self._launch.serving.kind} {self._number}"

    @asynccontextmanager
    async def _started(self) -> AsyncGenerator[Callable[[], Awaitable[int]]]:
        """Start the server and wait until it serves; yield a function that waits for its exit code."""
        launch, policy = self._launch, self._policy()
        with tempfile.TemporaryDirectory(prefix="webgym-server-", ignore_cleanup_errors=True) as scratch:
            command = command_of(launch.serving, launch.config, policy.path, self._port)
            devices = launch.devices[self._number] if launch.devices else None
            environment = environment_of(launch.serving, launch.config, devices, Path(scratch))
            async with child_process("webgym.inference.server_wrapper", 2**16) as wrapper:
                try:
                    order = Order(command, environment, str(self.log.resolve()))
                    wrapper.writer.write(msgspec.json.encode(order) + b"\n")
                    self.pid = wrapper.process.pid
                    await self._until_healthy(wrapper.reader)
                    # Before any request: tokens without a version cannot be trained on.
                    await launch.api.label(launch.control.to(self.url, _LABEL_SECONDS), policy.version)
                    self.serves.set()
                    yield lambda: _ended(wrapper.reader)
                finally:
                    self.pid = None
                    if self.serves.is_set():
                        self.serves = anyio.Event()

    async def _until_healthy(self, reader: asyncio.StreamReader) -> None:
        launch = self._launch
        began = told = time.monotonic()
        launch.say(f"{self._name}: starting; its log is {self.log}")
        codes: list[int] = []

        async def watch() -> None:
            codes.append(await _ended(reader))

        async with anyio.create_task_group() as tasks:
            tasks.start_soon(watch)
            while not codes and not await launch.control.healthy(self.url, launch.api.health, _HEALTH_SECONDS):
                now = time.monotonic()
                if now - began > launch.config.start_seconds:
                    break
                if now - told > _TELL_SECONDS:
                    told = now
                    launch.say(f"{self._name}: starting for {now - began:.0f} s: {_last_line(self.log)}")
                await anyio.sleep(_POLL_SECONDS)
            tasks.cancel_scope.cancel()
        if codes:
            raise ConfigError(f"it ended with code {codes[0]}; the end of {self.log}:\n{_tail(self.log)}")
        if time.monotonic() - began > launch.config.start_seconds:
            raise ConfigError(
                f"it was not ready in {launch.config.start_seconds:g} s (policy.servers.start_seconds); the end of "
                f"{self.log}:\n{_tail(self.log)}"
            )
        launch.say(f"{self._name}: serves at {self.url} after {time.monotonic() - began:.0f} s")


async def _ended(reader: asyncio.StreamReader) -> int:
    """Wait for the server's exit code; -9 if its wrapper was killed."""
    with suppress(OSError, msgspec.DecodeError):
        line = await reader.readline()
        if line:
            return msgspec.json.decode(line, type=ServerExit).code
    return -9


def _free_port() -> int:
    with socket.socket() as sock:
        sock.bind(("127.0.0.1", 0))
        return sock.getsockname()[1]


def _tail(log: Path) -> str:
    """Return the last lines of a log."""
    try:
        with log.open("rb") as file:
            file.seek(max(0, file.seek(0, 2) - _TAIL_BYTES))
            lines = file.read().decode(errors="replace").splitlines()
    except OSError as error:
        return f"({error})"
    return "\n".join(f"  {line}" for line in lines[-_TAIL_LINES:]) or "  (nothing)"


def _last_line(log: Path) -> str:
    return _tail(log).splitlines()[-1].strip()[:200]
