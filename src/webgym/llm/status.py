"""Status of a model's servers, for display."""

from __future__ import annotations

from typing import Literal

from webgym.llm.ledger import Spending
from webgym.records.base import Record

ServerState = Literal["healthy", "on_trial", "set_aside"]


class ServerStatus(Record, frozen=True):
    """Status of one server."""

    url: str
    state: ServerState
    """`set_aside`: no requests until its pause is over. `on_trial`: then one at a time, until one succeeds."""
    in_flight: int
    limit: int
    """Current concurrency limit; lowered when the server reports overload."""
    replies: int
    errors: dict[str, int]
    """Failed tries by kind: unreachable, timeout, dropped, busy, server_error, garbage, aborted, rejected."""
    last_error: str = ""
    back_in: float = 0.0
    """Seconds until the server is tried again."""
    latency_p50: float = 0.0
    latency_p95: float = 0.0
    """In seconds, over the latest replies."""


class ModelStatus(Record, frozen=True):
    """Status of all servers of a model, with request counts."""

    servers: tuple[ServerStatus, ...]
    waiting: int
    """Requests waiting for a server with room."""
    requests: int
    retries: int
    """Tries beyond the first."""
    moved: int
    """Retries on a different server than the try before."""
    failed: int
    """Requests that ended without a reply."""
    spending: Spending
