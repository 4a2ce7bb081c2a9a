"""Agents that solve a few of the tasks from what a session shows, to prove that rewards arrive."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence

from webgym.records.action import Action, Answer, Click, Select, Target, TypeText
from webgym.records.decision import Decision, Turn
from webgym.records.observation import Capture, Element
from webgym_miniwob.instance import Instance

Solver = Callable[[str, Sequence[Element]], Iterator[Action]]
"""Yields what is left to do for an utterance on a page with these elements; only the first is done before it is asked
again."""


class Oracle:
    """Reads the utterance from the server, and elements from observations taken with `Look(elements=True)`."""

    def __init__(self, solver: Solver, instance: Instance) -> None:
        self._solver = solver
        self._instance = instance

    async def decide(self, capture: Capture) -> Turn:
        """Return the next action, or the answer if nothing is left to do."""
        shown = [element for element in capture.observation.elements or () if element.point is not None]
        action = next(self._solver(self._instance.progress.utterance, shown), None)
        return Turn(Decision(action or Answer("Done.")))


def _point(element: Element) -> Target:
    assert element.point is not None  # noqa: S101  others are left out
    return element.point


def _fields(shown: Sequence[Element], *types: str) -> list[Element]:
    return [element for element in shown if element.tag == "input" and element.type in types]


def _pressed(shown: Sequence[Element], text: str = "") -> Iterator[Action]:
    for element in shown:
        if element.tag in {"button", "a"} and (not text or element.text == text):
            yield Click(_point(element))


def _quoted(utterance: str) -> list[str]:
    return re.findall(r'"([^"]*)"', utterance)


def _filled(shown: Sequence[Element], values: Sequence[str]) -> Iterator[Action]:
    for field, value in zip(_fields(shown, "text", "password"), values, strict=True):
        if field.value != value:
            yield TypeText(value, _point(field))
    yield from _pressed(shown)


def _quoted_button(utterance: str, shown: Sequence[Element]) -> Iterator[Action]:
    return _pressed(shown, _quoted(utterance)[0])


def _any_button(utterance: str, shown: Sequence[Element]) -> Iterator[Action]:
    del utterance
    return _pressed(shown)


def _button_one(utterance: str, shown: Sequence[Element]) -> Iterator[Action]:
    del utterance
    return _pressed(shown, "ONE")


def _tab(utterance: str, shown: Sequence[Element]) -> Iterator[Action]:
    return _pressed(shown, utterance.removeprefix("Click on ").removesuffix("."))


def _first_field(utterance: str, shown: Sequence[Element]) -> Iterator[Action]:
    del utterance
    yield Click(_point(_fields(shown, "text")[0]))


def _numbered_field(utterance: str, shown: Sequence[Element]) -> Iterator[Action]:
    number = re.search(r"\d+", utterance)
    if number:
        yield Click(_point(_fields(shown, "text")[int(number[0]) - 1]))


def _one_text(utterance: str, shown: Sequence[Element]) -> Iterator[Action]:
    return _filled(shown, _quoted(utterance)[:1])


def _password(utterance: str, shown: Sequence[Element]) -> Iterator[Action]:
    return _filled(shown, _quoted(utterance)[:1] * 2)


def _login(utterance: str, shown: Sequence[Element]) -> Iterator[Action]:
    return _filled(shown, _quoted(utterance))


def _checkboxes(utterance: str, shown: Sequence[Element]) -> Iterator[Action]:
    wanted = utterance.removeprefix("Select ").removesuffix(" and click Submit.").split(", ")
    for box in _fields(shown, "checkbox", "radio"):
        if box.text in wanted and not box.checked:
            yield Click(_point(box))
    yield from _pressed(shown, "Submit")


def _list(utterance: str, shown: Sequence[Element]) -> Iterator[Action]:
    wanted = utterance.removeprefix("Select ").removesuffix(" from the list and click Submit.")
    for element in shown:
        if element.tag == "select" and element.options.get(element.value) != wanted:
            yield Select(_point(element), (wanted,))
    yield from _pressed(shown, "Submit")


SOLVERS: Mapping[str, Solver] = {
    "choose-list": _list,
    "click-button": _quoted_button,
    "click-checkboxes": _checkboxes,
    "click-dialog": _any_button,
    "click-option": _checkboxes,
    "click-tab": _tab,
    "click-test": _any_button,
    "click-test-2": _button_one,
    "enter-password": _password,
    "enter-text": _one_text,
    "enter-text-dynamic": _one_text,
    "focus-text": _first_field,
    "focus-text-2": _numbered_field,
    "login-user": _login,
}
