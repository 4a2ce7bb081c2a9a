"""Failures of one try, and whether a retry may succeed."""

from __future__ import annotations

import datetime as dt
import email.utils
import math
from collections.abc import Mapping
from typing import Literal

import msgspec

from webgym.errors import PolicyRejected, PolicyUnavailable

Trouble = Literal["unreachable", "timeout", "dropped", "busy", "server_error", "garbage", "aborted"]
_EXCERPT = 300
_AGAIN = frozenset({408, 409, 425})
_HINTS = {
    401: "the server refused the key: check the environment variable that `api_key_env` names",
    403: "the server refused the key: check the environment variable that `api_key_env` names",
    404: "no such model or path: check `model`, and that the server's URL ends as its documentation says, often in /v1",
    413: "the request is too large: show fewer or smaller pictures, or raise the server's limit",
}


class TryFailed(PolicyUnavailable):
    """One try brought no reply; a retry may succeed."""

    def __init__(self, trouble: Trouble, message: str, *, retry_after: float | None = None) -> None:
        super().__init__(message)
        self.trouble = trouble
        self.retry_after = retry_after
        """Seconds to wait, if the server said so."""


def refusal(status: int, headers: Mapping[str, str], content: bytes) -> TryFailed | PolicyRejected:
    """Map an unsuccessful response to an error."""
    said = f"{status}: {excerpt(content)}"
    if status == 429:
        return TryFailed("busy", f"too many requests, {said}", retry_after=retry_after(headers))
    if status >= 500 or status in _AGAIN:
        return TryFailed("server_error", f"the server failed, {said}", retry_after=retry_after(headers))
    if 300 <= status < 400:
        return PolicyRejected(
            f"the server redirects to {headers.get('Location', 'nowhere')}: use that URL in `servers`"
        )
    if status < 300:
        return TryFailed("garbage", f"not a reply, {said}")
    return PolicyRejected(f"{_HINTS.get(status, 'the server refused the request')} ({said})")


def retry_after(headers: Mapping[str, str]) -> float | None:
    """Parse the Retry-After header, seconds or a date, as seconds from now."""
    value = headers.get("Retry-After", "").strip()
    try:
        seconds = float(value)
    except ValueError:
        seconds = _seconds_until(value)
    return max(0.0, seconds) if math.isfinite(seconds) else None


def _seconds_until(date: str) -> float:
    try:
        when = email.utils.parsedate_to_datetime(date)
    except ValueError:
        return math.nan
    return (when - dt.datetime.now(dt.UTC)).total_seconds() if when.tzinfo else math.nan


def excerpt(content: bytes) -> str:
    """Return the server's message, shortened to fit a log line."""
    text = _message_in(content) or content[: 4 * _EXCERPT].decode(errors="replace")
    line = " ".join("".join(c if c.isprintable() else " " for c in text).split())
    return (line[:_EXCERPT] + "…" if len(line) > _EXCERPT else line) or "(nothing)"


class _Error(msgspec.Struct):
    message: str = ""


class _ErrorBody(msgspec.Struct):
    error: _Error | str | None = None
    message: str | None = None
    detail: str | None = None


def _message_in(content: bytes) -> str:
    try:
        body = msgspec.json.decode(content, type=_ErrorBody)
    except (ValueError, RecursionError):
        return ""
    error = body.error.message if isinstance(body.error, _Error) else body.error
    return error or body.message or body.detail or ""
