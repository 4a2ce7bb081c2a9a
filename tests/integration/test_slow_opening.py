"""Sessions that take long to open, on real processes: given up meanwhile, or longer than their lease lasts."""

from __future__ import annotations

import anyio
import pytest
from tests.fleets import fleet_of
from tests.integration.pages_server import Pages
from tests.slow_browser import SLOW, slow

from webgym.browser.client import BrowserClient, connect
from webgym.browser.config import ChromiumConfig, EgressConfig
from webgym.records.action import Click, Point
from webgym.records.session import SessionSpec

pytestmark = pytest.mark.anyio
CHROMIUM = "webgym.browser.server.chromium.browser:ChromiumBrowser"


async def until_free(client: BrowserClient, sessions: int) -> None:
    while sum(node.free for node in (await client.status()).nodes) != sessions:
        await anyio.sleep(0.05)


async def test_the_place_of_a_session_that_was_given_up_while_it_opened_is_free_at_once():
    async with fleet_of(browser=SLOW, max_sessions=1, sessions_per_worker=1) as (_, client):
        with anyio.move_on_after(1.0):
            async with client.open(slow(opening_seconds=30.0)):
                pytest.fail("it opened")
        with anyio.fail_after(5):  # less than it may take to close a session that does not answer
            await until_free(client, 1)
            async with client.open() as session:
                assert (await session.step(Click(Point(1, 1)))).observation.title == "1"


@pytest.mark.chromium
async def test_chromium_stops_opening_a_session_that_was_given_up(pages: Pages):
    url = pages.put("/", "late", after=30.0)
    chromium = ChromiumConfig(egress=EgressConfig(allow=pages.allowed))
    async with fleet_of(browser=CHROMIUM, chromium=chromium, max_sessions=1, sessions_per_worker=1) as (_, client):
        async with client.open():
            pass  # Chromium has started
        with anyio.move_on_after(3.0):
            async with client.open(SessionSpec(start_url=url)):
                pytest.fail("it opened")
        assert any(request.path == "/" for request in pages.requests)
        with anyio.fail_after(5):
            await until_free(client, 1)
            async with client.open() as session:
                await session.observe()


async def test_a_lease_does_not_run_out_while_its_session_opens():
    async with (
        fleet_of(browser=SLOW) as (fleet, _),
        connect(fleet.url, token=fleet.token, ttl_seconds=0.5) as client,
        client.open(slow(opening_seconds=2.0)) as session,
    ):
        assert (await session.step(Click(Point(1, 1)))).observation.title == "1"
