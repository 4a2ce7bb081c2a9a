"""Supervised training data for the time before RL: screenshots with target replies."""

from __future__ import annotations

from typing import Literal

from webgym.records.base import Record

LESSON_VERSION = 2

QuestionKind = Literal["where", "what", "value", "text", "task"]
"""`where`: locate an element. `what`: name the element at a position. `value`: read a named field or label.
`text`: read the line at a position. `task`: give the next action for another task on the same page."""


class Question(Record, frozen=True):
    """A question that the page answers. `ask` is the prompt text after the picture, `reply` the target."""

    ask: str
    reply: str
    kind: QuestionKind
    box: tuple[int, int, int, int] | None = None
    """Left, top, right, bottom in pixels: where the position in a reply counts as correct."""


class Lesson(Record, frozen=True):
    """One screenshot, with the action to take there and questions about the page."""

    picture: bytes
    """Encoded image."""
    site: str
    questions: tuple[Question, ...]
    ask: str = ""
    """The attempt's prompt text after the picture; empty if there are only questions."""
    reply: str = ""
    """The target: the oracle's decision, whoever acted in the attempt."""
    verb: str = ""
    """Kind of the reply's action, for statistics."""
    box: tuple[int, int, int, int] | None = None
    """Left, top, right, bottom in pixels: where the reply's position counts as correct."""
    by: Literal["oracle", "policy"] = "oracle"
    """Who acted in the attempt."""
    task_id: str = ""
    step: int = 0
    version: int = LESSON_VERSION
