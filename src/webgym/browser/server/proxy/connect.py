"""Connecting to the first of several addresses that responds ("happy eyeballs")."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence

import anyio

from webgym.browser.server.proxy.addresses import Address
from webgym.browser.server.proxy.upstream import UpstreamConnection

_STAGGER_SECONDS = 0.25

Factory = Callable[[], UpstreamConnection]


async def connect_first(factory: Factory, addresses: Sequence[Address], port: int) -> UpstreamConnection:
    """Try each address shortly after the previous one, or once that has failed (RFC 8305).

    Raises:
        OSError: No address accepts a connection.
    """
    if len(addresses) == 1:
        return await _connect(factory, addresses[0], port)
    return await _race(factory, addresses, port)


async def _connect(factory: Factory, address: Address, port: int) -> UpstreamConnection:
    # A literal address, so that the event loop does not resolve anything (DNS rebinding).
    _, protocol = await asyncio.get_running_loop().create_connection(factory, str(address), port)
    return protocol


async def _race(factory: Factory, addresses: Sequence[Address], port: int) -> UpstreamConnection:
    winners: list[UpstreamConnection] = []
    errors: list[OSError] = []

    async def attempt(address: Address, over: anyio.Event) -> None:
        try:
            winners.append(await _connect(factory, address, port))
        except OSError as error:
            errors.append(error)
            over.set()
        else:
            racers.cancel_scope.cancel()

    async with anyio.create_task_group() as racers:
        for address in addresses:
            over = anyio.Event()
            racers.start_soon(attempt, address, over)
            with anyio.move_on_after(_STAGGER_SECONDS):
                await over.wait()
    for loser in winners[1:]:
        loser.abort()
    if not winners:
        raise errors[-1] if errors else OSError("no address")
    return winners[0]
