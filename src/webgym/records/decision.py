"""What an agent wants to do next."""

from __future__ import annotations

from webgym.records.action import Action
from webgym.records.base import Record
from webgym.records.observation import Box


class Decision(Record, frozen=True):
    """One choice of an agent."""

    action: Action
    box: Box | None = None
    """What the action aims at, in the viewport, if the agent knows: demonstrations are graded by it."""
    reason: str = ""
    """In a few words, for people."""
