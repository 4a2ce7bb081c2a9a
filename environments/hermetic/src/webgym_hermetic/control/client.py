"""Client of the control plane."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from typing import TypeVar

import aiohttp
import anyio
import msgspec

from webgym.errors import (
    AuthError,
    CapacityError,
    RequestError,
    SiteStateError,
    SiteUnknown,
    TransportError,
    WebGymError,
)
from webgym_hermetic.control.wire import Begin, Begun, Problem, Restart, Status
from webgym_hermetic.family import Event
from webgym_hermetic.states import Snapshot
from webgym_hermetic.weather import CLEAR, Weather

T = TypeVar("T")
_TIMEOUT = aiohttp.ClientTimeout(total=30)
_PAUSE_SECONDS = 0.25
_ERRORS = {kind.code: kind for kind in (AuthError, CapacityError, RequestError, SiteStateError, SiteUnknown)}


class SitesControl:
    """Creates, forks, reads and ends the states of hermetic sites."""

    def __init__(self, http: aiohttp.ClientSession, url: str, outage_seconds: float) -> None:
        self._http = http
        self._url = url.rstrip("/")
        self._outage_seconds = outage_seconds

    async def status(self) -> Status:
        """Return the status, without waiting for a server that is down."""
        return await self._asked("GET", "/v1/status", Status)

    async def begin(
        self, site: str, events: Sequence[Event] = (), weather: Weather = CLEAR, visits: Sequence[str] = ()
    ) -> str:
        """Create a state and return its key, for `SessionSpec.state_key`."""
        body = msgspec.json.encode(Begin(site, tuple(events), weather, tuple(visits)))
        return (await self._call("POST", "/v1/states", Begun, body)).key

    async def fork(self, key: str) -> str:
        """Fork a state and return the key of the copy."""
        return (await self._call("POST", f"/v1/states/{key}/fork", Begun)).key

    async def restart(self, key: str, like: str) -> None:
        """Replace the state under `key` by a fork of `like`; sessions bound to the key continue with the new state.

        Cookies and storage that a site left in their browsers are cleared by its next page.
        """
        await self._call("POST", f"/v1/states/{key}/restart", dict, msgspec.json.encode(Restart(like)))

    async def read(self, key: str, site: str) -> Snapshot:
        return await self._call("GET", f"/v1/states/{key}/sites/{site}", Snapshot)

    async def end(self, key: str) -> None:
        await self._call("DELETE", f"/v1/states/{key}", dict)

    @asynccontextmanager
    async def state(
        self, site: str, events: Sequence[Event] = (), weather: Weather = CLEAR, visits: Sequence[str] = ()
    ) -> AsyncGenerator[str]:
        """Create a state that is ended on leaving the context; yields its key."""
        key = await self.begin(site, events, weather, visits)
        try:
            yield key
        finally:
            await self.end(key)

    async def _call(self, method: str, path: str, kind: type[T], body: bytes = b"") -> T:
        """Ask until there is an answer: a server that is being restarted refuses connections for seconds.

        What was asked of one that died is asked of its successor: the states of the former died with it.
        """
        give_up = anyio.current_time() + self._outage_seconds
        while True:
            try:
                return await self._asked(method, path, kind, body)
            except _DownError:
                if anyio.current_time() >= give_up:
                    raise
            await anyio.sleep(_PAUSE_SECONDS)

    async def _asked(self, method: str, path: str, kind: type[T], body: bytes = b"") -> T:
        try:
            async with self._http.request(method, self._url + path, data=body) as response:
                data = await response.read()
                status = response.status
        except (aiohttp.ClientError, TimeoutError) as error:
            down = isinstance(error, aiohttp.ClientConnectionError) and not isinstance(error, TimeoutError)
            failure = _DownError if down else TransportError
            raise failure(f"no reply from the sites' control plane at {self._url}: {error}") from error
        if status != 200:
            raise _error(data, status)
        return msgspec.json.decode(data, type=kind)


class _DownError(TransportError):
    """The connection was refused, or broke."""


@asynccontextmanager
async def connect_sites(url: str, token: str, *, outage_seconds: float = 60.0) -> AsyncGenerator[SitesControl]:
    """Connect to the control plane at this URL. Calls wait this long for a server that is down."""
    headers = {"Authorization": f"Bearer {token}"}
    connector = aiohttp.TCPConnector(limit=0)
    async with aiohttp.ClientSession(headers=headers, timeout=_TIMEOUT, connector=connector) as http:
        yield SitesControl(http, url, outage_seconds)


def _error(data: bytes, status: int) -> WebGymError:
    try:
        problem = msgspec.json.decode(data, type=Problem)
    except msgspec.DecodeError:
        return TransportError(f"the sites' control plane answered {status}")
    return _ERRORS.get(problem.code, WebGymError)(problem.message)
