"""What a dialect is."""

from __future__ import annotations

from typing import Literal, Protocol, runtime_checkable

from webgym.errors import WebGymError
from webgym.records.action import Action
from webgym.records.decision import Decision, Malformed
from webgym.records.observation import Observation, Viewport
from webgym.records.prompt import Completion
from webgym.records.session import Look

Convention = Literal["thousandths", "pixels", "resized", "marks", "cells"]
"""How places are written: in thousandths of the picture, in its pixels, in its pixels after the model's processor has
resized it, as numbers of marks, or as cells of a coarse grid."""


class Inexpressible(WebGymError):
    """The dialect has no words for this action."""

    code = "inexpressible"
    status = 422


@runtime_checkable
class Dialect(Protocol):
    """How one family of models is told of actions, and how it writes them."""

    @property
    def name(self) -> str:
        """What configurations and stored prompts call it."""
        ...

    @property
    def look(self) -> Look:
        """What has to be observed for it."""
        ...

    @property
    def coordinates(self) -> Convention:
        """How it writes places."""
        ...

    def system(self, version: str, viewport: Viewport) -> str:
        """The system text of this prompt version; empty for none."""
        ...

    def tools(self, version: str) -> tuple[str, ...]:
        """Tool schemas that travel beside the messages, each as JSON."""
        ...

    def parse(self, completion: Completion, seen: Observation) -> Decision | Malformed:
        """The action in a reply, or what is wrong with it. Never raises, whatever the reply."""
        ...

    def call(self, action: Action, seen: Observation) -> str:
        """The action alone, as prompts show it to this model.

        Raises:
            Inexpressible: It has no words for it.
        """
        ...

    def say(self, decision: Decision, seen: Observation) -> str:
        """A whole reply that parses to this decision, for demonstrations.

        Raises:
            Inexpressible: It has no words for the action.
        """
        ...

    def keep(self, completion: Completion) -> str:
        """What later prompts show of a reply: all of it but the thoughts."""
        ...


@runtime_checkable
class Remembers(Protocol):
    """A dialect with words of its own for what was done before; others tell it in sentences."""

    def remember(self, decision: Decision, seen: Observation) -> str:
        """What later prompts say of a decision made here: one line in which nothing of the page's passes for a token.

        Raises:
            Inexpressible: It has no words for the action.
        """
        ...
