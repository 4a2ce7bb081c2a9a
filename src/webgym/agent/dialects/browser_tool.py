"""The second tool of computer-use models: actions that a browser has and a desktop does not."""

from __future__ import annotations

from collections.abc import Mapping

from webgym.agent.dialects.arguments import Arguments, Complaint
from webgym.agent.dialects.browsing import TABS, Fields, answer_dialog, truths, written_elsewhere
from webgym.agent.dialects.places import Coordinates
from webgym.agent.dialects.spaces import pixels
from webgym.agent.dialects.vocabulary import Reader, Written
from webgym.records.action import Action, Answer, Back, Forward, Reload, Select, TypeText
from webgym.records.observation import Observation

NAME = "browser"
PLACES = Coordinates(pixels)


def _fill(given: Arguments) -> Action:
    mode = "append" if given.flag("append", False) else "replace"
    return TypeText(given.text("text"), PLACES.given(given), mode, given.flag("press_enter", False))


READERS: Mapping[str, Reader] = {
    "fill": _fill,
    "select": lambda given: Select(PLACES.needed(given), given.texts("options")),
    "back": lambda _: Back(),
    "forward": lambda _: Forward(),
    "reload": lambda _: Reload(),
    **TABS,
    "answer_dialog": answer_dialog,
    "answer": lambda given: Answer(given.text("text")),
}


def write(action: Action, seen: Observation) -> Written:
    """Return an action of this tool as a call."""
    name, fields = _written(action, seen)
    return NAME, {"action": name, **fields}


def _written(action: Action, seen: Observation) -> tuple[str, Fields]:
    match action:
        case TypeText(text, target, mode, submit):
            where = PLACES.written(target, seen)
            return "fill", {**where, "text": text, **truths(press_enter=submit, append=mode == "append")}
        case Select(target, options):
            return "select", {**PLACES.written(target, seen), "options": list(options)}
        case Answer(text):
            return "answer", {"text": text}
        case _:
            return written_elsewhere(action)


def no_need(given: Arguments) -> Action:
    """Reject an action that computer-use models know but that is not needed here."""
    raise Complaint(
        "unknown_action", f"{given.action} is not needed: the page is shown after every action. Choose one that acts"
    )
