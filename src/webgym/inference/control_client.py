"""Control requests to servers: each has a deadline, and every failure becomes one of our errors."""

from __future__ import annotations

import os
from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from typing import Any, Literal, cast

import aiohttp
import anyio
import msgspec

from webgym.errors import PolicyRejected, PolicyUnavailable
from webgym.inference.api import ControlCall
from webgym.llm.failures import excerpt

_HINTS = {
    401: "set `api_key_env`",
    403: "set `api_key_env`",
    404: "vLLM has this route only with VLLM_SERVER_DEV_MODE=1 (and --enable-scale-out for tokens)",
}
_MOST_BYTES = 2**20


class ControlClient:
    """Sends control requests. Made by `open_control_client`."""

    def __init__(self, http: aiohttp.ClientSession) -> None:
        self._http = http

    def to(self, url: str, seconds: float) -> ControlCall:
        """Return a function that sends requests to one server, each with this timeout."""

        async def call(
            method: Literal["GET", "POST"], path: str, body: Mapping[str, Any] | None = None
        ) -> dict[str, Any]:
            route = path.partition("?")[0]
            with anyio.move_on_after(seconds):
                return await self._ask(method, url, path, body)
            raise PolicyUnavailable(f"{url}: no answer to {route} in {seconds:g} s")

        return call

    async def healthy(self, url: str, path: str, seconds: float) -> bool:
        """Whether a server passes its health check."""
        with anyio.move_on_after(seconds):
            try:
                async with self._http.get(url + path, allow_redirects=False) as answer:
                    return answer.status == 200
            except (aiohttp.ClientError, OSError):
                return False
        return False

    async def _ask(self, method: str, url: str, path: str, body: Mapping[str, Any] | None) -> dict[str, Any]:
        route = path.partition("?")[0]
        try:
            async with self._http.request(method, url + path, json=body, allow_redirects=False) as answer:
                content = await answer.content.read(_MOST_BYTES)
        except (aiohttp.ClientError, OSError) as error:
            raise PolicyUnavailable(f"{url}: {route} did not get through: {type(error).__name__}: {error}") from error
        if answer.status == 200:
            return _answer(content)
        said = f"{url}: {route} was refused, {answer.status}: {excerpt(content)}"
        if answer.status >= 500:
            raise PolicyUnavailable(said)
        hint = _HINTS.get(answer.status)
        raise PolicyRejected(f"{said}; {hint}" if hint else said)


@asynccontextmanager
async def open_control_client(api_key_env: str = "") -> AsyncGenerator[ControlClient]:
    """Open a client for the duration of the block."""
    key = os.environ.get(api_key_env, "").strip() if api_key_env else ""
    async with aiohttp.ClientSession(
        # A failed request may close its connection late: the next one must not reuse it.
        connector=aiohttp.TCPConnector(limit=0, force_close=True),
        headers={"Authorization": f"Bearer {key}"} if key else {},
        timeout=aiohttp.ClientTimeout(total=None, connect=10.0),
    ) as http:
        yield ControlClient(http)


def _answer(content: bytes) -> dict[str, Any]:
    """Parse an answer; some are empty or plain text, which gives an empty dict."""
    try:
        answer: Any = msgspec.json.decode(content)
    except (ValueError, RecursionError):
        return {}
    return cast("dict[str, Any]", answer) if isinstance(answer, dict) else {}
