"""Structured events: one class for each kind of thing that people and programs look for."""

from __future__ import annotations

from typing import Literal

from webgym.records.base import Variant
from webgym.records.trajectory import OutcomeKind


class NodeJoined(Variant, frozen=True):
    """A node registered with the gateway for the first time."""

    node: str
    url: str
    capacity: int


class NodeDropped(Variant, frozen=True):
    """A node stopped responding, or left."""

    node: str
    sessions: int
    """Sessions lost with the node."""
    why: str


class SessionOpened(Variant, frozen=True):
    """A session was leased out."""

    session: str
    labels: dict[str, str] = {}
    seconds: float = 0.0
    """Time from the request until the session was ready to observe."""


class SessionClosed(Variant, frozen=True):
    """A session was released or lost."""

    session: str
    why: str
    """`released`, or the reason it was lost."""
    steps: int = 0


class StepTaken(Variant, frozen=True):
    """One step of a session completed."""

    session: str
    action: str
    """Kind of the action, or `observe`."""
    seconds: float
    effect: str = ""
    bytes: int = 0
    """Size of the response."""


class WorkerDied(Variant, frozen=True):
    """A worker process died."""

    worker: int
    sessions: int
    why: str


class BrowserDied(Variant, frozen=True):
    """A Chromium process died."""

    worker: int
    sessions: int


class BrowserRecycled(Variant, frozen=True):
    """A Chromium process was replaced because of its age, its memory use or the number of sessions it served."""

    worker: int
    why: str


Operation = Literal["open", "navigate", "act", "observe", "infer", "judge", "close"]
OPERATIONS: tuple[Operation, ...] = ("open", "navigate", "act", "observe", "infer", "judge", "close")


class AttemptSubmitted(Variant, frozen=True):
    """An attempt was queued in the pool."""

    attempt: str
    task: str
    site: str = ""
    level: str = ""
    instruction: str = ""
    group: str = ""


class AttemptBegan(Variant, frozen=True):
    """A try of an attempt began."""

    attempt: str
    try_number: int = 1


class OperationQueued(Variant, frozen=True):
    """An operation of an attempt waits at its gate."""

    attempt: str
    operation: Operation
    step: int = 0


class OperationStarted(Variant, frozen=True):
    """An operation of an attempt passed its gate and started."""

    attempt: str
    operation: Operation
    step: int = 0
    queued: float = 0.0
    """Seconds spent waiting at the gate."""


class OperationEnded(Variant, frozen=True):
    """An operation of an attempt completed or failed."""

    attempt: str
    operation: Operation
    step: int = 0
    seconds: float = 0.0
    error: str = ""
    """Code of the error; empty on success."""


class StepDecided(Variant, frozen=True):
    """An agent chose its next action."""

    attempt: str
    step: int
    action: str
    """Kind of the action, or `malformed`."""
    sentence: str = ""
    url: str = ""
    screenshot: str = ""
    """Address of the screenshot that the agent saw."""
    prompt_tokens: int = 0
    sampled_tokens: int = 0


class AttemptEnded(Variant, frozen=True):
    """An attempt ended; it will not be retried."""

    attempt: str
    outcome: OutcomeKind
    steps: int
    seconds: float
    detail: str = ""


class LimitChanged(Variant, frozen=True):
    """The concurrency limit of an operation changed."""

    operation: Operation
    limit: int
    why: str = ""


Event = (
    NodeJoined
    | NodeDropped
    | SessionOpened
    | SessionClosed
    | StepTaken
    | WorkerDied
    | BrowserDied
    | BrowserRecycled
    | AttemptSubmitted
    | AttemptBegan
    | OperationQueued
    | OperationStarted
    | OperationEnded
    | StepDecided
    | AttemptEnded
    | LimitChanged
)
