"""Translates an oracle's decisions into those of an agent that sees only the screen and uses nano's actions."""

from __future__ import annotations

import re
from urllib.parse import parse_qsl, urlsplit

import msgspec

from webgym.agent.dialects.dialect import Inexpressible
from webgym.agent.dialects.nano import NANO, WAIT_SECONDS, home_of, name_for, scroll_distance
from webgym.records.action import (
    Answer,
    Back,
    Click,
    Navigate,
    Point,
    Scroll,
    Select,
    TypeText,
    Wait,
)
from webgym.records.decision import Decision
from webgym.records.observation import Box, Element, Observation, TextLine
from webgym_nano.lessons.answers import Said
from webgym_nano.lessons.names import (
    FIELDS,
    aim_box,
    corners_of,
    element_of,
    is_interactive,
    letters,
    name_among,
    name_of,
    steady_point,
)

_NOT_WORDS = re.compile(r"[^\w.]+")
_QUOTED = re.compile(r'“([^”]+)”|"([^"]+)"')
_SEEKING = "scroll to "
_ENOUGH = 10
"""Letters that suffice to recognise a name, unless half of its letters are fewer."""
_DISMISS = "dismiss:"
_LEGIBLE = 8
"""Minimum height in pixels of a legible link."""


def as_seen(decision: Decision, seen: Observation, *, unmoved: bool = False, instruction: str = "") -> Decision | None:
    """Translate a decision to nano's terms: targets named in words, links clicked on their text, scrolls of fixed size.

    Args:
        decision: An oracle's decision. For answers, see `answered`.
        seen: The observation it was made on.
        unmoved: Whether the previous action was a scroll that had no effect.
        instruction: The task's instruction, which tells what to scroll for.

    Returns:
        None if nano has no such action.
    """
    return _sayable(_told(decision, seen, unmoved, instruction), seen)


def answered(said: Said, seen: Observation, *, unmoved: bool = False) -> Decision | None:
    """Return the answer if all of it is visible, else a scroll towards the missing part.

    Returns:
        None if the page does not contain it: nano remembers nothing of pages it has left.
    """
    if said.visible:
        return _sayable(Decision(Answer(said.text), _read_at(said.at, seen)), seen)
    if said.away is None:
        return None
    down = said.away.box.y > seen.viewport.height / 2
    scroll = _scrolled(Decision(Scroll(dy=1 if down else -1)), seen, unmoved)
    return _sayable(msgspec.structs.replace(scroll, sentence=scroll.sentence or name_for(said.away.label)), seen)


def _read_at(line: TextLine | None, seen: Observation) -> Box | None:
    if line is None:
        return None
    left, top, right, bottom = corners_of(line.box, seen.viewport)
    return Box(left, top, right - left, bottom - top)


def _sayable(told: Decision, seen: Observation) -> Decision | None:
    try:
        NANO.say(told, seen)
    except Inexpressible:
        return None
    return told


def _told(decision: Decision, seen: Observation, unmoved: bool, instruction: str) -> Decision:
    match decision.action:
        case Click(Point()) | TypeText(target=Point()) | Select(Point()):
            return _aimed(decision, decision.action, seen, instruction)
        case Scroll():
            return _scrolled(decision, seen, unmoved, instruction)
        case Navigate(url) if url != home_of(seen):
            return Decision(Back())  # astray on another website
        case Wait():
            return Decision(Wait(WAIT_SECONDS))
        case _:
            return Decision(decision.action)


def _aimed(decision: Decision, action: Click | TypeText | Select, seen: Observation, instruction: str) -> Decision:
    point = action.target
    if not isinstance(point, Point):
        return decision
    element = element_of(seen.elements or (), decision.box, point)
    if element is None:
        return Decision(action, decision.box, "")
    match action:
        case Click():
            return click_on(_with_words(element, seen), seen, instruction)
        case TypeText(text, submit=True):
            action = msgspec.structs.replace(action, text=_phrase(text, instruction, seen))
        case Select(options=(value,)):
            action = msgspec.structs.replace(action, options=(element.options.get(value) or value,))
        case _:
            pass
    return _on(element, action, seen, name_of(element))


