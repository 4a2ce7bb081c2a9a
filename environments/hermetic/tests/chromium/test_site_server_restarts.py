"""The site server is killed, while it serves and while it starts: callers wait for it, and it comes back."""

from __future__ import annotations

import os
import socket

import anyio
import psutil
import pytest

from webgym.errors import ConfigError, SiteUnknown, TransportError
from webgym_hermetic.__main__ import SitesPlan
from webgym_hermetic.control.client import connect_sites
from webgym_hermetic.ground import run_sites

pytestmark = pytest.mark.anyio
TOKEN = "a-token-for-tests"
PLAN = SitesPlan(TOKEN, per_family=1, families=("shop",))
SITE = "blueberrystore"


async def site_server(but: int = 0) -> psutil.Process:
    """Wait for the site server that this process has started, other than the one with that pid."""
    with anyio.fail_after(60):
        while True:
            for child in psutil.Process(os.getpid()).children():
                try:
                    if "webgym_hermetic" in child.cmdline() and child.pid != but:
                        return child
                except psutil.NoSuchProcess:
                    continue
            await anyio.sleep(0.01)
    raise AssertionError


async def test_calls_wait_while_the_site_server_is_restarted():
    async with run_sites(PLAN) as server, connect_sites(server.control_url, TOKEN) as control:
        lost = await control.begin(SITE)
        (first := await site_server()).kill()
        key = await control.begin(SITE)
        assert (await site_server()).pid != first.pid
        assert (await control.read(key, SITE)).site == SITE
        with pytest.raises(SiteUnknown):
            await control.read(lost, SITE)


async def test_calls_wait_for_a_server_that_is_killed_again_while_it_starts_again():
    async with run_sites(PLAN) as server, connect_sites(server.control_url, TOKEN) as control:
        async with anyio.create_task_group() as tasks:
            (first := await site_server()).kill()
            keys: list[str] = []

            async def begin() -> None:
                keys.append(await control.begin(SITE))

            tasks.start_soon(begin)
            (await site_server(but=first.pid)).kill()
        assert (await control.read(keys[0], SITE)).site == SITE


async def test_a_site_server_that_is_killed_while_it_first_starts_is_started_again():
    async with anyio.create_task_group() as tasks:

        async def kill() -> None:
            (await site_server()).kill()

        tasks.start_soon(kill)
        async with run_sites(PLAN) as server, connect_sites(server.control_url, TOKEN) as control:
            assert (await control.status()).sites == 1


async def test_a_site_server_that_ends_by_itself_is_an_error_and_not_started_again():
    with pytest.raises(ConfigError, match="did not start"):
        async with run_sites(SitesPlan(TOKEN, families=("no-such-family",))):
            pass


async def test_an_outage_is_waited_for_only_so_long():
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{free.getsockname()[1]}"
        async with connect_sites(url, TOKEN, outage_seconds=0.5) as control:
            began = anyio.current_time()
            with pytest.raises(TransportError, match="no reply"):
                await control.begin(SITE)
            assert 0.5 <= anyio.current_time() - began < 10
            began = anyio.current_time()
            with pytest.raises(TransportError, match="no reply"):
                await control.status()
            assert anyio.current_time() - began < 0.5, "whether there is one at this address is told at once"
