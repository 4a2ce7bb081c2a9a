"""Connecting to the first of several addresses that responds ("happy eyeballs"), and again if none does at once.

A server whose queue of new connections is full drops the request for one, which the kernel repeats after a second or
more. Small servers have short queues, and sessions whose pages ask for a dozen files fill them. So an attempt that is
not answered soon is joined by others, as a browser without a proxy does.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Sequence

import anyio

from webgym.browser.server.proxy.addresses import Address
from webgym.browser.server.proxy.upstream import UpstreamConnection

_STAGGER_SECONDS = 0.25
_MORE_ROUNDS_SECONDS = (0.25, 0.5, 1.0)
"""How long to wait before all addresses are tried again."""

Factory = Callable[[], UpstreamConnection]


async def connect_first(factory: Factory, addresses: Sequence[Address], port: int) -> UpstreamConnection:
    """Try each address shortly after the previous one, or once that has failed (RFC 8305); then those left again.

    Raises:
        OSError: No address accepts a connection.
    """
    winners: list[UpstreamConnection] = []
    errors: dict[Address, OSError] = {}

    async def attempt(address: Address, over: anyio.Event) -> None:
        try:
            winners.append(await _connect(factory, address, port))
        except OSError as error:
            errors[address] = error
            if len(errors) == len(addresses):
                racers.cancel_scope.cancel()
            over.set()
        else:
            racers.cancel_scope.cancel()

    async with anyio.create_task_group() as racers:
        for address, seconds in _attempts(addresses):
            if address in errors:
                continue
            over = anyio.Event()
            racers.start_soon(attempt, address, over)
            with anyio.move_on_after(seconds):
                await over.wait()
    for loser in winners[1:]:
        loser.abort()
    if not winners:
        raise next(reversed(errors.values())) if errors else OSError("no address")
    return winners[0]


def _attempts(addresses: Sequence[Address]) -> Iterator[tuple[Address, float]]:
    """Yield each address to try, and how long to wait for it before the next one."""
    for seconds in _MORE_ROUNDS_SECONDS:
        for number, address in enumerate(addresses, start=1):
            yield address, _STAGGER_SECONDS if number < len(addresses) else seconds
    for address in addresses:
        yield address, _STAGGER_SECONDS


async def _connect(factory: Factory, address: Address, port: int) -> UpstreamConnection:
    # A literal address, so that the event loop does not resolve anything (DNS rebinding).
    _, protocol = await asyncio.get_running_loop().create_connection(factory, str(address), port)
    return protocol
