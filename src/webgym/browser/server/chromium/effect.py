"""Derives an action's effect from the session's state before and after it."""

from __future__ import annotations

from dataclasses import dataclass

from webgym.browser.server.chromium.settle import PageState
from webgym.browser.server.chromium.tab import Outcome
from webgym.records.observation import Effect, NoChange, PageChange


@dataclass(frozen=True, slots=True)
class SessionSnapshot:
    """A snapshot of the session, from two of which a step's effect is derived."""

    url: str
    state: PageState | None
    tabs: tuple[int, ...]
    active: int
    document: int
    """Sequence number of the active tab's document."""
    dialogs: int
    downloads: int
    screenshot: str = ""
    """Address of the screenshot, if one was taken."""

    def shows_document_of(self, other: SessionSnapshot) -> bool:
        return (self.active, self.document) == (other.active, other.document)


def effect_between(
    before: SessionSnapshot, after: SessionSnapshot, detail: str = "", entered: Outcome = Outcome()
) -> Effect:
    """Return what changed between two snapshots, and what became of what was entered in between."""
    what = [
        *_page_changes(before, after),
        *(["tabs"] if (before.tabs, before.active) != (after.tabs, after.active) else []),
        *(["dialog"] if before.dialogs != after.dialogs else []),
        *(["download"] if before.downloads != after.downloads else []),
    ]
    if not what and _looks_different(before, after):
        what = ["content"]
    if entered.same and "value" in what:  # the page heard of the input, and set the value back
        what.remove("value")
    return PageChange(tuple(what), entered.detail) if what else NoChange(detail or entered.detail)


def _page_changes(before: SessionSnapshot, after: SessionSnapshot) -> list[str]:
    what = ["url"] if before.url != after.url else []
    old, new = before.state, after.state
    if not before.shows_document_of(after) or (old and new and old.now.doc != new.now.doc):
        return [*what, "content"]
    if new is None or old is new:  # the page was not queried, because a dialog is open
        return what
    base, now = new.base, new.now
    moved = old is not None and old.elsewhere != new.elsewhere
    if (base.mutations, base.far, base.frames) != (now.mutations, now.far, now.frames) or moved:
        what.append("content")
    if base.scrolls != now.scrolls or (base.x, base.y) != (now.x, now.y):
        what.append("scroll")
    if base.values != now.values:
        what.append("value")
    if base.focus != now.focus:
        what.append("focus")
    return what


def _looks_different(before: SessionSnapshot, after: SessionSnapshot) -> bool:
    """Compare screenshots: style rules change the page without mutations. Skipped if a caret may blink."""
    caret = (before.state and before.state.caret) or (after.state and after.state.caret)
    return not caret and "" not in (before.screenshot, after.screenshot) and before.screenshot != after.screenshot
