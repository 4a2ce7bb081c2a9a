"""A client of a live monitor."""

from __future__ import annotations

import time
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import asynccontextmanager

import aiohttp
import anyio
import msgspec

from webgym.errors import AuthError, TransportError
from webgym.monitor.wire import BoardFacts, Update

_TIMEOUT = aiohttp.ClientTimeout(total=None, sock_connect=5, sock_read=15)
_LONGEST_UPDATE = 2**25
_RETRY_SECONDS = 0.5
_GIVE_UP_SECONDS = 10.0


class MonitorClient:
    """Reads from one monitor."""

    def __init__(self, http: aiohttp.ClientSession, address: str) -> None:
        self._http = http
        self._address = address

    async def about(self) -> BoardFacts:
        """Return what the monitor shows.

        Raises:
            AuthError: The token belongs to another monitor.
            TransportError: No monitor answers at this address.
        """
        try:
            with anyio.fail_after(10):
                async with self._http.get(f"{self._address}/api/about") as reply:
                    _check(reply)
                    return msgspec.json.decode(await reply.read(), type=BoardFacts)
        except (aiohttp.ClientError, TimeoutError, msgspec.DecodeError) as error:
            raise TransportError(f"no monitor answers at {self._address}: {error}") from error

    async def updates(self) -> AsyncGenerator[Update]:
        """Yield updates until the run ends, resuming after a lost connection.

        Raises:
            TransportError: The connection could not be resumed.
        """
        last_id, heard = "", time.monotonic()
        while True:
            try:
                async for update in self._events(last_id):
                    last_id, heard = f"{update.epoch}.{update.version}", time.monotonic()
                    yield update
                    if update.over:
                        return
            except (aiohttp.ClientError, TimeoutError) as error:
                if time.monotonic() - heard > _GIVE_UP_SECONDS:
                    raise TransportError(f"the run at {self._address} is gone: {error}") from error
            await anyio.sleep(_RETRY_SECONDS)

    async def _events(self, last_id: str) -> AsyncIterator[Update]:
        headers = {"Last-Event-ID": last_id} if last_id else {}
        async with self._http.get(f"{self._address}/api/events", headers=headers) as reply:
            _check(reply)
            async for line in reply.content:
                name, _, value = line.rstrip(b"\n").partition(b": ")
                if name == b"data":
                    yield msgspec.json.decode(value, type=Update)


@asynccontextmanager
async def connect_monitor(address: str, token: str) -> AsyncGenerator[MonitorClient]:
    """Connect to the monitor at this address."""
    headers = {"Authorization": f"Bearer {token}"}
    async with aiohttp.ClientSession(headers=headers, timeout=_TIMEOUT, read_bufsize=_LONGEST_UPDATE) as http:
        yield MonitorClient(http, address)


def _check(reply: aiohttp.ClientResponse) -> None:
    if reply.status == 401:
        raise AuthError("the monitor does not know this token; it belongs to another run")
    reply.raise_for_status()
