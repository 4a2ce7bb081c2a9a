"""Actions on the browser rather than on the page, which all tools share except for a few names."""

from __future__ import annotations

from collections.abc import Mapping

from webgym.agent.dialects.arguments import Arguments
from webgym.agent.dialects.dialect import Inexpressible
from webgym.agent.dialects.vocabulary import Reader
from webgym.records.action import (
    Action,
    AnswerDialog,
    Back,
    CloseTab,
    Forward,
    Navigate,
    NewTab,
    Reload,
    SwitchTab,
)

Fields = dict[str, object]
"""Arguments of a tool call."""


def answer_dialog(given: Arguments) -> Action:
    """Read the answer to an open dialog."""
    return AnswerDialog(given.flag("accept"), given.text("text", ""))


def _close_tab(given: Arguments) -> Action:
    return CloseTab(given.whole("tab") if given.has("tab") else None)


TABS: Mapping[str, Reader] = {
    "navigate": lambda given: Navigate(given.text("url")),
    "new_tab": lambda given: NewTab(given.text("url", "")),
    "switch_tab": lambda given: SwitchTab(given.whole("tab")),
    "close_tab": _close_tab,
}


def truths(**flags: bool) -> Fields:
    """Return the flags that are true; the others default to false."""
    return {name: True for name, holds in flags.items() if holds}


def written_elsewhere(action: Action, back: str = "back", forward: str = "forward") -> tuple[str, Fields]:
    """Return the name and arguments of an action on the browser.

    Raises:
        Inexpressible: It is not an action on the browser.
    """
    match action:
        case Back():
            return back, {}
        case Forward():
            return forward, {}
        case Reload():
            return "reload", {}
        case Navigate(url):
            return "navigate", {"url": url}
        case AnswerDialog(accept, text):
            return "answer_dialog", {"accept": accept, **({"text": text} if text else {})}
        case NewTab() | SwitchTab() | CloseTab():
            return _written_tab(action)
        case _:
            raise Inexpressible(f"there are no words for {type(action).__name__}")


def _written_tab(action: NewTab | SwitchTab | CloseTab) -> tuple[str, Fields]:
    match action:
        case NewTab(url):
            return "new_tab", {"url": url} if url else {}
        case SwitchTab(tab):
            return "switch_tab", {"tab": tab}
        case CloseTab(tab):
            return "close_tab", {} if tab is None else {"tab": tab}
