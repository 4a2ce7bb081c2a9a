"""Questions about a page that its DOM can answer: where things are, what is where, what it says.

Replies that name a place, and answers about values, are written as nano writes decisions, which practises what it does
in attempts. Replies that merely read a text are plain.
"""

from __future__ import annotations

import re
import string
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from webgym.agent.dialects.nano import name_for, write_place
from webgym.agent.untrusted import one_line
from webgym.records.action import Point
from webgym.records.lesson import Question, QuestionKind
from webgym.records.observation import Element, Observation, TextLine
from webgym.rng import Rng
from webgym_nano.lessons.names import (
    FIELDS,
    TICKED,
    Corners,
    aim_box,
    corners_of,
    is_interactive,
    is_text_field,
    letters,
    lines_in,
    name_among,
    steady_point,
)

MOST: Mapping[QuestionKind, int] = {"where": 10, "what": 4, "value": 8, "text": 10}
"""Maximum questions of each kind per page."""
LONGEST = 40
"""Maximum characters of a text to read."""
_LONGEST_LABEL = 48
_SMALLEST = 5
"""Minimum side length in pixels."""
_IN_SIGHT = 0.55
"""Minimum share of an element within the viewport."""
_PRICE = re.compile(r"[$€£]\s?\d|\d\s?[$€£]")
_DATE = re.compile(r"\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\b.*\d|\d{4}-\d\d-\d\d", re.IGNORECASE)
_COUNTED = re.compile(r"^\d[\d,.]* ([a-z]{3,})$")
_RATING = re.compile(r"★|^\d\.\d(?:\s|$|/)")
_WIDEST = 8.0
"""Assumed width of a letter in pixels: longer contents are not fully visible in their field."""
_NEAR = 220.0, 40.0
"""Maximum distance in pixels, to the right and down, at which lines are neighbours."""
_CLICKS = ("click {}", "click {}", "{}", "{}", "open {}", "press {}")
_TYPINGS = ("type {} into {}", "enter {} in {}", "put {} in {}")
_VALUES = ("what is the {}?", "{}?", "tell me the {}")


@dataclass(frozen=True, slots=True)
class _Named:
    """A visible element with a name for it."""

    element: Element
    point: Point
    name: str
    box: Corners


def questions_about(seen: Observation, rng: Rng) -> tuple[Question, ...]:
    """Return questions about a page observed with elements and lines; if there are many, the most useful ones."""
    named = list(_named(seen))
    lines = [line for line in seen.lines or () if line.shown and _is_legible(line, seen)]
    page = _Page(seen, named, lines, rng)
    # Most useful first: of each kind, those beyond the maximum are dropped.
    order = (page.actions, page.spots, page.labels, page.contents, page.neighbours, page.things, page.texts)
    found = [one for ask in order for one in rng.shuffled(list(ask()))]
    left = dict(MOST)
    kept: list[Question] = []
    for one in _distinct(found):
        if left[one.kind]:
            left[one.kind] -= 1
            kept.append(one)
    return tuple(kept)


class _Page:
    """One observation of a page."""

    def __init__(self, seen: Observation, named: list[_Named], lines: list[TextLine], rng: Rng) -> None:
        self._viewport = seen.viewport
        self._rng = rng
        self._named = [one for one in named if one.name]
        self._lines = lines
        self._names = Counter(one.name.casefold() for one in self._named)
        self._said = Counter(line.text.casefold() for line in lines)

    def actions(self) -> Iterator[Question]:
        """Where a usable element is, as a one-step instruction."""
        for one in self._unique():
            element = one.element
            if is_text_field(element) and element.type not in ("date", "file", "color", "range"):
                yield self._typing(one)
            elif element.tag == "select" and element.options:
                yield self._choosing(one)
            elif is_interactive(element):
                yield self._act(one, self._rng.pick(_CLICKS).format(one.name), "c")

    def spots(self) -> Iterator[Question]:
        """Where a text is."""
        for line in self._lines:
            name = name_for(line.text)
            once = self._said[line.text.casefold()] == 1 and not self._names[name.casefold()]
            if once and name == line.text and letters(name) > 2:
                box = corners_of(line.box, self._viewport)
                yield Question(f"find {name}", f"{name}>c{self._place(_middle(box))}", "where", box)

    def contents(self) -> Iterator[Question]:
        """What fields contain, and whether checkboxes are on."""
        for one in self._unique():
            element = one.element
            if element.type in TICKED and element.tag == "input":
                yield self._answer(f"is {one.name} on?", "yes" if element.checked else "no", one.box)
            elif element.tag in FIELDS and element.type not in (
                "password",
                "date",
                "file",
                "submit",
                "button",
                "reset",
            ):
                held = element.options.get(element.value, "") if element.tag == "select" else element.value
                if _is_short(held) and len(held) * _WIDEST < element.box.width:
                    yield self._answer(f"what is in {one.name}?", held, one.box)

    def labels(self) -> Iterator[Question]:
        """The value of a label, a table column or a card: prices, dates, ratings, counts."""
        asked = [(about, line) for line in self._lines for about in _abouts(line)]
        once = Counter(about.casefold() for about, _ in asked)
        for about, line in asked:
            if once[about.casefold()] == 1 and _is_short(line.text) and about.casefold() != line.text.casefold():
                box = corners_of(line.box, self._viewport)
                yield self._answer(self._rng.pick(_VALUES).format(about), line.text, box)

    def neighbours(self) -> Iterator[Question]:
        """What is beside or below a text that occurs once."""
        for line in self._lines:
            if self._said[line.text.casefold()] != 1 or not _is_short(line.text) or letters(line.text) < 3:
                continue
            for word, other in (("right of", _beside(line, self._lines)), ("below", _below(line, self._lines))):
                if other is not None and _is_short(other.text):
                    yield self._answer(f"{word} {line.text}?", other.text, corners_of(other.box, self._viewport))

    def things(self) -> Iterator[Question]:
        """What is at a place."""
        for one in self._named:
            if is_interactive(one.element):
                spot = self._spot(one.box)
                yield Question(f"what is at {self._place(spot)}", one.name, "what", one.box)

    def texts(self) -> Iterator[Question]:
        """What a line says."""
        for line in self._lines:
            if _is_short(line.text):
                box = corners_of(line.box, self._viewport)
                yield Question(f"read {self._place(self._spot(box))}", line.text, "text", box)

    def _unique(self) -> Iterator[_Named]:
        return (one for one in self._named if self._names[one.name.casefold()] == 1)

    def _typing(self, one: _Named) -> Question:
        text = self._text()
        asked = self._rng.pick(_TYPINGS).format(text, one.name)
        if self._rng.chance(0.3):
            return self._act(one, f"{asked} and press Enter", "s", text)
        return self._act(one, asked, "t", text)

    def _choosing(self, one: _Named) -> Question:
        option = one_line(self._rng.pick(list(one.element.options.values())), LONGEST)
        return self._act(one, f"choose {option} in {one.name}", "o", option)

    def _act(self, one: _Named, asked: str, verb: str, text: str = "") -> Question:
        return Question(asked, f"{one.name}>{verb}{self._place(one.point)}{text}", "where", one.box)

    def _text(self) -> str:
        """Text to type: words of the page, or random letters or digits."""
        if self._lines and self._rng.chance(0.5):
            words = self._rng.pick(self._lines).text.split()
            at = self._rng.below(len(words))
            return name_for(" ".join(words[at : at + self._rng.between(1, 3)])) or "x"
        signs = self._rng.pick((string.digits, string.ascii_lowercase))
        return "".join(self._rng.pick(signs) for _ in range(self._rng.between(1, 8)))

    def _answer(self, asked: str, text: str, box: Corners) -> Question:
        return Question(asked, f">a{self._place(_middle(box))}{text}", "value", box)

    def _place(self, point: Point) -> str:
        return write_place(point, self._viewport)

    def _spot(self, box: Corners) -> Point:
        """A random point in a box, most often near its middle."""
        left, top, right, bottom = box
        across, down = ((self._rng.unit() + self._rng.unit()) / 2 for _ in range(2))
        return Point(int(left + across * (right - left - 1)), int(top + down * (bottom - top - 1)))


