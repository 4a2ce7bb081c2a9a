"""The keys of a US keyboard, as CDP describes them."""

from __future__ import annotations

from dataclasses import dataclass

from webgym.records.action import Modifier

MODIFIER_BITS: dict[Modifier, int] = {"Alt": 1, "Control": 2, "Meta": 4, "Shift": 8}


@dataclass(frozen=True, slots=True)
class Key:
    """A key, or one of the characters on a key."""

    key: str
    """KeyboardEvent.key."""
    code: str
    """KeyboardEvent.code: its position on the keyboard."""
    number: int
    """The Windows virtual key code."""
    text: str = ""
    """The text it inserts."""
    shifted: bool = False
    """Whether it requires Shift."""

    @property
    def modifier(self) -> int:
        """Its modifier bit; 0 for keys that are not modifiers."""
        return next((bit for name, bit in MODIFIER_BITS.items() if name == self.key), 0)


_PUNCTUATION = {
    "Backquote": ("`~", 192),
    "Minus": ("-_", 189),
    "Equal": ("=+", 187),
    "BracketLeft": ("[{", 219),
    "BracketRight": ("]}", 221),
    "Backslash": ("\\|", 220),
    "Semicolon": (";:", 186),
    "Quote": ("'\"", 222),
    "Comma": (",<", 188),
    "Period": (".>", 190),
    "Slash": ("/?", 191),
}
_SHIFTED_DIGITS = ")!@#$%^&*("
_NAMED = {
    "Backspace": 8,
    "Tab": 9,
    "Pause": 19,
    "CapsLock": 20,
    "Escape": 27,
    "PageUp": 33,
    "PageDown": 34,
    "End": 35,
    "Home": 36,
    "ArrowLeft": 37,
    "ArrowUp": 38,
    "ArrowRight": 39,
    "ArrowDown": 40,
    "PrintScreen": 44,
    "Insert": 45,
    "Delete": 46,
    "ContextMenu": 93,
    "NumLock": 144,
    "ScrollLock": 145,
}
_ALIASES = {
    "ctrl": "Control",
    "ctl": "Control",
    # The browser identifies as Linux, so pages expect Control where a Mac uses Command.
    "cmd": "Control",
    "command": "Control",
    "controlormeta": "Control",
    "option": "Alt",
    "opt": "Alt",
    "win": "Meta",
    "windows": "Meta",
    "super": "Meta",
    "esc": "Escape",
    "return": "Enter",
    "linefeed": "Enter",
    "\n": "Enter",
    "\r": "Enter",
    "\t": "Tab",
    "del": "Delete",
    "ins": "Insert",
    "back": "Backspace",
    "bksp": "Backspace",
    "up": "ArrowUp",
    "down": "ArrowDown",
    "left": "ArrowLeft",
    "right": "ArrowRight",
    "uparrow": "ArrowUp",
    "downarrow": "ArrowDown",
    "leftarrow": "ArrowLeft",
    "rightarrow": "ArrowRight",
    "pgup": "PageUp",
    "pgdn": "PageDown",
    "pgdown": "PageDown",
    "prior": "PageUp",
    "next": "PageDown",
    "space": " ",
    "spacebar": " ",
    "plus": "+",
    "minus": "-",
    "menu": "ContextMenu",
    "apps": "ContextMenu",
    "prtsc": "PrintScreen",
    "caps": "CapsLock",
}


def _keyboard() -> dict[str, Key]:
    keys = [Key(name, name, number) for name, number in _NAMED.items()]
    keys += [Key(f"F{n}", f"F{n}", 111 + n) for n in range(1, 25)]
    keys += [
        Key("Enter", "Enter", 13, "\r"),
        Key(" ", "Space", 32, " "),
        Key("Alt", "AltLeft", 18),
        Key("Control", "ControlLeft", 17),
        Key("Meta", "MetaLeft", 91),
        Key("Shift", "ShiftLeft", 16),
    ]
    for n in range(26):
        lower, upper = chr(97 + n), chr(65 + n)
        keys += [Key(lower, f"Key{upper}", 65 + n, lower), Key(upper, f"Key{upper}", 65 + n, upper, shifted=True)]
    for n, shifted in enumerate(_SHIFTED_DIGITS):
        keys += [Key(str(n), f"Digit{n}", 48 + n, str(n)), Key(shifted, f"Digit{n}", 48 + n, shifted, shifted=True)]
    for code, ((plain, shifted), number) in _PUNCTUATION.items():
        keys += [Key(plain, code, number, plain), Key(shifted, code, number, shifted, shifted=True)]
    return {key.key: key for key in keys}


KEYBOARD = _keyboard()
"""All keys by KeyboardEvent.key."""
ENTER = KEYBOARD["Enter"]
PROCESS = Key("Process", "", 229)
"""The key that pages see while an input method composes text."""

_BY_NAME = (
    {key.code.lower(): key for key in KEYBOARD.values() if not key.shifted}
    | {name.lower(): key for name, key in KEYBOARD.items() if len(name) > 1}
    | {alias: KEYBOARD[name] for alias, name in _ALIASES.items()}
)


def key_named(name: str) -> Key | None:
    """Look up a key by its KeyboardEvent.key, KeyboardEvent.code or a common alias, ignoring case."""
    key = KEYBOARD.get(name) or _BY_NAME.get(name.lower().replace("_", "").replace(" ", ""))
    if key is None and len(name) == 1 and name.isprintable():
        return Key(name, "", 0, name)  # exists on other layouts
    return key


def chord(names: tuple[str, ...]) -> tuple[Key, ...] | str:
    """Return the keys of a chord, or the first name that is not a key. `Control+a` counts as two names."""
    parts = [part for name in names for part in _split(name)]
    keys: list[Key] = []
    for part in parts:
        key = key_named(part)
        if key is None:
            return part
        keys.append(key)
    return tuple(keys) if keys else ""


def _split(name: str) -> list[str]:
    if len(name) < 2 or "+" not in name:
        return [name]
    # "Control++" is Control and the plus key.
    stem, plus = (name[:-2], ["+"]) if name.endswith("++") else (name, [])
    return [part.strip() for part in stem.split("+")] + plus
