"""Tokenises and reads one line of the compact dialect."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass

from webgym.agent.dialects.arguments import Complaint
from webgym.agent.dialects.spaces import thousandths, to_point
from webgym.agent.untrusted import one_line, storable
from webgym.records.action import Point
from webgym.records.observation import Viewport

_WORD = re.compile(r'\s*("(?:[^"\\]|\\.)*"|[^\s"]+)')
_NUMBER = re.compile(r"-?\d{1,6}(?:\.\d{1,6})?")


def split_words(line: str) -> list[str]:
    """Split a line into words and texts; a text keeps its quotation marks."""
    words: list[str] = []
    at = 0
    line = line.strip()
    while at < len(line):
        word = _WORD.match(line, at)
        if word is None:
            raise Complaint("bad_json", f'a text stands between ", with \\" and \\n inside of it: {one_line(line, 80)}')
        words.append(word[1])
        at = word.end()
    return words


@dataclass(slots=True)
class ArgumentReader:
    """The words after a verb, consumed from left to right."""

    form: str
    """How the verb is used, for error messages."""
    rest: list[str]
    viewport: Viewport

    def bad(self) -> Complaint:
        return Complaint("bad_argument", f"write it as: {self.form}")

    def end(self) -> None:
        """Check that no words are left."""
        if self.rest:
            raise Complaint("bad_argument", f"{one_line(self.rest[0], 40)} is too much; write it as: {self.form}")

    def number(self) -> float | None:
        """Take the next word, if it is a number."""
        if self.rest and _NUMBER.fullmatch(self.rest[0]):
            return float(self.rest.pop(0))
        return None

    def whole(self) -> int | None:
        """Take the next word, if it is an integer."""
        number = self.number()
        if number is not None and not number.is_integer():
            raise self.bad()
        return None if number is None else int(number)

    def place(self) -> Point | None:
        """Take the next two words as a place, if they are numbers."""
        x = self.number()
        if x is None:
            return None
        y = self.number()
        if y is None:
            raise self.bad()
        return to_point(x, y, thousandths(self.viewport), self.viewport)

    def needed_place(self) -> Point:
        """Take the next two words, which must be numbers, as a place."""
        place = self.place()
        if place is None:
            raise self.bad()
        return place

    def text(self) -> str | None:
        """Take the next word, if it is a text."""
        if not self.rest or not self.rest[0].startswith('"'):
            return None
        try:
            return storable(json.loads(self.rest.pop(0), strict=False))
        except ValueError:
            raise Complaint(
                "bad_json", f'a text is written as in JSON, with \\" and \\\\ inside: {self.form}'
            ) from None

    def needed_text(self) -> str:
        """Take the next word, which must be a text."""
        text = self.text()
        if text is None:
            raise self.bad()
        return text

    def word(self, *options: str) -> str | None:
        """Take the next word, if it is one of these."""
        return self.rest.pop(0) if self.rest and self.rest[0] in options else None
