"""One action per line. Texts are JSON strings; places and distances are in thousandths of the viewport."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping

from webgym.agent.dialects.arguments import Complaint, shown
from webgym.agent.dialects.compact_words import ArgumentReader, split_words
from webgym.agent.dialects.dialect import Inexpressible
from webgym.agent.dialects.places import point_of
from webgym.agent.dialects.spaces import from_point, half_up, thousandths
from webgym.agent.dialects.vocabulary import (
    DIRECTIONS,
    default_distance,
    direction_of,
    extent,
    scroll_by,
    seconds,
)
from webgym.records.action import (
    Action,
    Answer,
    AnswerDialog,
    Back,
    Click,
    CloseTab,
    Drag,
    Forward,
    Hover,
    Navigate,
    NewTab,
    Press,
    Reload,
    Scroll,
    Select,
    SwitchTab,
    Target,
    TypeText,
    Wait,
)
from webgym.records.observation import Observation

_BARE_KEY = re.compile(r'[^\s"]+')


def _type(words: ArgumentReader) -> Action:
    place = words.place()
    return TypeText(words.needed_text(), place, "replace", words.word("enter") is not None)


def _add(words: ArgumentReader) -> Action:
    place = words.place()
    return TypeText(words.needed_text(), place, "append", words.word("enter") is not None)


def _press(words: ArgumentReader) -> Action:
    keys: list[str] = []
    while words.rest:
        keys.append(text if (text := words.text()) is not None else words.rest.pop(0))
    if not keys:
        raise words.bad()
    return Press(tuple(keys))


def _select(words: ArgumentReader) -> Action:
    place = words.needed_place()
    options = [words.needed_text()]
    while (option := words.text()) is not None:
        options.append(option)
    return Select(place, tuple(options))


def _scroll(words: ArgumentReader) -> Action:
    place = words.place()
    direction = words.word(*DIRECTIONS)
    if direction is None:
        raise words.bad()
    amount = words.number()
    if amount is None:
        return scroll_by(direction, default_distance(direction, words.viewport), place)
    if amount <= 0:
        raise words.bad()
    return scroll_by(direction, max(1, half_up(amount * extent(direction, words.viewport) / 1000)), place)


def _tab(words: ArgumentReader) -> Action:
    tab = words.whole()
    if tab is None:
        raise words.bad()
    return SwitchTab(tab)


def _wait(words: ArgumentReader) -> Action:
    number = words.number()
    return Wait() if number is None else Wait(number)


_VERBS: Mapping[str, tuple[str, Callable[[ArgumentReader], Action]]] = {
    "click": ("click X Y", lambda words: Click(words.needed_place())),
    "double": ("double X Y", lambda words: Click(words.needed_place(), count=2)),
    "right": ("right X Y", lambda words: Click(words.needed_place(), "right")),
    "middle": ("middle X Y", lambda words: Click(words.needed_place(), "middle")),
    "hover": ("hover X Y", lambda words: Hover(words.needed_place())),
    "drag": ("drag X Y X Y", lambda words: Drag(words.needed_place(), words.needed_place())),
    "type": ('type X Y "text" enter, the place and enter if wanted', _type),
    "add": ('add X Y "text" enter, the place and enter if wanted', _add),
    "press": ("press Control a", _press),
    "select": ('select X Y "label"', _select),
    "scroll": ("scroll X Y down 500, the place and the distance if wanted", _scroll),
    "back": ("back", lambda _: Back()),
    "forward": ("forward", lambda _: Forward()),
    "reload": ("reload", lambda _: Reload()),
    "go": ('go "address"', lambda words: Navigate(words.needed_text())),
    "open": ('open "address"', lambda words: NewTab(words.text() or "")),
    "tab": ("tab 2", _tab),
    "close": ("close 2", lambda words: CloseTab(words.whole())),
    "accept": ('accept "text", the text if wanted', lambda words: AnswerDialog(accept=True, text=words.text() or "")),
    "dismiss": ("dismiss", lambda words: AnswerDialog(accept=False, text=words.text() or "")),
    "wait": ("wait 2", _wait),
    "answer": ('answer "text"', lambda words: Answer(words.needed_text())),
}


def read_line(line: str, seen: Observation) -> Action:
    """Return the action of a line; raises `Complaint` if it is invalid."""
    verb, *rest = split_words(line)
    if verb not in _VERBS:
        raise Complaint("unknown_action", f"there is no action {shown(verb)}; there are {', '.join(_VERBS)}")
    form, read = _VERBS[verb]
    words = ArgumentReader(form, rest, seen.viewport)
    action = read(words)
    words.end()
    return action


def write_line(action: Action, seen: Observation) -> str:
    """Return an action as a line. Raises `Inexpressible`."""
    match action:
        case Click() | Hover() | Drag() | Scroll():
            return _pointing(action, seen)
        case TypeText(text, target, mode, submit):
            verb = "add" if mode == "append" else "type"
            return _joined(verb, _place(target, seen), _text(text), "enter" if submit else "")
        case Press(keys):
            return _joined("press", *(key if _BARE_KEY.fullmatch(key) else _text(key) for key in keys))
        case Select(target, options):
            return _joined("select", _place(target, seen), *map(_text, options))
        case AnswerDialog(accept, text):
            return _joined("accept" if accept else "dismiss", _text(text) if text else "")
        case Wait(time):
            return f"wait {seconds(time)}"
        case Answer(text):
            return f"answer {_text(text)}"
        case _:
            return _elsewhere(action)


def _pointing(action: Click | Hover | Drag | Scroll, seen: Observation) -> str:
    match action:
        case Click(target, button, count, ()) if (button, count) in _CLICKS:
            return _joined(_CLICKS[button, count], _place(target, seen))
        case Click():
            raise Inexpressible(f"there is no click with {action.button} button, count {action.count}")
        case Hover(target):
            return _joined("hover", _place(target, seen))
        case Drag(start, end):
            return _joined("drag", _place(start, seen), _place(end, seen))
        case Scroll():
            return _scrolling(action, seen)


_CLICKS = {("left", 1): "click", ("left", 2): "double", ("right", 1): "right", ("middle", 1): "middle"}


def _scrolling(action: Scroll, seen: Observation) -> str:
    towards = direction_of(action)
    if towards is None or not towards[1]:
        raise Inexpressible("a scroll goes in one direction")
    direction, distance = towards
    amount = max(1, half_up(distance * 1000 / extent(direction, seen.viewport)))
    usual = distance == default_distance(direction, seen.viewport)
    return _joined("scroll", _place(action.target, seen), direction, "" if usual else str(amount))


def _elsewhere(action: Action) -> str:
    match action:
        case Back() | Forward() | Reload():
            return type(action).__name__.lower()
        case Navigate(url):
            return f"go {_text(url)}"
        case NewTab(url):
            return _joined("open", _text(url) if url else "")
        case SwitchTab(tab):
            return f"tab {tab}"
        case CloseTab(tab):
            return _joined("close", "" if tab is None else str(tab))
        case _:
            raise Inexpressible(f"there are no words for {type(action).__name__}")


def _place(target: Target | None, seen: Observation) -> str:
    if target is None:
        return ""
    x, y = from_point(point_of(target, seen), thousandths(seen.viewport), seen.viewport)
    return f"{x} {y}"


def _text(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def _joined(*words: str) -> str:
    return " ".join(word for word in words if word)
