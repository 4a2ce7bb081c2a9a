"""Elements as text. What somebody else wrote stays text: it is escaped here, and nowhere else has to think of it."""

from __future__ import annotations

import html
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Markup:
    """Text that is HTML already."""

    text: str


Child = Markup | str | None

_VOID = frozenset({"line", "rect", "circle", "path", "polyline", "polygon", "col"})


def h(tag: str, *children: Child, **attributes: str | float) -> Markup:
    """An element. `class_` is the attribute `class`; a `_` within a name is a hyphen."""
    told = "".join(f' {_name(name)}="{html.escape(_value(value))}"' for name, value in attributes.items())
    if tag in _VOID:
        return Markup(f"<{tag}{told}/>")
    return Markup(f"<{tag}{told}>{joined(*children).text}</{tag}>")


def joined(*children: Child) -> Markup:
    """One after the other."""
    return Markup("".join(_text(child) for child in children if child is not None))


def _text(child: Markup | str) -> str:
    return child.text if isinstance(child, Markup) else html.escape(child)


def _name(name: str) -> str:
    return name.rstrip("_").replace("_", "-") if name != "viewBox" else name


def _value(value: str | float) -> str:
    return value if isinstance(value, str) else f"{value:g}"
