"""Requests from the gateway to nodes: opening sessions, and relaying for clients that cannot reach the nodes."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Iterable
from contextlib import asynccontextmanager

import aiohttp
import anyio
from fastapi import Request, Response
from multidict import CIMultiDictProxy

from webgym.browser import wire
from webgym.browser.server import http
from webgym.browser.server.gateway.registry import KnownNode, Registry
from webgym.errors import TransportError, WebGymError

_CONNECT_SECONDS = 3.0
_PASSED_ON = ("content-type", "accept", wire.FENCE.lower(), wire.DEADLINE.lower())
_PASSED_BACK = ("content-type", "retry-after", "x-content-type-options", "content-security-policy")


class NodeClient:
    """Sends requests to nodes, authenticated with the join token."""

    def __init__(self, client: aiohttp.ClientSession, registry: Registry, join_token: str) -> None:
        self._client = client
        self._registry = registry
        self._join_token = join_token

    async def open(self, node: KnownNode, order: wire.NodeOpenRequest) -> wire.Lease:
        """Open a session on a node; raise the node's error if it refuses."""
        return wire.decode(wire.Lease, await self._ask(node, "/v1/sessions", wire.encode(order)))

    async def renew(self, holdings: Iterable[wire.LeaseKey]) -> dict[str, wire.ErrorBody]:
        """Renew leases on the nodes that hold them, and return the sessions for which that failed.

        Nodes are called concurrently, so that an unresponsive one does not block renewals on the others.
        """
        failed: dict[str, wire.ErrorBody] = {}
        by_node: dict[str, tuple[KnownNode, list[wire.LeaseKey]]] = {}
        for holding in holdings:
            try:
                node = self._registry.node_of(holding.session)
                by_node.setdefault(node.said.node, (node, []))[1].append(holding)
            except WebGymError as error:
                failed[holding.session] = wire.error_body(error)

        async def renew_at(node: KnownNode, held: list[wire.LeaseKey]) -> None:
            try:
                answer = await self._ask(node, "/v1/renew", wire.encode(wire.RenewRequest(tuple(held))))
                failed.update(wire.decode(wire.RenewReply, answer).lost)
            except WebGymError as error:
                failed.update((lease.session, wire.error_body(error)) for lease in held)

        async with anyio.create_task_group() as tasks:
            for node, held in by_node.values():
                tasks.start_soon(renew_at, node, held)
        return failed

    async def abandon(self, node: KnownNode, session: str) -> None:
        """Try to close a session whose opening was cancelled; failing that, its lease expires."""
        # The fence that every lease begins with: nobody can have taken over a session that no client knows.
        headers = wire.headers(self._join_token, **{wire.FENCE: "1"})
        with anyio.move_on_after(_CONNECT_SECONDS, shield=True):
            try:
                async with self._client.delete(f"{node.said.url}/v1/sessions/{session}", headers=headers):
                    pass
            except (aiohttp.ClientError, OSError):
                pass

    async def relay(self, request: Request, session: str, body: bytes) -> Response:
        """Relay a request and its response without decoding them."""
        node = await self._registry.find(session)
        headers = {name: value for name, value in request.headers.items() if name in _PASSED_ON}
        headers[wire.AUTHORIZATION] = f"Bearer {self._join_token}"
        url = f"{node.said.url}{request.url.path}"
        try:
            status, answered, content = await self._send(node, request.method, url, body, headers)
        except TransportError:
            self._registry.node_of(session)  # raises the reason if the session was lost
            raise
        back = {name: answered[name] for name in _PASSED_BACK if name in answered}
        return Response(content, status, headers=back)

    async def _ask(self, node: KnownNode, path: str, body: bytes) -> bytes:
        headers = wire.headers(self._join_token)
        status, _, content = await self._send(node, "POST", node.said.url + path, body, headers)
        if status != 200:
            raise wire.refusal(f"node {node.said.node}", status, content)
        return content

    async def _send(
        self, node: KnownNode, method: str, url: str, body: bytes, headers: dict[str, str]
    ) -> tuple[int, CIMultiDictProxy[str], bytes]:
        """Send a request, but give up once the node is dropped: a frozen node keeps connections open but is silent."""

        async def exchange() -> tuple[int, CIMultiDictProxy[str], bytes]:
            async with self._client.request(method, url, data=body, headers=headers) as answer:
                return answer.status, answer.headers, await answer.read()

        try:
            return await http.unless(node.gone.wait, exchange)
        except http.StoppedError as error:
            raise TransportError(f"node {node.said.node} is gone") from error
        except (aiohttp.ClientError, TimeoutError, OSError) as error:
            raise TransportError(f"node {node.said.node}: {type(error).__name__}: {error}") from error


@asynccontextmanager
async def node_client(registry: Registry, join_token: str, authority: str) -> AsyncGenerator[NodeClient]:
    """Open a client with one connection pool for all nodes."""
    timeout = aiohttp.ClientTimeout(total=None, sock_connect=_CONNECT_SECONDS)
    connector = aiohttp.TCPConnector(limit=0, ssl=http.ssl_context(authority))
    async with aiohttp.ClientSession(timeout=timeout, connector=connector) as client:
        yield NodeClient(client, registry, join_token)