def _phrase(text: str, instruction: str, seen: Observation) -> str:
    """Return the text to search for: the phrase quoted in the task, where the oracle uses only some words of it.

    If the phrase was already searched for, the oracle's words are used.
    """
    asked = dict(parse_qsl(urlsplit(seen.url).query)).get("q", "")
    words = set(_plain(text).split())
    for quoted in _QUOTED.findall(instruction):
        phrase = " ".join("".join(quoted).split())
        if words <= set(_plain(phrase).split()) and _plain(asked) != _plain(phrase):
            return phrase
    return text


def click_on(element: Element, seen: Observation, instruction: str = "") -> Decision:
    """Click on a reachable element."""
    name = name_among(element, seen.lines or (), instruction)
    return _on(element, Click(element.point or Point(0, 0)), seen, name)


def _on(element: Element, action: Click | TypeText | Select, seen: Observation, name: str) -> Decision:
    point = steady_point(element, seen.viewport)
    left, top, right, bottom = aim_box(element.box, point, seen.viewport)
    box = Box(left, top, right - left, bottom - top)
    return Decision(msgspec.structs.replace(action, target=point), box, name)


def _with_words(element: Element, seen: Observation) -> Element:
    """Replace a link without text by one to the same page that has some."""
    if not element.href or letters(element.text) >= 3:
        return element
    others = [
        one
        for one in seen.elements or ()
        if one.href == element.href and one.point is not None and letters(one.text) >= 3 and one.box.height >= _LEGIBLE
    ]
    return min(others, key=lambda one: abs(one.box.y - element.box.y), default=element)


def _scrolled(decision: Decision, seen: Observation, unmoved: bool, instruction: str = "") -> Decision:
    action, elements = decision.action, seen.elements or ()
    if unmoved and (closing := uncover(seen)) is not None:
        return closing
    if not isinstance(action, Scroll) or not action.dy:
        return decision
    distance = scroll_distance(seen.viewport, page=action.target is None)
    scroll = Scroll(dy=distance if action.dy > 0 else -distance, target=action.target)
    return Decision(scroll, _scroller(action, seen), _sought(decision.sentence, elements, instruction))


def uncover(seen: Observation) -> Decision | None:
    """Close an overlay, which the oracle, seeing the page behind it, may not know to be in the way."""
    closers = (one for one in seen.elements or () if one.key.startswith(_DISMISS) and one.point is not None)
    closer = next(closers, None)
    return None if closer is None else click_on(closer, seen)


def _scroller(action: Scroll, seen: Observation) -> Box | None:
    """Return the box of the part of the page that is scrolled."""
    point = action.target
    if not isinstance(point, Point):
        return None
    frames = {one.scroller for one in seen.elements or () if one.scroller is not None}
    around = [one for one in frames if one.x <= point.x <= one.x + one.width and one.y <= point.y <= one.y + one.height]
    frame = min(around, key=lambda one: one.width * one.height, default=Box(point.x - 40, point.y - 40, 80, 80))
    left, top, right, bottom = aim_box(frame, point, seen.viewport)
    return Box(left, top, right - left, bottom - top)


def _sought(sentence: str, elements: tuple[Element, ...], instruction: str) -> str:
    """Return what the oracle scrolls to, in words that can be known before it is visible."""
    if not sentence.startswith(_SEEKING):
        return ""
    called = sentence.removeprefix(_SEEKING)
    for one in elements:
        if called == (repr(one.text[:40]) if one.text else one.key or one.tag):
            return _known(one, instruction)
    return ""


def _known(element: Element, instruction: str) -> str:
    """Return the words shared with the task; or the name of a control or menu item, as sites use common ones."""
    asked = f" {_plain(instruction)} "
    words = element.text.split()
    runs = (words[at : at + size] for size in range(len(words), 0, -1) for at in range(len(words) - size + 1))
    enough = max(3, min(_ENOUGH, letters(element.text) / 2))
    for run in runs:
        if letters(" ".join(run)) >= enough and f" {_plain(' '.join(run))} " in asked:
            return name_for(" ".join(run))
    if element.scroller is not None or element.tag in ("button", "summary", *FIELDS):
        return name_of(element)
    return "" if is_interactive(element) else name_for(element.key.rpartition(":")[2].replace("-", " "))


def _plain(text: str) -> str:
    return " ".join(word.strip(".") for word in _NOT_WORDS.sub(" ", text.lower()).split())
