"""Logs: one JSON object a line for machines, one plain line for people."""

from __future__ import annotations

import datetime as dt
import logging
import sys
from contextvars import ContextVar
from typing import Literal

import msgspec

from webgym.records.event import Event

logger = logging.getLogger(__name__)
LogStyle = Literal["plain", "json", "quiet"]

context: ContextVar[dict[str, str] | None] = ContextVar("webgym_log_context", default=None)
"""Ids that every line of this task carries: session, node, worker."""


class JsonFormatter(logging.Formatter):
    """One JSON object a line."""

    def format(self, record: logging.LogRecord) -> str:
        """The record with its time, level, logger, message and context."""
        when = dt.datetime.fromtimestamp(record.created, tz=dt.UTC)
        line = {
            "time": when.isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": _encodable(record.getMessage()),
            **(context.get() or {}),
        }
        if record.exc_info:
            line["exception"] = _encodable(self.formatException(record.exc_info))
        return msgspec.json.encode(line).decode()


def _encodable(text: str) -> str:
    """With halves of characters, of which pages have some, spelt out: JSON has no bytes for them."""
    return text.encode("utf-8", "backslashreplace").decode()


class PlainFormatter(logging.Formatter):
    """Time, level, logger, message, then the context."""

    def __init__(self) -> None:
        super().__init__("%(asctime)s %(levelname)-7s %(name)s: %(message)s", datefmt="%H:%M:%S")

    def format(self, record: logging.LogRecord) -> str:
        """The record on one line, its traceback below."""
        ids = "".join(f" {key}={value}" for key, value in (context.get() or {}).items())
        return super().format(record) + ids


def configure(style: LogStyle = "plain") -> None:
    """Send all logs of this process to standard error; `quiet` leaves out what goes as it should."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonFormatter() if style == "json" else PlainFormatter())
    logging.basicConfig(level=logging.WARNING if style == "quiet" else logging.INFO, handlers=[handler], force=True)
    logging.getLogger("aiohttp.access").setLevel(logging.WARNING)
    logging.getLogger("uvicorn").setLevel(logging.WARNING)


def event(happened: Event) -> None:
    """An event sink: events as log lines."""
    logger.info("%s", msgspec.json.encode(happened).decode())
