"""What a policy is taught before it learns by itself: pages with what to say about them."""

from __future__ import annotations

from typing import Literal

from webgym.records.base import Record

LESSON_VERSION = 2

QuestionKind = Literal["where", "what", "value", "text", "task"]
"""Where is this, what is here, what does the field or label of this name say, what does this line say; and what would
one do here about another task."""


class Question(Record, frozen=True):
    """Something that can be read off a page. Texts are what comes after the picture, as a model gets them."""

    ask: str
    reply: str
    kind: QuestionKind
    box: tuple[int, int, int, int] | None = None
    """Left, top, right, bottom in pixels, where a reply that names a place is right."""


class Lesson(Record, frozen=True):
    """One screenshot: what an attempt should do here, and questions about it."""

    picture: bytes
    """Encoded."""
    site: str
    questions: tuple[Question, ...]
    ask: str = ""
    """The attempt's prompt after the picture; empty if only questions are asked."""
    reply: str = ""
    """What to say: an oracle's decision, whoever led the attempt here."""
    verb: str = ""
    """Kind of its action, to count by."""
    box: tuple[int, int, int, int] | None = None
    """Where its place may be."""
    by: Literal["oracle", "policy"] = "oracle"
    """Who acted in the attempt."""
    task_id: str = ""
    step: int = 0
    version: int = LESSON_VERSION
