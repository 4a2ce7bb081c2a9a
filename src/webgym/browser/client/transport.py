"""HTTP requests to gateway and nodes. Every failure is raised as a `WebGymError`."""

from __future__ import annotations

import ssl
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass

import aiohttp

from webgym.browser import wire
from webgym.errors import ConfigError, DeadlineError, TransportError

_CONNECT_SECONDS = 3.0


class UnreachableError(TransportError):
    """No connection could be established, so the request was not sent."""


@dataclass(frozen=True, slots=True)
class Transport:
    """Sends requests over one shared connection pool."""

    client: aiohttp.ClientSession
    token: str

    async def send(
        self, method: str, url: str, body: bytes = b"", *, seconds: float, headers: dict[str, str] | None = None
    ) -> bytes:
        """Return the response body; raise the server's error, `TransportError` or `DeadlineError`."""
        timeout = aiohttp.ClientTimeout(total=seconds, sock_connect=_CONNECT_SECONDS)
        all_headers = wire.headers(self.token, **(headers or {}))
        try:
            async with self.client.request(method, url, data=body, headers=all_headers, timeout=timeout) as answer:
                content = await answer.read()
        except (aiohttp.ClientConnectorError, aiohttp.ConnectionTimeoutError) as error:
            raise UnreachableError(f"cannot connect to {_origin(url)}: {error}") from error
        except TimeoutError as error:
            raise DeadlineError(f"no answer from {_origin(url)} in {seconds:g} s") from error
        except (aiohttp.ClientError, OSError) as error:
            raise TransportError(f"the connection to {_origin(url)} broke: {type(error).__name__}: {error}") from error
        if answer.status >= 400:
            raise wire.refusal(_origin(url), answer.status, content)
        return content


def _origin(url: str) -> str:
    return "/".join(url.split("/")[:3])


@asynccontextmanager
async def open_transport(token: str, authority: str) -> AsyncGenerator[Transport]:
    """Open a transport that verifies certificates with this authority, or with the system's if empty.

    Raises:
        ConfigError: The authority is not a readable certificate file.
    """
    connector = aiohttp.TCPConnector(limit=0, ssl=_checks(authority))
    async with aiohttp.ClientSession(connector=connector) as client:
        yield Transport(client, token)


def _checks(authority: str) -> ssl.SSLContext | bool:
    try:
        return ssl.create_default_context(cafile=authority) if authority else True
    except OSError as error:  # includes `ssl.SSLError`
        reason = error.strerror or error
        raise ConfigError(f"cannot read the certificate authority {authority}: {reason}") from error
