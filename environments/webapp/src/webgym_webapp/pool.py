"""A bounded pool of instances. Each serves one attempt at a time, and is reset before the next."""

from __future__ import annotations

import logging
import os
import shutil
import tempfile
from collections import deque
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

import anyio
import anyio.abc
import anyio.to_thread
from webgym.concurrency import background, ungrouped
from webgym.errors import CapacityError, ConfigError, WebGymError

from webgym_webapp.application import Application
from webgym_webapp.hooks import Hook
from webgym_webapp.instance import Instance
from webgym_webapp.instance_view import WebappInstance
from webgym_webapp.ports import LOOPBACK, reserved_ports

logger = logging.getLogger(__name__)


class InstancePool:
    """Lends instances to attempts."""

    def __init__(self, instances: Sequence[Instance], tasks: anyio.abc.TaskGroup, wait_seconds: float) -> None:
        self.instances = tuple(instances)
        self._idle = deque(instances)
        self._free = anyio.Semaphore(len(instances))
        self._tasks = tasks
        self._wait_seconds = wait_seconds

    @asynccontextmanager
    async def lent(self) -> AsyncGenerator[Instance]:
        """Lend an instance in the state that all start from. Afterwards it is reset, whatever happened to it.

        Raises:
            CapacityError: None became free in time.
            ConfigError: It no longer starts.
        """
        instance = await self._taken()
        try:
            if not (instance.fresh and await instance.lives()):
                await instance.restore()
            instance.fresh = False
            yield instance
        finally:
            # Not awaited: the attempt is over, and need not wait for it.
            self._tasks.start_soon(self._restored, instance)

    async def _taken(self) -> Instance:
        try:
            with anyio.fail_after(self._wait_seconds):
                await self._free.acquire()
        except TimeoutError as error:
            raise CapacityError(
                f"none of the {len(self.instances)} instances became free in {self._wait_seconds:g} s: attempts at "
                "once are limited by browser.sessions, instances by env.options.instances"
            ) from error
        return self._idle.popleft()

    async def _restored(self, instance: Instance) -> None:
        try:
            await instance.restore()
        except WebGymError as error:
            logger.warning("%s; it is started again for the next attempt", error)
        finally:
            self._idle.append(instance)
            self._free.release()


@asynccontextmanager
async def open_instances(
    application: Application, count: int, *, seed: Hook | None, first_port: int, wait_seconds: float
) -> AsyncGenerator[InstancePool]:
    """Start this many instances, and end them when the block exits, with every process below them.

    Raises:
        ConfigError: There are no files to start from, or the application does not start.
    """
    root = Path(tempfile.mkdtemp(prefix="webgym-webapp-"))
    instances: list[Instance] = []
    starts = anyio.CapacityLimiter(os.cpu_count() or 1)
    try:
        with reserved_ports(count, first_port) as ports:
            await anyio.to_thread.run_sync(_copy_given, application, root / "pristine")
            for number, port in enumerate(ports):
                view = WebappInstance(number, f"http://{LOOPBACK}:{port}", root / str(number))
                instances.append(Instance(application, view, root / "pristine", starts))
            if seed is not None:
                await _seeded(instances[0], seed, root / "pristine")
            async with background() as tasks:
                with ungrouped():
                    async with anyio.create_task_group() as starting:
                        for instance in instances:
                            starting.start_soon(instance.restore)
                yield InstancePool(instances, tasks, wait_seconds)
    finally:
        with anyio.CancelScope(shield=True):
            async with anyio.create_task_group() as stopping:
                for instance in instances:
                    stopping.start_soon(instance.stop)
            await anyio.to_thread.run_sync(lambda: shutil.rmtree(root, ignore_errors=True))


def _copy_given(application: Application, pristine: Path) -> None:
    if not application.folder:
        pristine.mkdir()
        return
    given = Path(application.home, application.folder)
    try:
        shutil.copytree(given, pristine, symlinks=True)
    except OSError as error:
        raise ConfigError(f"folder = {application.folder!r} of {application.name} cannot be copied: {error}") from error


async def _seeded(instance: Instance, seed: Hook, pristine: Path) -> None:
    """Let the user's function fill an instance, and have all start from its files."""
    await instance.restore()
    await seed.prepared(instance.view)
    await instance.stop()
    await anyio.to_thread.run_sync(_replace, pristine, instance.view.folder)


def _replace(pristine: Path, folder: Path) -> None:
    shutil.rmtree(pristine)
    folder.rename(pristine)