def _named(seen: Observation) -> Iterator[_Named]:
    for element in seen.elements or ():
        if element.point is None:
            continue
        left, top, right, bottom = corners_of(element.box, seen.viewport)
        whole = max(1.0, element.box.width * element.box.height)
        small = right - left < _SMALLEST or bottom - top < _SMALLEST
        if small or (right - left) * (bottom - top) < _IN_SIGHT * whole:
            continue
        point = steady_point(element, seen.viewport)
        box = aim_box(element.box, point, seen.viewport)
        parts = lines_in(element, seen.lines or ())
        # A card or a row can be named by any of its lines.
        names = [name_for(line.text) for line in parts if letters(line.text) > 2] if len(parts) > 1 else []
        yield from (_Named(element, point, name, box) for name in names or [name_among(element, seen.lines or (), "")])


def _abouts(line: TextLine) -> Iterator[str]:
    """Yield what one could ask for to get this line as the answer."""
    if line.label:
        yield one_line(line.label.strip(" :"), _LONGEST_LABEL)
    if line.item:
        kinds: Sequence[tuple[str, Callable[[str], object]]] = (
            ("price", _PRICE.search),
            ("rating", _RATING.search),
            ("date", _DATE.search),
        )
        counted = _COUNTED.search(line.text)
        kind = counted[1] if counted else next((name for name, fits in kinds if fits(line.text)), "")
        if kind:
            yield f"{kind} of {one_line(line.item, _LONGEST_LABEL)}"


def _beside(line: TextLine, lines: Sequence[TextLine]) -> TextLine | None:
    """Return the next line to its right at the same height."""
    box, end = line.box, line.box.x + line.box.width
    middle = box.y + box.height / 2
    near = [
        one
        for one in lines
        if end <= one.box.x + 1 < end + _NEAR[0] and one.box.y <= middle <= one.box.y + one.box.height
    ]
    return min(near, key=lambda one: one.box.x, default=None)


def _below(line: TextLine, lines: Sequence[TextLine]) -> TextLine | None:
    """Return the next line below it that is left-aligned with it."""
    box, end = line.box, line.box.y + line.box.height
    near = [one for one in lines if end <= one.box.y + 2 < end + _NEAR[1] and abs(one.box.x - box.x) < box.height]
    return min(near, key=lambda one: one.box.y, default=None)


def _is_legible(line: TextLine, seen: Observation) -> bool:
    left, top, right, bottom = corners_of(line.box, seen.viewport)
    return right - left >= _SMALLEST and bottom - top >= _SMALLEST and one_line(line.text, 4 * LONGEST) == line.text


def _is_short(text: str) -> bool:
    return 0 < len(text) <= LONGEST and one_line(text, LONGEST) == text


def _middle(box: Corners) -> Point:
    return Point((box[0] + box[2]) // 2, (box[1] + box[3]) // 2)


def _distinct(questions: Sequence[Question]) -> list[Question]:
    """Drop repeated questions."""
    by_ask: dict[str, Question] = {}
    for one in questions:
        by_ask.setdefault(one.ask, one)
    return list(by_ask.values())
