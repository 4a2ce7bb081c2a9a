"""Keyboard actions, as key events in the order of real key presses."""

from __future__ import annotations

from typing import Any

from webgym.browser.server.chromium.actions.dispatch import Message, send_all
from webgym.browser.server.chromium.actions.keys import ENTER, KEYBOARD, MODIFIER_BITS, Key, chord
from webgym.browser.server.chromium.frame_calls import FOCUS, FrameElement, apply
from webgym.browser.server.chromium.tab import FieldEntry, TabHandle
from webgym.records.action import Press
from webgym.records.observation import ActionFailure, FailedReason

_SHIFT = MODIFIER_BITS["Shift"]
_MOST_KEYS = 10
_ERASING = ("Backspace", "Delete")


async def press(tab: TabHandle, action: Press) -> ActionFailure | None:
    """Press keys together."""
    if len(action.keys) > _MOST_KEYS:
        return ActionFailure(FailedReason.INVALID_VALUE, f"at most {_MOST_KEYS} keys can be pressed together")
    keys = chord(action.keys)
    if isinstance(keys, str):
        return ActionFailure(
            FailedReason.NO_SUCH_KEY, f"no key is called {keys!r}; names are those of KeyboardEvent.key"
        )
    if any(_writes(key) for key in keys) and not any(key.modifier & ~_SHIFT for key in keys):
        watched = await apply(tab, FrameElement(tab.page.main_frame, FOCUS), "watch")
        tab.entry = FieldEntry(watched[1].frame) if watched and watched[0] else None
    await send_all(tab, _chord_messages(keys))
    return None


def _writes(key: Key) -> bool:
    """Whether the key changes the value of the field that has the focus."""
    return key.key in _ERASING or (bool(key.text) and key is not ENTER)


async def strike(tab: TabHandle, *names: str) -> None:
    """Press keys together, given by valid names."""
    await send_all(tab, _chord_messages(tuple(KEYBOARD[name] for name in names)))


def key_messages(key: Key) -> list[Message]:
    """Return the events of pressing and releasing one key."""
    modifiers = _SHIFT if key.shifted else 0
    return [_down(key, modifiers), _up(key, modifiers)]


def _chord_messages(keys: tuple[Key, ...]) -> list[Message]:
    held = 0
    downs: list[Message] = []
    ups: list[Message] = []
    for written in keys:
        key = _shifted(written) if held & _SHIFT else written
        modifiers = held | (_SHIFT if key.shifted else 0)
        # Keys are released in reverse order, so each is released under the modifiers pressed before it.
        ups.insert(0, _up(key, modifiers))
        held |= key.modifier
        downs.append(_down(key, modifiers | key.modifier))
    return downs + ups


def _shifted(key: Key) -> Key:
    """Return the shifted variant of a key, if it has one."""
    return next((other for other in KEYBOARD.values() if other.code == key.code and other.shifted), key)


def _down(key: Key, modifiers: int) -> Message:
    writes = key.text and not modifiers & ~_SHIFT
    if not writes:
        return "Input.dispatchKeyEvent", {"type": "rawKeyDown", "modifiers": modifiers, **_identity(key)}
    event = {"type": "keyDown", "modifiers": modifiers, "text": key.text, "unmodifiedText": key.text}
    return "Input.dispatchKeyEvent", event | _identity(key)


def _up(key: Key, modifiers: int) -> Message:
    return "Input.dispatchKeyEvent", {"type": "keyUp", "modifiers": modifiers, **_identity(key)}


def _identity(key: Key) -> dict[str, Any]:
    return {"key": key.key, "code": key.code, "windowsVirtualKeyCode": key.number}


async def enter(tab: TabHandle) -> None:
    """Press Enter."""
    await send_all(tab, key_messages(ENTER))
