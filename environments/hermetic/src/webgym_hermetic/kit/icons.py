"""Inline SVG icons in the current text colour."""

from __future__ import annotations

import difflib
from functools import cache
from pathlib import Path

import msgspec
from markupsafe import Markup

_SHAPES = msgspec.json.decode((Path(__file__).parent / "icons.json").read_bytes(), type=dict[str, str])
ALIASES = {
    "alert": "triangle-alert",
    "alert-circle": "circle-alert",
    "alert-triangle": "triangle-alert",
    "bar-chart": "chart-column",
    "branch": "git-branch",
    "cart": "shopping-cart",
    "check-circle": "circle-check",
    "check-square": "square-check",
    "columns": "columns-3",
    "comment": "message-square",
    "dollar": "dollar-sign",
    "downvote": "arrow-big-down",
    "edit": "pencil",
    "error": "circle-alert",
    "grid": "layout-grid",
    "help": "circle-help",
    "help-circle": "circle-help",
    "home": "house",
    "line-chart": "chart-line",
    "message": "message-square",
    "more-horizontal": "ellipsis",
    "more-vertical": "ellipsis-vertical",
    "parking": "square-parking",
    "plus-circle": "circle-plus",
    "pool": "waves",
    "refresh": "refresh-cw",
    "restaurant": "utensils",
    "share-nodes": "share-2",
    "sliders": "sliders-horizontal",
    "sort": "arrow-up-down",
    "train": "train-front",
    "undo": "undo-2",
    "unlock": "lock-open",
    "upvote": "arrow-big-up",
    "warning": "triangle-alert",
    "x-circle": "circle-x",
}
"""Alternative names of icons."""
NAMES = tuple(sorted({*_SHAPES, *ALIASES}))


@cache
def icon(name: str, size: int = 18, css_class: str = "") -> Markup:
    """Return an icon as inline SVG.

    Raises:
        KeyError: There is no such icon.
    """
    shape = _SHAPES.get(ALIASES.get(name, name))
    if shape is None:
        close = difflib.get_close_matches(name, NAMES, n=5, cutoff=0.4)
        raise KeyError(f"no icon {name!r}; similar names: {', '.join(close) or 'none'}")
    return Markup(
        '<svg class="{}" width="{}" height="{}" viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="2"'
        ' stroke-linecap="round" stroke-linejoin="round" aria-hidden="true" focusable="false">{}</svg>'
    ).format(f"icon {css_class}".strip(), size, size, Markup(shape))  # noqa: S704  shapes are shipped with the package
