"""A minimal HTML builder. All text is escaped here, so that callers need not think of it."""

from __future__ import annotations

import html
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Markup:
    """Text that is already HTML."""

    text: str


Child = Markup | str | None

_VOID = frozenset({"line", "rect", "circle", "path", "polyline", "polygon", "col"})


def h(tag: str, *children: Child, **attributes: str | float) -> Markup:
    """Build an element. `class_` becomes `class`; a `_` within an attribute name becomes a hyphen."""
    told = "".join(f' {_name(name)}="{html.escape(_value(value))}"' for name, value in attributes.items())
    if tag in _VOID:
        return Markup(f"<{tag}{told}/>")
    return Markup(f"<{tag}{told}>{joined(*children).text}</{tag}>")


def joined(*children: Child) -> Markup:
    """Concatenate children, escaping plain text."""
    return Markup("".join(_text(child) for child in children if child is not None))


def _text(child: Markup | str) -> str:
    return child.text if isinstance(child, Markup) else html.escape(child)


def _name(name: str) -> str:
    return name.rstrip("_").replace("_", "-") if name != "viewBox" else name


def _value(value: str | float) -> str:
    return value if isinstance(value, str) else f"{value:g}"
