"""A fleet beside connections that never show a token, with few descriptors: who has one goes on."""

from __future__ import annotations

import re
import resource
import socket
import subprocess
import sys
from collections.abc import Generator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import anyio
import anyio.to_thread
import pytest
from tests.child_environment import child_environment
from tests.fleets import FAKE

from webgym.browser.client import connect
from webgym.browser.tokens import load_tokens
from webgym.records.action import Click, Point

pytestmark = pytest.mark.anyio
DESCRIPTORS = 1024
HEADS = 1300


@contextmanager
def fleet(folder: Path) -> Generator[tuple[str, str]]:
    """A fleet whose processes may have so many descriptors, and its token."""
    home = folder / "home"
    webgym = [sys.executable, "-m", "webgym", "serve", "--browser", FAKE, "--port", "0", "--sessions", "2"]
    with subprocess.Popen(
        ["/bin/sh", "-c", f'ulimit -n {DESCRIPTORS}; exec "$@"', "sh", *webgym],
        stdout=subprocess.PIPE,
        text=True,
        env=child_environment(WEBGYM_HOME=str(home), TMPDIR=str(folder)),
    ) as process:
        try:
            assert process.stdout is not None
            found = re.search(r"http://\S+", process.stdout.readline())
            assert found
            yield found[0], load_tokens(home).client
        finally:
            process.terminate()
            process.wait(30)


def unfinished_heads(url: str, stack: ExitStack) -> list[socket.socket]:
    host, _, port = url.removeprefix("http://").partition(":")
    made: list[socket.socket] = []
    for _ in range(HEADS):
        one = stack.enter_context(socket.create_connection((host, int(port)), timeout=20))
        one.sendall(b"GET /v1/status HTTP/1.1\r\nX: ")
        made.append(one)
    return made


def is_closed(one: socket.socket) -> bool:
    one.setblocking(False)
    try:
        return one.recv(1) == b""
    except BlockingIOError:
        return False
    except OSError:
        return True


async def test_who_has_a_token_goes_on_beside_more_unfinished_requests_than_there_are_descriptors(tmp_path: Path):
    resource.setrlimit(resource.RLIMIT_NOFILE, (resource.getrlimit(resource.RLIMIT_NOFILE)[1],) * 2)
    with fleet(tmp_path) as (url, token), ExitStack() as stack:
        async with connect(url, token=token) as before, before.open() as session:
            held = await anyio.to_thread.run_sync(unfinished_heads, url, stack)
            with anyio.fail_after(30):
                for _ in range(3):
                    await session.step(Click(Point(5, 5)))
                async with connect(url, token=token) as new, new.open() as another:
                    assert (await another.observe()).observation.title == "0"
                    assert (await new.status()).sessions == 2
            assert sum(map(is_closed, held)) >= HEADS - DESCRIPTORS // 8
            await anyio.sleep(4.5)  # longer than a node may be silent
            assert (await session.observe()).observation.title == "3"
