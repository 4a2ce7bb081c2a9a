"""From a name to its addresses: once per name and minute, however many connections ask."""

from __future__ import annotations

import ipaddress
import socket
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv6Address

import anyio
import anyio.to_thread

from webgym.browser.server.proxy.addresses import Address
from webgym.browser.server.proxy.hosts import Destination

Resolver = Callable[[str], Awaitable[Sequence[Address]]]
"""The addresses of a name, best first. Raises OSError if it has none."""

_LOOPBACK: tuple[Address, ...] = (IPv4Address("127.0.0.1"), IPv6Address("::1"))
_KEEP_SECONDS = 60.0
_KEEP_FAILURE_SECONDS = 1.0
_KEEP_NAMES = 1024
_LOOKUPS_AT_ONCE = 8


def system_resolver() -> Resolver:
    """The machine's own resolver, in threads of its own so that slow names hold up nothing else."""
    limiter = anyio.CapacityLimiter(_LOOKUPS_AT_ONCE)

    async def resolve(host: str) -> Sequence[Address]:
        found = await anyio.to_thread.run_sync(_getaddrinfo, host, abandon_on_cancel=True, limiter=limiter)
        return list(dict.fromkeys(ipaddress.ip_address(address) for address in found))

    return resolve


def _getaddrinfo(host: str) -> list[str]:
    # As bytes: the name is ASCII already, and Python's own encoding would refuse some that resolve.
    found = socket.getaddrinfo(host.encode("ascii"), None, type=socket.SOCK_STREAM)
    return [str(address[0]) for *_, address in found]


@dataclass(frozen=True, slots=True)
class _Known:
    addresses: tuple[Address, ...]
    until: float


class CachingResolver:
    """The names of one session. Their addresses are kept for a minute, as browsers do."""

    def __init__(self, resolver: Resolver, *, seconds: float) -> None:
        self._resolver = resolver
        self._seconds = seconds
        self._known: dict[str, _Known] = {}
        self._asking: dict[str, anyio.Event] = {}

    async def lookup(self, destination: Destination) -> tuple[Address, ...]:
        """The addresses of this host; none if it does not resolve."""
        if (literal := destination.address) is not None:
            return (literal,)
        if destination.is_localhost:
            return _LOOPBACK
        host = destination.host
        while True:
            known = self._known.get(host)
            if known is not None and known.until > time.monotonic():
                return known.addresses
            if (asking := self._asking.get(host)) is None:
                return await self._ask(host)
            await asking.wait()

    async def _ask(self, host: str) -> tuple[Address, ...]:
        done = self._asking[host] = anyio.Event()
        addresses: tuple[Address, ...] = ()
        try:
            with anyio.move_on_after(self._seconds):
                addresses = tuple(await self._resolver(host))
        except OSError:
            pass
        finally:
            del self._asking[host]
            done.set()
        self._remember(host, addresses)
        return addresses

    def _remember(self, host: str, addresses: tuple[Address, ...]) -> None:
        keep = _KEEP_SECONDS if addresses else _KEEP_FAILURE_SECONDS
        self._known.pop(host, None)
        self._known[host] = _Known(addresses, time.monotonic() + keep)
        if len(self._known) > _KEEP_NAMES:
            del self._known[next(iter(self._known))]
