"""The forward proxy of a browser session.

Each session has its own listener on the loopback interface, so that the port identifies the session. (Proxy credentials
would too, but the browser accepts them only through request interception, which disables its cache.) The proxy resolves
each name, checks the egress policy, connects to the very address it checked (which defeats DNS rebinding), counts
bytes, and sends the session's state key to hermetic hosts.
"""

from __future__ import annotations

import asyncio
import ipaddress
import socket
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

import anyio
import psutil

from webgym.browser.config import EgressConfig
from webgym.browser.server.proxy.addresses import Address
from webgym.browser.server.proxy.client import BrowserConnection
from webgym.browser.server.proxy.dial import Dialer, parse_upstream
from webgym.browser.server.proxy.heads import STATE_HEADER
from webgym.browser.server.proxy.hosts import destination_of
from webgym.browser.server.proxy.limits import ProxyLimits
from webgym.browser.server.proxy.policy import parse_policy
from webgym.browser.server.proxy.replies import FailureKind, ProxyFailure
from webgym.browser.server.proxy.resolver import CachingResolver, Resolver, system_resolver
from webgym.browser.server.proxy.traffic_log import TrafficLog
from webgym.concurrency import background
from webgym.records.session import UpstreamProxy

__all__ = ["STATE_HEADER", "ForwardProxy", "ProxyLimits", "Resolver", "open_proxy"]

_HOST = "127.0.0.1"
_DEFAULT_LIMITS = ProxyLimits()


class ForwardProxy:
    """A running proxy: its port and its traffic statistics."""

    def __init__(self, port: int, traffic: TrafficLog) -> None:
        self.port = port
        self._traffic = traffic

    @property
    def requests(self) -> int:
        return self._traffic.requests

    @property
    def refused(self) -> int:
        """Number of requests refused by the egress policy."""
        return self._traffic.refused

    @property
    def bytes_in(self) -> int:
        """Bytes received from servers."""
        return self._traffic.bytes_in

    @property
    def bytes_out(self) -> int:
        """Bytes sent to servers."""
        return self._traffic.bytes_out

    @property
    def connections(self) -> int:
        """Number of open connections, to the browser and to servers."""
        return len(self._traffic.connections)

    def failure_of(self, url: str) -> ProxyFailure | None:
        """Return why the latest request to this URL's host and port failed; None if it did not, or too long ago."""
        destination = destination_of(url)
        return None if destination is None else self._traffic.failure_of(destination)

    def refusal_of(self, url: str) -> str | None:
        """Return why the policy refused the latest request to this URL's host and port; None if it did not."""
        match self.failure_of(url):
            case ProxyFailure(FailureKind.REFUSED, reason):
                return reason
            case _:
                return None


@asynccontextmanager
async def open_proxy(
    egress: EgressConfig,
    *,
    state_key: str = "",
    upstream: UpstreamProxy | None = None,
    resolver: Resolver | None = None,
    limits: ProxyLimits = _DEFAULT_LIMITS,
) -> AsyncGenerator[ForwardProxy]:
    """Run a proxy for the duration of the block, then close all its connections. Enter and exit it in the same task.

    Args:
        egress: The egress policy.
        state_key: Sent to hermetic hosts as `STATE_HEADER`.
        upstream: The user's own proxy, through which public addresses are reached.
        resolver: Resolves names; defaults to the system resolver.
        limits: Resource limits of the proxy.

    Raises:
        ConfigError: The policy, the state key or the upstream proxy is invalid.
    """
    traffic = TrafficLog()
    listener = socket.create_server((_HOST, 0), backlog=limits.connections)
    try:
        port: int = listener.getsockname()[1]
        policy = parse_policy(egress, interfaces=_interfaces(), deny_ports=[port])
        caching = CachingResolver(resolver or system_resolver(), seconds=limits.resolve_seconds)
        proxy = None if upstream is None else parse_upstream(upstream)
        dialer = Dialer(policy, caching, traffic, limits, state_key=state_key, upstream=proxy)
        async with _serving(listener, dialer, traffic, limits):
            yield ForwardProxy(port, traffic)
    finally:
        listener.close()


@asynccontextmanager
async def _serving(
    listener: socket.socket, dialer: Dialer, traffic: TrafficLog, limits: ProxyLimits
) -> AsyncGenerator[None]:
    loop = asyncio.get_running_loop()
    try:
        async with background() as tasks:
            server = await loop.create_server(lambda: BrowserConnection(dialer, traffic, limits, tasks), sock=listener)
            tasks.start_soon(_sweep, traffic, limits)
            try:
                yield
            finally:
                server.close()
    finally:
        with anyio.CancelScope(shield=True):
            await traffic.close_all()


async def _sweep(traffic: TrafficLog, limits: ProxyLimits) -> None:
    loop = asyncio.get_running_loop()
    while True:
        await anyio.sleep(limits.sweep_seconds)
        now = loop.time()
        for connection in tuple(traffic.connections):
            connection.sweep(now)


def _interfaces() -> list[Address]:
    families = (socket.AF_INET, socket.AF_INET6)
    return [
        ipaddress.ip_address(address.address)
        for addresses in psutil.net_if_addrs().values()
        for address in addresses
        if address.family in families
    ]
