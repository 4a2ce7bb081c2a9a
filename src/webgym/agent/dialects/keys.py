"""Key names as models write them."""

from __future__ import annotations

from webgym.agent.dialects.arguments import Arguments, shown
from webgym.records.action import Modifier

_MODIFIERS: dict[str, Modifier] = {
    "ctrl": "Control",
    "control": "Control",
    # The browsers run on Linux, where pages expect Control instead of Command.
    "cmd": "Control",
    "command": "Control",
    "shift": "Shift",
    "alt": "Alt",
    "option": "Alt",
    "meta": "Meta",
    "super": "Meta",
    "win": "Meta",
}
_SPELT = {"plus": "+", "space": " "}


def modifiers_named(given: Arguments, names: tuple[str, ...]) -> tuple[Modifier, ...]:
    """Return the modifier keys with these names."""
    unknown = [name for name in names if name.strip().lower() not in _MODIFIERS]
    if unknown:
        raise given.bad(f"can hold down {', '.join(sorted(_MODIFIERS))}, not {shown(unknown[0])}")
    return tuple(_MODIFIERS[name.strip().lower()] for name in names)


def chord(text: str) -> tuple[str, ...]:
    """Split a chord such as `ctrl+a` into keys."""
    return tuple(_SPELT.get(part.lower(), part) for part in text.split("+") if part)


def spell_chord(keys: tuple[str, ...]) -> str:
    """Join keys to a chord such as `Control+a`."""
    spelt = {key: name for name, key in _SPELT.items()}
    return "+".join(spelt.get(key, key) for key in keys)


def letters_lowered(keys: tuple[str, ...]) -> tuple[str, ...]:
    """Lower the letters of a chord: `CTRL`, `A` means Control and a; a capital letter would add Shift."""
    if len(keys) < 2 or any(key.lower() == "shift" for key in keys):
        return keys
    return tuple(key.lower() if len(key) == 1 else key for key in keys)
