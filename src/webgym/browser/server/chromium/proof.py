"""`python -m webgym.browser.server.chromium.proof CONFIG`: proves that this machine can run sessions, by running one.

Opens a page through the session's proxy, clicks on it, and looks at what that changed. Ends with 1 and the reason on
standard error if that does not work. A process of its own, so that whatever hangs can be killed.
"""

from __future__ import annotations

import logging
import sys
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

import anyio
from anyio.abc import SocketAttribute, SocketStream

from webgym.browser.config import ChromiumConfig, EgressConfig
from webgym.browser.server.chromium.browser import ChromiumBrowser
from webgym.concurrency import leaves
from webgym.errors import BrowserFault, WebGymError
from webgym.records.action import Click, Point
from webgym.records.session import Look, SessionSpec

_CLICKED = "clicked"
_PAGE = f"""<!doctype html><title>waiting</title><body style="height: 100vh" onclick="document.title = '{_CLICKED}'">"""
_REPLY = f"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nConnection: close\r\n\r\n{_PAGE}"


async def prove(config: ChromiumConfig) -> None:
    """Run one session with one step.

    Raises:
        WebGymError: It does not work; the message says why.
    """
    async with _page() as address:
        config = config.model_copy(update={"egress": EgressConfig(allow=(address,))})
        spec = SessionSpec(start_url=f"http://{address}/")
        async with ChromiumBrowser(config) as browser, browser.open(spec) as session:
            capture = await session.step(Click(Point(100, 100)), Look())
    observation = capture.observation
    if observation.title != _CLICKED or observation.screenshot is None:
        raise BrowserFault(f"a click on a page had no effect: {observation.title!r} at {observation.url}")


@asynccontextmanager
async def _page() -> AsyncGenerator[str]:
    """Serve the page; yield its `host:port`."""
    listener = await anyio.create_tcp_listener(local_host="127.0.0.1", local_port=0)
    async with listener, anyio.create_task_group() as tasks:
        tasks.start_soon(listener.serve, _answer)
        yield f"127.0.0.1:{listener.extra(SocketAttribute.local_port)}"  # noqa: S610 - not Django's
        tasks.cancel_scope.cancel()


async def _answer(stream: SocketStream) -> None:
    async with stream:
        await stream.receive()
        await stream.send(_REPLY.encode())


def main() -> None:
    """Prove the machine for the configuration given as JSON in `sys.argv[1]`."""
    reasons: list[str] = []
    logging.disable()  # what the browser does without, `webgym doctor` tells by itself; what fails is told at the end
    try:
        anyio.run(prove, ChromiumConfig.model_validate_json(sys.argv[1]), backend_options={"use_uvloop": True})
    except* Exception as errors:  # noqa: BLE001 - a machine that fails in a way of its own is no better
        reasons = [
            (str(error) if isinstance(error, WebGymError) else f"{type(error).__name__}: {error}")
            for error in leaves(errors)
        ]
    if reasons:
        sys.exit(reasons[0])


if __name__ == "__main__":
    main()
