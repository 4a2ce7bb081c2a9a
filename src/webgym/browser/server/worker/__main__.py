"""`python -m webgym.browser.server.worker FD`: started by a node, which sends its configuration over the channel."""

from __future__ import annotations

import asyncio
import contextlib
import importlib
import inspect
import logging
import signal
import socket
import sys
from collections.abc import AsyncGenerator
from typing import Any, Protocol, cast, runtime_checkable

import anyio
import msgspec

from webgym.browser.config import ChromiumConfig
from webgym.browser.server.channel import Channel, Frame, FrameHeader, WorkerChannelClosedError
from webgym.browser.server.worker.serve import ChannelEvents, Worker
from webgym.errors import ConfigError, WebGymError
from webgym.serving.parent_death import die_with_parent
from webgym.stages import Browser
from webgym.telemetry import log

logger = logging.getLogger(__name__)


class Orders(msgspec.Struct, frozen=True):
    """Configuration of the worker, sent by the node in the channel's first frame."""

    worker: int
    browser: str
    chromium: str
    """A ChromiumConfig as JSON."""
    active_steps: int
    log_style: log.LogStyle = "plain"


@runtime_checkable
class Breakable(Protocol):
    """A browser that can fail beyond recovery, so that the worker process must be replaced."""

    async def wait_broken(self) -> str:
        """Wait until the browser is broken, and return why."""
        ...


@contextlib.asynccontextmanager
async def _browser_of(orders: Orders, events: ChannelEvents) -> AsyncGenerator[Browser]:
    module, _, name = orders.browser.partition(":")
    try:
        factory: Any = getattr(importlib.import_module(module), name)
    except (ImportError, AttributeError) as error:
        why = f"{error}; --browser must be MODULE:CLASS, and importable"
        raise ConfigError(f"cannot import the browser {orders.browser!r}: {why}") from error
    accepted = inspect.signature(factory).parameters
    given: dict[str, Any] = {"config": ChromiumConfig.model_validate_json(orders.chromium), "events": events}
    given["worker"] = orders.worker
    browser = factory(**{key: value for key, value in given.items() if key in accepted})
    if hasattr(browser, "__aenter__"):
        async with cast("contextlib.AbstractAsyncContextManager[Browser]", browser) as entered:
            yield entered
    else:
        yield browser


async def _exit_when_broken(browser: Breakable, scope: anyio.CancelScope) -> None:
    logger.error("the browser is broken: %s; this worker ends", await browser.wait_broken())
    scope.cancel()


def _ignore(_loop: asyncio.AbstractEventLoop, _context: dict[str, Any]) -> None:
    """Handle an exception of the event loop by saying nothing."""


async def _serve(sock: socket.socket) -> None:
    channel = await Channel.over(sock)
    try:
        orders = msgspec.msgpack.decode((await channel.receive()).payload, type=Orders)
    except WorkerChannelClosedError:
        return
    log.configure(orders.log_style)
    log.context.set({"worker": str(orders.worker)})
    loop = asyncio.get_running_loop()
    # A browser that does not start leaves failures in the event loop, with tracebacks that say what its error says.
    loop.set_exception_handler(_ignore)
    try:
        async with _browser_of(orders, ChannelEvents(channel)) as browser, anyio.create_task_group() as tasks:
            loop.set_exception_handler(None)
            if isinstance(browser, Breakable):
                tasks.start_soon(_exit_when_broken, browser, tasks.cancel_scope)
            await Worker(browser, channel, active_steps=orders.active_steps).run()
            tasks.cancel_scope.cancel()
    except WebGymError as error:  # reported to the node, which knows whether a retry could help
        verb = "misconfigured" if isinstance(error, ConfigError) else "failed"
        channel.send(Frame(FrameHeader(0, verb), str(error).encode()))
        await channel.finish()


def main() -> None:
    """Serve the node at the other end of the inherited socket."""
    die_with_parent()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the node decides when the worker stops
    anyio.run(_serve, socket.socket(fileno=int(sys.argv[1])), backend_options={"use_uvloop": True})


if __name__ == "__main__":
    main()
