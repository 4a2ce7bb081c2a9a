"""An instance of the application: a port and files of its own."""

from __future__ import annotations

import logging
import shutil
from contextlib import AsyncExitStack
from pathlib import Path

import anyio
import anyio.to_thread
from webgym.errors import ConfigError, TransportError

from webgym_webapp.application import Application
from webgym_webapp.instance_view import WebappInstance
from webgym_webapp.ports import LOOPBACK
from webgym_webapp.process import AppProcess, app_process, listens

logger = logging.getLogger(__name__)


class Instance:
    """Runs an application on one port, again and again."""

    def __init__(
        self, application: Application, view: WebappInstance, pristine: Path, starts: anyio.CapacityLimiter
    ) -> None:
        self.view = view
        self.pristine = pristine
        """What its files are copied from."""
        self._application = application
        self._starts = starts
        """Applications are busiest as they start: not all at once."""
        self._running: tuple[AppProcess, AsyncExitStack] | None = None
        self.fresh = False
        """Whether nothing has happened to it since it was started or reset."""

    @property
    def destination(self) -> str:
        return self.view.base.removeprefix("http://")

    @property
    def port(self) -> int:
        return int(self.destination.removeprefix(f"{LOOPBACK}:"))

    @property
    def name(self) -> str:
        return f"instance {self.view.number} of {self._application.name}"

    async def restore(self) -> None:
        """Return to the files and the state that every instance starts from, started or restarted as needed.

        Raises:
            ConfigError: It does not start; quotes its log.
        """
        self.fresh = False
        how = self._application.reset.how
        if await self.lives() and how == "http" and await self._reset_by_request():
            self.fresh = True
            return
        await self.stop()
        if how != "restart" or not self.view.folder.exists():
            await anyio.to_thread.run_sync(self._copy_back)
        await self.start()
        self.fresh = True

    async def start(self) -> None:
        """Start it on the files that it has, and wait until it is ready.

        Raises:
            ConfigError: It does not start.
        """
        folder = self.view.folder
        async with self._starts, AsyncExitStack() as stack:
            log = folder.with_name(f"{folder.name}.log")
            process = await stack.enter_async_context(app_process(self._application, self.port, folder, log))
            try:
                await process.until_ready(self.port, self._application.ready)
            except ConfigError as error:
                raise ConfigError(f"{self.name} does not start: {error}") from error
            self._running = process, stack.pop_all()

    async def stop(self) -> None:
        """End all its processes, if there are any."""
        if self._running is not None:
            running, self._running = self._running, None
            with anyio.CancelScope(shield=True):
                await running[1].aclose()

    async def lives(self) -> bool:
        return self._running is not None and not self._running[0].ended and await listens(self.port)

    async def check_lives(self) -> None:
        """Check that the application is still there.

        Raises:
            TransportError: It has ended, or no longer listens.
        """
        if await self.lives():
            return
        told = await self._running[0].told_end() if self._running else "it was stopped"
        raise TransportError(f"{self.name} died during the attempt: {told}")

    async def _reset_by_request(self) -> bool:
        try:
            await anyio.to_thread.run_sync(self._request_reset, abandon_on_cancel=True)
        except OSError as error:
            logger.warning("%s does not reset by request, so that its files are copied back: %s", self.name, error)
            return False
        return await self.lives()

    def _request_reset(self) -> None:
        reset = self._application.reset
        self.view.text(reset.path, method=reset.method, body=reset.body.encode() or None, headers=reset.headers)

    def _copy_back(self) -> None:
        folder = self.view.folder
        for old in (folder, folder.with_name(f"{folder.name}-home")):
            shutil.rmtree(old, ignore_errors=True)
        shutil.copytree(self.pristine, folder, symlinks=True)
