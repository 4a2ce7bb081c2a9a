"""What a node does with the gateway's answer to its announcement."""

from __future__ import annotations

from types import SimpleNamespace

import anyio
import pytest
from aiohttp import web
from aiohttp.test_utils import TestServer

from webgym.browser import wire
from webgym.browser.config import NodeConfig
from webgym.browser.server.node.announce import Announcer
from webgym.browser.server.node.app import NodeTokens
from webgym.concurrency import background
from webgym.serving.bearer import digest

pytestmark = pytest.mark.anyio


async def test_a_node_that_was_given_up_gives_up_its_leases_and_takes_the_clients_token():
    epochs: list[str] = []

    async def hear(request: web.Request) -> web.Response:
        said = wire.decode(wire.Announcement, await request.read())
        epochs.append(said.epoch)
        answer = wire.AnnounceReply(fenced=said.epoch == "1", client_token_digest=digest("client"))
        return web.Response(body=wire.encode(answer), content_type=wire.MSGPACK)

    app = web.Application()
    app.router.add_post("/v1/nodes", hear)
    async with TestServer(app) as server:
        node = SimpleNamespace(
            config=NodeConfig(gateway=f"http://127.0.0.1:{server.port}", announce_seconds=0.05),
            changed=anyio.Event(),
            unheard="",
            epoch="1",
        )
        node.announcement = lambda *, leaving: wire.Announcement("n", node.epoch, "", 1, 1, leaving=leaving)
        node.fence_off = lambda _why: setattr(node, "epoch", "2")
        tokens = NodeTokens("join")
        async with background() as tasks:
            tasks.start_soon(Announcer(node, tokens, "join").run)
            with anyio.fail_after(10):
                while "2" not in epochs:
                    await anyio.sleep(0.01)
    assert epochs[0] == "1"
    assert epochs.count("1") == 1, "once told, it comes back as somebody new"
    assert tokens.allow("Bearer client", "/v1/renew")
