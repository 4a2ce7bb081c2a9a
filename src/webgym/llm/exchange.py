"""One request to one server, with every failure as one of our errors and the key in none of them."""

from __future__ import annotations

import os
from collections.abc import AsyncGenerator, Generator
from contextlib import asynccontextmanager, contextmanager

import aiohttp
import anyio

from webgym.errors import ConfigError, PolicyRejected
from webgym.llm.config import ModelConfig
from webgym.llm.reply import Reply, read_reply
from webgym.llm.trouble import TryFailed, refusal

_CHUNK = 2**16


class Exchange:
    """Sends requests. Made by `open_exchange`."""

    def __init__(self, config: ModelConfig, http: aiohttp.ClientSession, key: str) -> None:
        self._config = config
        self._http = http
        self._key = key.encode()

    async def ask(self, server: str, body: bytes) -> Reply:
        """One try.

        Raises:
            TryFailed: No reply; another try may bring one.
            PolicyRejected: The server will not take this request.
        """
        with _naming(server):
            answer, content = await self._post(f"{server}/chat/completions", body)
            if answer.status != 200:
                raise refusal(answer.status, answer.headers, content)
            return read_reply(self._config, answer.headers, content)

    async def probe(self, server: str) -> None:
        """Ask a server whether it is there: any answer that is no failure of its own will do.

        Raises:
            TryFailed: It is not.
        """
        with _naming(server), _within(self._config.timeouts.probe, "no sign of life"), _told_apart():
            async with self._http.get(f"{server}/models", allow_redirects=False) as answer:
                if answer.status >= 500:
                    raise TryFailed("server_error", f"the server failed, {answer.status}")

    async def _post(self, url: str, body: bytes) -> tuple[aiohttp.ClientResponse, bytes]:
        timeouts = self._config.timeouts
        with _within(timeouts.total, "no whole reply"), _told_apart():
            with _within(timeouts.first_byte, "no reply"):
                answer = await self._http.post(url, data=body, allow_redirects=False)
            async with answer:
                return answer, await self._read(answer)

    async def _read(self, answer: aiohttp.ClientResponse) -> bytes:
        limit = self._config.reply_bytes
        content = bytearray()
        async for chunk in answer.content.iter_chunked(_CHUNK):
            content += chunk
            if len(content) > limit:
                answer.close()
                raise TryFailed("garbage", f"a reply of more than {limit} bytes")
        # Servers repeat keys in what they complain about.
        return bytes(content.replace(self._key, b"***") if self._key else content)


@asynccontextmanager
async def open_exchange(config: ModelConfig) -> AsyncGenerator[Exchange]:
    """One connection pool for all servers of a model.

    Raises:
        ConfigError: The environment variable that should hold the key does not.
    """
    key = _key_in(config.api_key_env)
    headers = {"Content-Type": "application/json", "Accept-Encoding": "identity"}
    if key:
        headers["Authorization"] = f"Bearer {key}"
    async with aiohttp.ClientSession(
        connector=aiohttp.TCPConnector(limit=0),  # how many at once is decided elsewhere, server by server
        headers=headers,
        timeout=aiohttp.ClientTimeout(total=None, connect=config.timeouts.connect),
        trust_env=config.environment_proxy,
    ) as http:
        yield Exchange(config, http, key)


def _key_in(variable: str) -> str:
    if not variable:
        return ""
    key = os.environ.get(variable, "").strip()
    if not key:
        raise ConfigError(f"the environment variable {variable} holds no key: set it, or leave `api_key_env` empty")
    if not (key.isascii() and key.isprintable()):
        raise ConfigError(f"the environment variable {variable} holds characters that no key has")
    return key


@contextmanager
def _naming(server: str) -> Generator[None]:
    try:
        yield
    except (TryFailed, PolicyRejected) as error:
        error.args = (f"{server}: {error}",)
        raise


@contextmanager
def _within(seconds: float, what: str) -> Generator[None]:
    with anyio.move_on_after(seconds) as scope:
        yield
    if scope.cancelled_caught:
        raise TryFailed("timeout", f"{what} in {seconds:g} s")


@contextmanager
def _told_apart() -> Generator[None]:
    """Failures of the connection as one of ours."""
    try:
        yield
    except (aiohttp.ClientConnectorError, aiohttp.ConnectionTimeoutError) as error:
        raise TryFailed("unreachable", f"cannot connect: {error}") from error
    except (aiohttp.ClientError, OSError) as error:
        raise TryFailed("dropped", f"the connection broke: {type(error).__name__}: {error}") from error
