"""What became of what an action entered: pages may cancel keys, change what is typed, or set a value back."""

from __future__ import annotations

import msgspec

from webgym.browser.server.chromium.frame_calls import call
from webgym.browser.server.chromium.tab import FieldEntry, Outcome, TabHandle

_MOST_COMPARED = 1000
"""Characters of a text that are looked for in its field."""


class _FieldContent(msgspec.Struct):
    """What a field holds, as reported by `scripts/editing.js`."""

    same: bool
    """Whether its value is the one from before the action."""
    holds: bool
    """Whether the value contains what was entered."""
    secret: bool
    empty: bool
    value: str
    """Truncated, and left out if it is secret."""


async def outcome_of(tab: TabHandle, entry: FieldEntry) -> Outcome:
    """Return what became of the entry; nothing is known if its field is gone."""
    if entry.outcome is not None:
        return entry.outcome
    wanted = None if entry.text is None else entry.text[:_MOST_COMPARED]
    try:
        held = msgspec.convert(await call(tab, entry.frame, "entered", wanted), _FieldContent | None)
    except msgspec.ValidationError:  # pages can override what objects and strings are made of
        held = None
    return Outcome() if held is None else Outcome(held.same, _unexpected(held, entry))


def _unexpected(held: _FieldContent, entry: FieldEntry) -> str:
    what = "selection" if entry.chosen else "value of the field"
    value = "not shown" if held.secret else "empty" if held.empty else repr(held.value)
    if held.same and held.holds:
        return f"the {what} was this already"
    if held.same:
        return f"the {what} did not change: it is still {value}"
    known = entry.chosen or entry.text is not None
    return "" if held.holds or not known else f"the {what} is now {value}"
