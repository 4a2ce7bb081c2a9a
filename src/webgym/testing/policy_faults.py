"""Fault injection for the policy server: ways in which a real server can fail."""

from __future__ import annotations

from typing import Literal

import anyio
from aiohttp import web

from webgym.records.base import Variant

_HALF = b'{"id": "chatcmpl-0", "object": "chat.completion", "choices": [{"index": 0, "message": {"role": "assi'


class Stall(Variant, frozen=True):
    """Keep the connection open without responding."""

    after: Literal["nothing", "headers"] = "nothing"


class Drop(Variant, frozen=True):
    """Abort the connection."""

    after: Literal["nothing", "headers"] = "nothing"


class Garbage(Variant, frozen=True):
    """Respond 200 with a body that is not a completion."""

    content: str = "<html>It works!</html>"
    content_type: str = "text/html"


class CutShort(Variant, frozen=True):
    """Respond with truncated JSON as if it were complete."""


class Flood(Variant, frozen=True):
    """Respond with a very large body."""

    size: int = 64 * 2**20


class Busy(Variant, frozen=True):
    """Respond 429."""

    retry_after: str = ""
    """Value of the Retry-After header; empty: no header."""


class ErrorStatus(Variant, frozen=True, tag="broken"):
    """Respond with an error status."""

    status: int = 500
    message: str = "the engine is dead"
    headers: dict[str, str] = {}


class Slow(Variant, frozen=True):
    """Respond correctly, but late."""

    seconds: float = 1.0


class WrongType(Variant, frozen=True):
    """Respond correctly, but with a wrong media type."""

    content_type: str = "text/plain"


Fault = Stall | Drop | Garbage | CutShort | Flood | Busy | ErrorStatus | Slow | WrongType


async def fail(fault: Fault, request: web.Request, good: bytes) -> web.StreamResponse:
    """Respond to a request with this fault; `good` is the correct response body."""
    match fault:
        case Stall() | Drop():
            return await _break_off(fault, request)
        case Garbage(content, content_type):
            return web.Response(body=content.encode(errors="surrogateescape"), content_type=content_type)
        case CutShort():
            return web.Response(body=good[: len(good) // 2], content_type="application/json")
        case Flood(size):
            return await _flood(request, size)
        case Busy(retry_after):
            return _error(429, "slow down", {"Retry-After": retry_after} if retry_after else {})
        case ErrorStatus(status, message, headers):
            return _error(status, message, headers)
        case Slow(seconds):
            await anyio.sleep(seconds)
            return web.Response(body=good, content_type="application/json")
        case WrongType(content_type):
            return web.Response(body=good, content_type=content_type)


def _error(status: int, message: str, headers: dict[str, str]) -> web.Response:
    return web.json_response({"error": {"message": message, "type": "error"}}, status=status, headers=headers)


async def _begin(request: web.Request, content: bytes, length: int) -> web.StreamResponse:
    response = web.StreamResponse(headers={"Content-Type": "application/json", "Content-Length": str(length)})
    await response.prepare(request)
    await response.write(content)
    return response


async def _break_off(fault: Stall | Drop, request: web.Request) -> web.StreamResponse:
    if fault.after == "headers":
        await _begin(request, _HALF, 2 * len(_HALF))
    if isinstance(fault, Stall):
        await anyio.sleep_forever()
    if request.transport is not None:
        request.transport.abort()
    return web.Response()


async def _flood(request: web.Request, size: int) -> web.StreamResponse:
    response = await _begin(request, b"", size)
    chunk = b" " * 2**16
    for _ in range(size // len(chunk)):
        await response.write(chunk)
    return response
