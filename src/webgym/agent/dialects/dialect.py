"""The dialect protocol: how a family of models reads and writes actions."""

from __future__ import annotations

from typing import Literal, Protocol, runtime_checkable

from webgym.errors import WebGymError
from webgym.records.action import Action
from webgym.records.decision import Decision, MalformedReply
from webgym.records.observation import Observation, Viewport
from webgym.records.prompt import Completion
from webgym.records.session import Look

Convention = Literal["thousandths", "pixels", "resized", "marks", "cells"]
"""How places are written: in thousandths of the image, in its pixels, in its pixels after the model's processor has
resized it, as numbers of marks, or as cells of a coarse grid."""


class Inexpressible(WebGymError):
    """The dialect cannot express this action."""

    code = "inexpressible"
    status = 422


@runtime_checkable
class Dialect(Protocol):
    """Tells one family of models about actions, and reads and writes them in its format."""

    @property
    def name(self) -> str:
        """The name used in configurations and stored prompts."""
        ...

    @property
    def look(self) -> Look:
        """What must be observed on each step."""
        ...

    @property
    def coordinates(self) -> Convention:
        """How places are written."""
        ...

    def system(self, version: str, viewport: Viewport) -> str:
        """Return the system prompt of this prompt version; empty if it has none."""
        ...

    def tools(self, version: str) -> tuple[str, ...]:
        """Return the tool schemas that are sent apart from the messages, each as JSON."""
        ...

    def parse(self, completion: Completion, seen: Observation) -> Decision | MalformedReply:
        """Return the decision in a reply, or what is wrong with the reply. Never raises."""
        ...

    def call(self, action: Action, seen: Observation) -> str:
        """Return the action alone, as shown in prompts.

        Raises:
            Inexpressible: The dialect cannot express the action.
        """
        ...

    def say(self, decision: Decision, seen: Observation) -> str:
        """Return a whole reply that parses to this decision, for demonstrations.

        Raises:
            Inexpressible: The dialect cannot express the action.
        """
        ...

    def keep(self, completion: Completion) -> str:
        """Return what later prompts show of a reply: everything but the reasoning."""
        ...


@runtime_checkable
class Remembers(Protocol):
    """A dialect with its own format for past decisions; other dialects describe them in sentences."""

    def remember(self, decision: Decision, seen: Observation) -> str:
        """Return a decision as one line for later prompts. Text from the page cannot form a special token in it.

        Raises:
            Inexpressible: The dialect cannot express the action.
        """
        ...
