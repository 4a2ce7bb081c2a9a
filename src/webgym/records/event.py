"""What happens, as data: one class per thing that a person or a program will look for."""

from __future__ import annotations

from typing import Literal

from webgym.records.base import Variant
from webgym.records.trajectory import OutcomeKind


class NodeJoined(Variant, frozen=True):
    """A node announced itself to the gateway for the first time."""

    node: str
    url: str
    capacity: int


class NodeDropped(Variant, frozen=True):
    """A node fell silent, or left."""

    node: str
    sessions: int
    """Sessions lost with it."""
    why: str


class SessionOpened(Variant, frozen=True):
    """A session was leased out."""

    session: str
    labels: dict[str, str] = {}
    seconds: float = 0.0
    """From the request to the first observation it could give."""


class SessionClosed(Variant, frozen=True):
    """A session was released, or ended by itself."""

    session: str
    why: str
    """`released`, or the reason it was lost."""
    steps: int = 0


class StepTaken(Variant, frozen=True):
    """One step of a session is done."""

    session: str
    action: str
    """Kind of the action, or `observe`."""
    seconds: float
    effect: str = ""
    bytes: int = 0
    """Of the reply."""


class WorkerDied(Variant, frozen=True):
    """A worker process ended by itself."""

    worker: int
    sessions: int
    why: str


class BrowserDied(Variant, frozen=True):
    """A Chromium process ended by itself."""

    worker: int
    sessions: int


class BrowserRecycled(Variant, frozen=True):
    """A Chromium process was replaced because of its age, its memory or the sessions it served."""

    worker: int
    why: str


Operation = Literal["open", "navigate", "act", "observe", "infer", "judge", "close"]
OPERATIONS: tuple[Operation, ...] = ("open", "navigate", "act", "observe", "infer", "judge", "close")


class AttemptSubmitted(Variant, frozen=True):
    """An attempt waits for its turn."""

    attempt: str
    task: str
    site: str = ""
    level: str = ""
    instruction: str = ""
    group: str = ""


class AttemptBegan(Variant, frozen=True):
    """A try of an attempt begins."""

    attempt: str
    try_number: int = 1


class OperationQueued(Variant, frozen=True):
    """An attempt waits to do something."""

    attempt: str
    operation: Operation
    step: int = 0


class OperationStarted(Variant, frozen=True):
    """It does it."""

    attempt: str
    operation: Operation
    step: int = 0
    queued: float = 0.0
    """Seconds it waited."""


class OperationEnded(Variant, frozen=True):
    """It is done, or failed."""

    attempt: str
    operation: Operation
    step: int = 0
    seconds: float = 0.0
    error: str = ""
    """Code of the error it ended with."""


class StepDecided(Variant, frozen=True):
    """An agent chose what to do next."""

    attempt: str
    step: int
    action: str
    """Kind of the action, or `malformed`."""
    sentence: str = ""
    url: str = ""
    screenshot: str = ""
    """Address of what it saw."""
    prompt_tokens: int = 0
    sampled_tokens: int = 0


class AttemptEnded(Variant, frozen=True):
    """An attempt is over for good."""

    attempt: str
    outcome: OutcomeKind
    steps: int
    seconds: float
    detail: str = ""


class LimitChanged(Variant, frozen=True):
    """A pool lets more or fewer of an operation run at once."""

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
