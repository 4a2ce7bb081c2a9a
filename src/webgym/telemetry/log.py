"""Logging: JSON lines for machines, plain lines for people."""

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
"""Ids added to every log line of the current task: session, node, worker."""


class JsonFormatter(logging.Formatter):
    """Formats records as one JSON object per line."""

    def format(self, record: logging.LogRecord) -> str:
        """Format a record with its time, level, logger, message and context."""
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
    """Escape lone surrogates, which page text may contain and UTF-8 cannot encode."""
    return text.encode("utf-8", "backslashreplace").decode()


class PlainFormatter(logging.Formatter):
    """Formats records as time, level, logger and message, followed by the context."""

    def __init__(self) -> None:
        super().__init__("%(asctime)s %(levelname)-7s %(name)s: %(message)s", datefmt="%H:%M:%S")

    def format(self, record: logging.LogRecord) -> str:
        """Format a record, with any traceback below the message."""
        ids = "".join(f" {key}={value}" for key, value in (context.get() or {}).items())
        return super().format(record) + ids


def configure(style: LogStyle = "plain") -> None:
    """Send all logs of this process to standard error; `quiet` keeps only warnings and errors."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonFormatter() if style == "json" else PlainFormatter())
    logging.basicConfig(level=logging.WARNING if style == "quiet" else logging.INFO, handlers=[handler], force=True)
    logging.getLogger("aiohttp.access").setLevel(logging.WARNING)
    logging.getLogger("uvicorn").setLevel(logging.WARNING)


def event(happened: Event) -> None:
    """Log an event; usable as an event sink."""
    logger.info("%s", msgspec.json.encode(happened).decode())
