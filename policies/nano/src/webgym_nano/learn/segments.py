"""Lessons as arrays: the concatenated tokens of a lesson's segments, and a table that describes them."""

from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray
from PIL import Image, UnidentifiedImageError

from webgym.records.lesson import Lesson, Question
from webgym_nano.config import NanoConfig
from webgym_nano.learn.letters import letters_of
from webgym_nano.learn.replies import ANSWERING, read_decision
from webgym_nano.learn.settings import ShelfSettings
from webgym_nano.learn.words import Words

_FAR = 32_000
Bytes = NDArray[np.uint8]
Shorts = NDArray[np.int16]


class Kind:
    """Kinds of segments. An answer, which ends an attempt, weighs more than other decisions.

    Plain integers: torch cannot compile comparisons of tensors with enum members.
    """

    NONE: Final = 0
    POLICY: Final = 1
    ANSWER: Final = 2
    WHERE: Final = 3
    """The first kind of question; all after it are questions too."""
    WHAT: Final = 4
    VALUE: Final = 5
    TEXT: Final = 6
    TASK: Final = 7
    """The decision for another task."""
    TASK_ANSWER: Final = 8
    """The same, if it is an answer."""


DECISIONS = (Kind.POLICY, Kind.ANSWER, Kind.TASK, Kind.TASK_ANSWER)
ANSWERS = (Kind.ANSWER, Kind.TASK_ANSWER)

QUESTIONS = {"where": Kind.WHERE, "what": Kind.WHAT, "value": Kind.VALUE, "text": Kind.TEXT, "task": Kind.TASK}


class Column:
    """Columns of the table, which has a row per segment."""

    START: Final = 0
    """Offset in the lesson's tokens."""
    ASK: Final = 1
    """Number of tokens before the reply."""
    LENGTH: Final = 2
    """Number of tokens; 0: no segment."""
    KIND: Final = 3
    PLACE: Final = 4
    """Offset of the first of the reply's two location tokens in the segment; 0: it names no location."""
    LEFT: Final = 5
    """First of the four sides of the box; -1: no box."""
    TOP: Final = 6
    RIGHT: Final = 7
    BOTTOM: Final = 8


COLUMNS = 9


@dataclass(frozen=True, slots=True)
class Prepared:
    """Lessons as arrays; the first axis is the lesson."""

    pictures: Bytes
    tokens: Shorts
    table: Shorts
    letters: Shorts
    """Row, column and kind of each letter; -1 after the last."""
    verbs: tuple[str, ...]
    sites: tuple[str, ...]
    left_out: int
    """Segments that do not fit, and lessons whose image cannot be used."""

    def __len__(self) -> int:
        return len(self.sites)

    def part(self, numbers: Sequence[int]) -> Prepared:
        """Return the lessons at these indices."""
        pick = list(numbers)
        return Prepared(
            self.pictures[pick],
            self.tokens[pick],
            self.table[pick],
            self.letters[pick],
            tuple(self.verbs[number] for number in pick),
            tuple(self.sites[number] for number in pick),
            self.left_out,
        )


class Preparer:
    """Turns lessons into arrays, for one size of image."""

    def __init__(self, config: NanoConfig, settings: ShelfSettings, words: Words, longest: int, most: int) -> None:
        self._config = config
        self._settings = settings
        self._words = words
        self._longest, self._most = longest, most
        """Maximum tokens of a segment, and of its reply."""

    def prepare(self, lessons: Sequence[Lesson]) -> Prepared:
        """Prepare the lessons that can be used; the others are left out."""
        settings, config, count = self._settings, self._config, len(lessons)
        pictures = np.zeros((count, config.height, config.width, 3), np.uint8)
        tokens = np.zeros((count, settings.tokens), np.int16)
        table = np.zeros((count, settings.questions + 1, COLUMNS), np.int16)
        letters = np.full((count, settings.letters, 3), -1, np.int16)
        good: list[int] = []
        left_out = 0
        for number, lesson in enumerate(lessons):
            picture = decode_picture(lesson.picture, config)
            if picture is None:
                left_out += 1
                continue
            pictures[number] = picture
            left_out += self._segments(lesson, tokens[number], table[number])
            self._letters(lesson, letters[number])
            if table[number, :, Column.LENGTH].any():
                good.append(number)
        verbs = tuple(lesson.verb for lesson in lessons)
        sites = tuple(lesson.site for lesson in lessons)
        return Prepared(pictures, tokens, table, letters, verbs, sites, left_out).part(good)

    def _segments(self, lesson: Lesson, tokens: Shorts, table: Shorts) -> int:
        asked = _asked(lesson)
        coded = self._words.encode([text for ask, reply, *_ in asked for text in (ask, reply)])
        start = row = left_out = 0
        for number, (_, _, kind, box) in enumerate(asked):
            ask = [*coded[2 * number], self._words.assistant]
            reply = [*coded[2 * number + 1], self._words.end]
            length = len(ask) + len(reply)
            too_long = length > self._longest or len(reply) > self._most or start + length > len(tokens)
            if too_long or row == len(table):
                left_out += 1
                continue
            tokens[start : start + length] = ask + reply
            place = self._place(reply)
            corners = (-1, -1, -1, -1) if box is None else [max(0, min(side, _FAR)) for side in box]
            table[row] = (start, len(ask), length, kind, 0 if place is None else len(ask) + place, *corners)
            start += length
            row += 1
        return left_out

    def _place(self, reply: Sequence[int]) -> int | None:
        """Return the offset of the first location in a reply."""
        cells = [self._words.cell(token) is not None for token in reply]
        return next((at for at in range(len(reply) - 1) if cells[at] and cells[at + 1]), None)

    def _letters(self, lesson: Lesson, letters: Shorts) -> None:
        lines = ((one.reply, one.box) for one in lesson.questions if one.kind == "text" and one.box is not None)
        found = (letter for text, box in lines for letter in letters_of(text, box, self._config))
        for number, letter in zip(range(len(letters)), found, strict=False):
            letters[number] = (letter.row, letter.column, letter.kind)


def _asked(lesson: Lesson) -> list[tuple[str, str, int, tuple[int, int, int, int] | None]]:
    """Return the segments of a lesson, the decision first: it matters most if there is no room for all."""
    found = [_question(question) for question in lesson.questions]
    if lesson.reply:
        kind = Kind.ANSWER if lesson.verb == "answer" else Kind.POLICY
        found.insert(0, (lesson.ask, lesson.reply, kind, lesson.box))
    return found


def _question(question: Question) -> tuple[str, str, int, tuple[int, int, int, int] | None]:
    kind = QUESTIONS[question.kind]
    if kind == Kind.TASK and read_decision(question.reply).verb == ANSWERING:
        kind = Kind.TASK_ANSWER
    return question.ask, question.reply, kind, question.box


def decode_picture(data: bytes, config: NanoConfig) -> Bytes | None:
    """Return the pixels of an image; None if it cannot be decoded, or is of another size."""
    try:
        with Image.open(io.BytesIO(data)) as image:
            if image.size != (config.width, config.height):
                return None
            return np.asarray(image.convert("RGB"))
    except (OSError, UnidentifiedImageError):
        return None
