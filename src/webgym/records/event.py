"""What happens, as data: one class per thing that a person or a program will look for."""

from __future__ import annotations

from webgym.records.base import Variant

EVENT_VERSION = 1


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


Event = (
    NodeJoined | NodeDropped | SessionOpened | SessionClosed | StepTaken | WorkerDied | BrowserDied | BrowserRecycled
)
