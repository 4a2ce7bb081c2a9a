"""A node's heartbeat to the gateway: sent periodically, and at once when something changes."""

from __future__ import annotations

import contextlib
import logging

import aiohttp
import anyio

from webgym.browser import wire
from webgym.browser.server import http
from webgym.browser.server.node.app import NodeTokens
from webgym.browser.server.node.node import Node
from webgym.errors import RequestError, WebGymError

logger = logging.getLogger(__name__)

_TIMEOUT = aiohttp.ClientTimeout(total=2.0)
"""An announcement may hang on a dead connection. Together with the pauses before and after, this stays below the time
after which the gateway drops a silent node."""
_WORTH_TELLING = 5
"""Consecutive failures before a warning is logged: a gateway that restarts misses an announcement or two."""
_CHECK = "check its address, the join token, and that it is running"
_PAUSE_SECONDS = 0.05
"""Changes within this time are coalesced into one announcement."""


class Announcer:
    """Announces a node to the gateway, and retries for as long as the gateway is unreachable."""

    def __init__(self, node: Node, tokens: NodeTokens, join_token: str) -> None:
        self._node = node
        self._tokens = tokens
        self._headers = wire.headers(join_token)
        self._failures = 0

    async def run(self) -> None:
        """Announce until cancelled, then sign off."""
        config = self._node.config
        ssl = http.ssl_context(config.tls.authority)
        async with aiohttp.ClientSession(timeout=_TIMEOUT, connector=aiohttp.TCPConnector(ssl=ssl)) as client:
            try:
                while True:
                    self._node.changed = anyio.Event()
                    await self._announce(client)
                    with anyio.move_on_after(config.announce_seconds / (2 if self._failures else 1)):
                        await self._node.changed.wait()
                        await anyio.sleep(_PAUSE_SECONDS)
            finally:
                with anyio.move_on_after(1.0, shield=True):
                    await self._announce(client, leaving=True)

    async def _announce(self, client: aiohttp.ClientSession, *, leaving: bool = False) -> None:
        body = wire.encode(self._node.announcement(leaving=leaving))
        try:
            url = f"{self._node.config.gateway}/v1/nodes"
            async with client.post(url, data=body, headers=self._headers) as response:
                content = await response.read()
                self._heed(response.status, content)
        except WebGymError as error:
            self._note(reached=False, why=str(error))
        except (aiohttp.ClientError, TimeoutError, OSError) as error:
            self._note(reached=False, why=f"{type(error).__name__}: {error}")

    def _heed(self, status: int, content: bytes) -> None:
        answer = _reply(status, content)
        self._note(reached=True)
        self._tokens.client_digest = answer.client_token_digest
        if answer.fenced:
            self._node.fence_off("the gateway had lost its node")

    def _note(self, *, reached: bool, why: str = "") -> None:
        gateway = self._node.config.gateway
        self._node.unheard = "" if reached else f"cannot join the gateway {gateway} ({why}): {_CHECK}"
        if reached and self._failures >= _WORTH_TELLING:
            logger.info("the gateway %s answers again", gateway)
        self._failures = 0 if reached else self._failures + 1
        if self._failures == _WORTH_TELLING:
            logger.warning("cannot announce this node to the gateway %s, retrying: %s", gateway, why)


def _reply(status: int, content: bytes) -> wire.AnnounceReply:
    if status == 200:
        with contextlib.suppress(RequestError):
            return wire.decode(wire.AnnounceReply, content)
    raise wire.refusal("it", status, content)
