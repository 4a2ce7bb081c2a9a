"""Typing text into the target, or into the field that a click on it focuses."""

from __future__ import annotations

import re
from typing import Any

from webgym.browser.server.chromium.actions.dispatch import send_all
from webgym.browser.server.chromium.actions.keyboard import enter, key_messages, strike
from webgym.browser.server.chromium.actions.keys import KEYBOARD, PROCESS
from webgym.browser.server.chromium.actions.places import aim
from webgym.browser.server.chromium.actions.pointer import click_at
from webgym.browser.server.chromium.closed_roots import adopt
from webgym.browser.server.chromium.entry import outcome_of
from webgym.browser.server.chromium.frame_calls import FOCUS, KEPT, FrameElement, apply, drawn
from webgym.browser.server.chromium.tab import FieldEntry, TabHandle
from webgym.records.action import Target, TypeText
from webgym.records.observation import ActionFailure, FailedReason

_LONGEST_KEYED = 100
"""Characters. Longer text is inserted at once, as if pasted: key events per character would take seconds."""
_RUN = 8
"""Number of keys sent before waiting for the page to process them, as with a fast typist."""
_MOST_LINES = 50
"""Text for rich editors with at least this many line breaks is inserted in one piece."""
_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?")
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")


async def type_text(tab: TabHandle, action: TypeText) -> ActionFailure | None:
    """Type text into the target, or into the focused element."""
    if len(action.text) > tab.most_text:
        detail = f"{len(action.text)} characters; at most {tab.most_text} can be typed"
        return ActionFailure(FailedReason.TEXT_TOO_LONG, detail)
    if action.target is None:
        failed = await _write_into_focus(tab, action, None)
    else:
        failed = await _write_into(tab, action, action.target)
    if failed is None and action.submit:
        if tab.entry is not None:
            tab.entry.outcome = await outcome_of(tab, tab.entry)
        await enter(tab)
    return failed


async def _write_into(tab: TabHandle, action: TypeText, target: Target) -> ActionFailure | None:
    at = await aim(tab, target)
    if isinstance(at, ActionFailure):
        return at
    found = await apply(tab, at.place, "field")
    if found is None:
        return _not_editable("nothing is there")
    field, place = found
    kept = FrameElement(place.frame, KEPT)
    match field["kind"]:
        case "none":
            return _not_editable(field["why"])
        case "set":
            return await _set(tab, kept, action.text)
        case _:
            await click_at(tab, at)
            return await _write_into_focus(tab, action, kept if field["kind"] == "text" else None)


async def _write_into_focus(tab: TabHandle, action: TypeText, otherwise: FrameElement | None) -> ActionFailure | None:
    """Type into the focused element, or into `otherwise`: the field that the click should have focused but did not."""
    replace = action.mode == "replace"
    found = await apply(tab, FrameElement(tab.page.main_frame, FOCUS), "ready", replace, False)
    if not _is_editable(found) and await adopt(tab):
        found = await apply(tab, FrameElement(tab.page.main_frame, FOCUS), "ready", replace, False)
    if otherwise and not _is_editable(found):
        found = await apply(tab, otherwise, "ready", replace, True)
    if found is None:
        return _not_editable("nothing has the focus")
    ready, place = found
    if ready.get("why") == "set":
        return await _set(tab, place, action.text)
    if not ready["editable"]:
        return _not_editable(ready["why"])
    if ready["number"] and not _NUMBER.fullmatch(action.text.strip() or "0"):
        return ActionFailure(FailedReason.INVALID_VALUE, "a number is expected")
    text = _arranged(action.text, multiline=ready["multiline"])
    tab.entry = FieldEntry(place.frame, text)
    await _write(tab, text, ready, replace=replace)
    return None


def _is_editable(found: tuple[Any, FrameElement] | None) -> bool:
    return found is not None and (found[0]["editable"] or found[0]["why"] == "set")


async def _write(tab: TabHandle, text: str, ready: dict[str, Any], *, replace: bool) -> None:
    if ready["byKeys"]:
        await strike(tab, *(("Control", "a") if replace else ("End",)))
    if not text and replace and ready["filled"]:
        await strike(tab, "Delete")
    lines = text.split("\n") if ready["rich"] and text.count("\n") < _MOST_LINES else [text]
    for number, line in enumerate(lines):
        if number:
            # A line break in editors and chat inputs, where Enter alone might submit.
            await strike(tab, "Shift", "Enter")
        await _write_line(tab, line, boxed=ready["boxed"])


async def _write_line(tab: TabHandle, text: str, *, boxed: bool) -> None:
    if len(text) > _LONGEST_KEYED or not all(character in KEYBOARD for character in text):
        await _insert(tab, text)
        return
    # One key at a time in very short fields: the page may move the focus to the next field in between.
    run = 1 if boxed else _RUN
    for start in range(0, len(text), run):
        await send_all(tab, [event for key in text[start : start + run] for event in key_messages(KEYBOARD[key])])
        if boxed:
            await drawn(tab)


async def _insert(tab: TabHandle, text: str) -> None:
    """Insert text in one piece, between the key events of an input method."""
    down, up = key_messages(PROCESS)
    await send_all(tab, [down, ("Input.insertText", {"text": text}), up])


async def _set(tab: TabHandle, place: FrameElement, text: str) -> ActionFailure | None:
    found = await apply(tab, place, "setField", text.strip())
    if found is None:
        return _not_editable("the field went away")
    expected = found[0].get("expected")
    tab.entry = None if expected else FieldEntry(found[1].frame, text)
    return ActionFailure(FailedReason.INVALID_VALUE, f"expected {expected}") if expected else None


def _arranged(text: str, *, multiline: bool) -> str:
    """Remove control characters. In single-line fields, line breaks become spaces, so that none submits the form."""
    text = text.replace("\r\n", "\n").replace("\r", "\n").encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    text = _CONTROL.sub("", text)
    return text if multiline else text.strip("\n").replace("\n", " ")


def _not_editable(what: str) -> ActionFailure:
    return ActionFailure(FailedReason.NOT_EDITABLE, f"cannot be typed into: {what}")
