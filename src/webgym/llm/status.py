"""How the servers of a model are doing, to be shown."""

from __future__ import annotations

from typing import Literal

from webgym.llm.ledger import Spending
from webgym.records.base import Record

ServerState = Literal["healthy", "on_trial", "set_aside"]


class ServerStatus(Record, frozen=True):
    """One server."""

    url: str
    state: ServerState
    """`set_aside`: it gets no requests until its pause is over. `on_trial`: then one, and all if that goes well."""
    in_flight: int
    limit: int
    """Requests at once, for now: fewer after it said that there were too many."""
    replies: int
    errors: dict[str, int]
    """Failed tries by kind: unreachable, timeout, dropped, busy, server_error, garbage, aborted, rejected."""
    last_error: str = ""
    back_in: float = 0.0
    """Seconds until it is tried again."""
    latency_p50: float = 0.0
    latency_p95: float = 0.0
    """Seconds of the latest replies."""


class ModelStatus(Record, frozen=True):
    """All servers of a model, and what they were asked."""

    servers: tuple[ServerStatus, ...]
    waiting: int
    """Requests that wait for room."""
    requests: int
    retries: int
    """Tries beyond the first."""
    moved: int
    """Of those, tries on another server than the one before."""
    failed: int
    """Requests that ended without a reply."""
    spending: Spending
