"""The architecture on one screen: the protocol of every stage.

A stage implements one of these, speaks only `webgym.records`, and meets the others only in `webgym.pipeline`.
"""

from __future__ import annotations

from contextlib import AbstractAsyncContextManager
from typing import Protocol, runtime_checkable

from webgym.records.action import Action
from webgym.records.decision import Decision
from webgym.records.event import Event
from webgym.records.observation import Capture
from webgym.records.session import Look, SessionSpec


@runtime_checkable
class Session(Protocol):
    """One isolated browser, or anything that can be looked at and acted on. Steps are taken one at a time."""

    async def step(self, action: Action | None, look: Look) -> Capture:
        """Act, let the page come to rest, observe. Without an action: observe only.

        What the agent did wrong is told in the observation's `effect`; what broke is raised.
        """
        ...

    async def blob(self, address: str) -> bytes:
        """The bytes of something this session referred to: a recent screenshot, a download."""
        ...


@runtime_checkable
class Browser(Protocol):
    """Gives out sessions."""

    def open(self, spec: SessionSpec) -> AbstractAsyncContextManager[Session]:
        """A session that lasts as long as the `async with` block, however that ends."""
        ...


@runtime_checkable
class Agent(Protocol):
    """Decides what to do next, in one attempt at one task."""

    async def decide(self, capture: Capture) -> Decision:
        """The next action. `Answer` ends the attempt."""
        ...


@runtime_checkable
class Events(Protocol):
    """Where every stage says what happens."""

    def emit(self, event: Event) -> None:
        """Never blocks and never raises."""
        ...
