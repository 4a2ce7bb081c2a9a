"""What an agent wants to do next, and how it came to that."""

from __future__ import annotations

from typing import Literal

from webgym.records.action import Action
from webgym.records.base import Record, Variant
from webgym.records.observation import Box
from webgym.records.prompt import Completion, Prompt


class Decision(Variant, frozen=True):
    """One choice of an agent."""

    action: Action
    box: Box | None = None
    """What the action aims at, in the viewport, if the agent knows: demonstrations are graded by it."""
    sentence: str = ""
    """The action in words: what later prompts and people are told of it."""
    thought: str = ""
    call: str = ""
    """The tool call as the model wrote it."""
    memory: str = ""
    """What the agent wants to keep in mind."""


class Malformed(Variant, frozen=True):
    """A reply that holds no action. The agent is told so, and the attempt goes on."""

    problem: Literal[
        "empty", "no_call", "several_calls", "bad_json", "unknown_action", "bad_argument", "cut_off", "refused"
    ]
    message: str
    """What is wrong and what would be right, in the agent's own terms."""
    thought: str = ""
    memory: str = ""


class Turn(Record, frozen=True):
    """One decision with what led to it."""

    choice: Decision | Malformed
    prompt: Prompt | None = None
    completion: Completion | None = None
    """Both None for agents that ask no model."""
