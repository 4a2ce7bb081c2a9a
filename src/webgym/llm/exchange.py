"""One request to one server. Failures become WebGym errors, which never contain the API key."""

from __future__ import annotations

import io
import os
from collections.abc import AsyncGenerator, Generator, Mapping
from contextlib import asynccontextmanager, contextmanager
from typing import Protocol

import aiohttp
import anyio

from webgym.errors import ConfigError, PolicyRejected
from webgym.llm.config import ModelConfig
from webgym.llm.failures import TryFailed, refusal
from webgym.llm.reply import ChatReply, read_reply
from webgym.llm.request import encode_request
from webgym.records.prompt import Prompt

_CHUNK = 2**16
_LARGE = 2**20
"""Bodies above this many bytes are sent in chunks, to keep the event loop responsive."""

_SHORTEST_SECRET = 16
"""Minimum length of a key that is masked in replies. Shorter ones are dummies such as EMPTY, which text may contain."""


class Exchange(Protocol):
    """The protocol for one kind of inference server."""

    def encode(self, prompt: Prompt, pictures: Mapping[str, bytes]) -> bytes:
        """Encode a prompt as a request body.

        Raises:
            PolicyRejected: This prompt cannot be sent.
        """
        ...

    async def ask(self, server: str, body: bytes) -> ChatReply:
        """Send a request once.

        Raises:
            TryFailed: No reply; a retry may succeed.
            PolicyRejected: The server rejects this request.
        """
        ...

    async def probe(self, server: str) -> None:
        """Check that a server is up: any response except a server error will do.

        Raises:
            TryFailed: The server is not up.
        """
        ...


class Wire:
    """HTTP transport to the servers of a model. Created by `open_wire`."""

    def __init__(self, config: ModelConfig, http: aiohttp.ClientSession, key: str) -> None:
        self._config = config
        self._http = http
        self._key = key.encode()

    async def post(self, server: str, path: str, body: bytes) -> tuple[Mapping[str, str], bytes]:
        """Send a request and return the headers and content of a successful response. Raises like `Exchange.ask`."""
        timeouts = self._config.timeouts
        with naming(server):
            with _within(timeouts.total, "no whole reply"), _told_apart():
                with _within(timeouts.first_byte, "no reply"):
                    answer = await self._http.post(server + path, data=_in_pieces(body), allow_redirects=False)
                async with answer:
                    content = await self._read(answer)
            if answer.status != 200:
                raise refusal(answer.status, answer.headers, self._without_key(content))
            return answer.headers, content if len(self._key) < _SHORTEST_SECRET else self._without_key(content)

    async def probe(self, server: str, path: str) -> None:
        """Check that a server is up. Raises like `Exchange.probe`."""
        with naming(server), _within(self._config.timeouts.probe, "no response"), _told_apart():
            async with self._http.get(server + path, allow_redirects=False) as answer:
                if answer.status >= 500:
                    raise TryFailed("server_error", f"the server failed, {answer.status}")

    async def _read(self, answer: aiohttp.ClientResponse) -> bytes:
        limit = self._config.reply_bytes
        content = bytearray()
        async for chunk in answer.content.iter_chunked(_CHUNK):
            content += chunk
            if len(content) > limit:
                answer.close()
                raise TryFailed("garbage", f"a reply of more than {limit} bytes")
        return bytes(content)

    def _without_key(self, content: bytes) -> bytes:
        """Mask the API key, which servers may repeat in error messages."""
        return content.replace(self._key, b"***") if self._key else content


class ChatExchange:
    """The chat completions API of OpenAI-compatible servers."""

    def __init__(self, config: ModelConfig, wire: Wire) -> None:
        self._config = config
        self._wire = wire

    def encode(self, prompt: Prompt, pictures: Mapping[str, bytes]) -> bytes:
        return encode_request(self._config, prompt, pictures)

    async def ask(self, server: str, body: bytes) -> ChatReply:
        headers, content = await self._wire.post(server, "/chat/completions", body)
        with naming(server):
            return read_reply(self._config, headers, content)

    async def probe(self, server: str) -> None:
        await self._wire.probe(server, "/models")


@asynccontextmanager
async def open_wire(config: ModelConfig) -> AsyncGenerator[Wire]:
    """Open one connection pool for all servers of a model.

    Raises:
        ConfigError: The environment variable for the API key holds no valid key.
    """
    key = _key_in(config.api_key_env)
    headers = {"Content-Type": "application/json", "Accept-Encoding": "identity"}
    if key:
        headers["Authorization"] = f"Bearer {key}"
    async with aiohttp.ClientSession(
        connector=aiohttp.TCPConnector(limit=0),  # concurrency is limited per server, in `ModelServer`
        headers=headers,
        timeout=aiohttp.ClientTimeout(total=None, connect=config.timeouts.connect),
        trust_env=config.environment_proxy,
    ) as http:
        yield Wire(config, http, key)


def _key_in(variable: str) -> str:
    if not variable:
        return ""
    key = os.environ.get(variable, "").strip()
    if not key:
        raise ConfigError(f"the environment variable {variable} has no value: set it, or leave `api_key_env` empty")
    if not (key.isascii() and key.isprintable()):
        raise ConfigError(f"the environment variable {variable} contains characters that are not valid in a key")
    return key


def _in_pieces(body: bytes) -> bytes | io.BytesIO:
    return io.BytesIO(body) if len(body) > _LARGE else body


@contextmanager
def naming(server: str) -> Generator[None]:
    """Prefix errors with the server's URL."""
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
    """Translate connection failures to `TryFailed`."""
    try:
        yield
    except (aiohttp.ClientConnectorError, aiohttp.ConnectionTimeoutError) as error:
        raise TryFailed("unreachable", f"cannot connect: {error}") from error
    except (aiohttp.ClientError, OSError) as error:
        raise TryFailed("dropped", f"the connection broke: {type(error).__name__}: {error}") from error
