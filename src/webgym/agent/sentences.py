"""Describes actions in words, for agents that do not describe them themselves."""

from __future__ import annotations

from webgym.agent.untrusted import quoted
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
    MarkRef,
    Navigate,
    NewTab,
    Press,
    Reload,
    Scroll,
    Select,
    SwitchTab,
    Target,
    TypeText,
    Upload,
    Wait,
)
from webgym.records.observation import Observation

_MOST = 60
_CLICKS = {("left", 1): "Click", ("left", 2): "Double-click", ("left", 3): "Triple-click", ("right", 1): "Right-click"}


def sentence_for(action: Action, seen: Observation) -> str:
    """Describe an action. Elements are named if known; coordinates are omitted, as they become stale."""
    match action:
        case Click() | Hover() | Drag() | Scroll():
            return _pointing(action, seen)
        case TypeText() | Press() | Select() | Upload():
            return _entering(action, seen)
        case Back() | Forward() | Reload() | Navigate():
            return _loading(action)
        case NewTab() | SwitchTab() | CloseTab():
            return _tab(action)
        case AnswerDialog(accept, text):
            return f"{'Accept' if accept else 'Dismiss'} the dialog{_with(text)}."
        case Wait():
            return "Wait."
        case Answer(text):
            return f"Answer {quoted(text, _MOST)}."


def _pointing(action: Click | Hover | Drag | Scroll, seen: Observation) -> str:
    match action:
        case Click(target, button, count):
            return f"{_CLICKS.get((button, count), 'Click')}{_on(target, seen)}."
        case Hover(target):
            return f"Move the mouse{_on(target, seen)}."
        case Drag(start, end):
            return f"Drag{_on(start, seen)}{_on(end, seen, 'to')}."
        case Scroll(dx, dy):
            vertical = "down" if dy > 0 else "up"
            return f"Scroll {vertical if dy else 'right' if dx > 0 else 'left'}."


def _entering(action: TypeText | Press | Select | Upload, seen: Observation) -> str:
    match action:
        case TypeText(text, target, _, submit):
            return f"Type {quoted(text, _MOST)}{_on(target, seen, 'into')}{' and press Enter' if submit else ''}."
        case Press(keys):
            return f"Press {'+'.join(keys)}."
        case Select(target, options):
            return f"Select {quoted(', '.join(options), _MOST)}{_on(target, seen, 'in')}."
        case Upload(_, files):
            return f"Upload {quoted(', '.join(file.name for file in files), _MOST)}."


def _loading(action: Back | Forward | Reload | Navigate) -> str:
    match action:
        case Back():
            return "Go back."
        case Forward():
            return "Go forward."
        case Reload():
            return "Reload the page."
        case Navigate(url):
            return f"Load {quoted(url, _MOST)}."


def _tab(action: NewTab | SwitchTab | CloseTab) -> str:
    match action:
        case NewTab(url):
            return f"Open a new tab{_with(url)}."
        case SwitchTab(tab):
            return f"Switch to tab {tab}."
        case CloseTab(tab):
            return "Close the tab." if tab is None else f"Close tab {tab}."


def _on(target: Target | None, seen: Observation, word: str = "on") -> str:
    """Name the target element, if it is known."""
    match target:
        case MarkRef(number):
            name = next((mark.name for mark in seen.marks or () if mark.mark == number), "")
            return f" {word} {quoted(name, _MOST)}" if name else f" {word} element {number}"
        case _:
            return ""


def _with(text: str) -> str:
    return f" with {quoted(text, _MOST)}" if text else ""
