"""Name resolution, cached for a minute and shared by concurrent lookups of the same name."""

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
"""Returns the addresses of a name, preferred first; raises OSError if it has none."""

_LOOPBACK: tuple[Address, ...] = (IPv4Address("127.0.0.1"), IPv6Address("::1"))
_KEEP_SECONDS = 60.0
_KEEP_FAILURE_SECONDS = 1.0
_KEEP_NAMES = 1024
_LOOKUPS_AT_ONCE = 8


def system_resolver() -> Resolver:
    """Return the system resolver, run in its own limited set of threads so that slow lookups delay nothing else."""
    limiter = anyio.CapacityLimiter(_LOOKUPS_AT_ONCE)

    async def resolve(host: str) -> Sequence[Address]:
        found = await anyio.to_thread.run_sync(_getaddrinfo, host, abandon_on_cancel=True, limiter=limiter)
        return list(dict.fromkeys(ipaddress.ip_address(address) for address in found))

    return resolve


def _getaddrinfo(host: str) -> list[str]:
    # As bytes: the name is already ASCII, and Python's IDNA codec would reject some names that resolve.
    found = socket.getaddrinfo(host.encode("ascii"), None, type=socket.SOCK_STREAM)
    return [str(address[0]) for *_, address in found]


@dataclass(frozen=True, slots=True)
class _CachedAddresses:
    addresses: tuple[Address, ...]
    until: float


class CachingResolver:
    """DNS cache of one session. Entries are kept for a minute, as in browsers."""

    def __init__(self, resolver: Resolver, *, seconds: float) -> None:
        self._resolver = resolver
        self._seconds = seconds
        self._known: dict[str, _CachedAddresses] = {}
        self._asking: dict[str, anyio.Event] = {}

    async def lookup(self, destination: Destination) -> tuple[Address, ...]:
        """Return the addresses of a host; empty if it does not resolve."""
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
        self._known[host] = _CachedAddresses(addresses, time.monotonic() + keep)
        if len(self._known) > _KEEP_NAMES:
            del self._known[next(iter(self._known))]
