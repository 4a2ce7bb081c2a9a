"""What an agent decides to do next, and the prompt and completion that led to it."""

from __future__ import annotations

from typing import Literal

from webgym.records.action import Action
from webgym.records.base import Record, Variant
from webgym.records.observation import Box
from webgym.records.prompt import Completion, Prompt


class Decision(Variant, frozen=True):
    """A reply that holds an action."""

    action: Action
    box: Box | None = None
    """Viewport box of the action's target element, if the agent knows it. Used to grade demonstrations."""
    sentence: str = ""
    """The action in words, for later prompts and for people."""
    thought: str = ""
    call: str = ""
    """The tool call as the model wrote it."""
    memory: str = ""
    """Notes the agent carries to its next steps."""


class MalformedReply(Variant, frozen=True, tag="malformed"):
    """A reply without a valid action. The agent is told so, and the attempt continues."""

    problem: Literal[
        "empty", "no_call", "several_calls", "bad_json", "unknown_action", "bad_argument", "cut_off", "refused"
    ]
    message: str
    """What is wrong and how to correct it, in the terms of the agent's dialect."""
    thought: str = ""
    memory: str = ""


class Branch(Record, frozen=True):
    """Another reply to the prompt of a turn, sampled to be compared with the one acted on."""

    answer: str | None
    """The final answer that it gives; None if it gives none."""
    completion: Completion
    """Without the prompt's tokens, which are those of the turn."""


class Turn(Record, frozen=True):
    """One decision, with the prompt and the completion that led to it."""

    choice: Decision | MalformedReply
    prompt: Prompt | None = None
    completion: Completion | None = None
    """Like `prompt`, None for agents that use no model."""
    branches: tuple[Branch, ...] = ()
