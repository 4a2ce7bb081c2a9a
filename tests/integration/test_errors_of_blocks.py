"""What goes wrong in a block around a fleet comes out by its own name."""

from __future__ import annotations

import socket

import anyio
import pytest
from tests.fleets import FAKE, TOKENS, fleet_of

from webgym.browser.config import GatewayConfig, NodeConfig
from webgym.browser.server.supervise import run_fleet
from webgym.errors import ConfigError, LossReason, SessionLost
from webgym.records.action import Click, Point
from webgym.records.session import SessionSpec

pytestmark = pytest.mark.anyio


async def test_a_session_that_is_lost_can_be_caught_around_the_readmes_example():
    with pytest.raises(SessionLost, match="its browser died") as caught:  # noqa: PT012 - the block is what is tested
        async with fleet_of() as (_, browser), browser.open(SessionSpec(start_url="https://example.com")) as session:
            session.lose(SessionLost("its browser died", reason=LossReason.BROWSER_DIED))
            await session.step(Click(Point(200, 200)))
    assert caught.value.reason == LossReason.BROWSER_DIED


async def test_a_node_that_cannot_run_ends_the_block_and_says_so():
    with socket.create_server(("127.0.0.1", 0)) as taken:
        node = NodeConfig(browser=FAKE, port=taken.getsockname()[1])
        with pytest.raises(ConfigError, match="the node cannot run: "):
            async with run_fleet(GatewayConfig(port=0), [node], tokens=TOKENS):
                await anyio.sleep_forever()
