"""SVG shapes. A paint is a colour that starts with "#", "none", or the name of a gradient."""

from __future__ import annotations

from collections.abc import Callable

from webgym.rng import Rng
from webgym_hermetic.kit.pictures.canvas import Tones

Drawing = Callable[[Tones, Rng], str]
"""Draws an object centred in a 400 by 400 square."""


def path(paint: str, shape: str, extra: str = "") -> str:
    return f'<path fill="{_paint(paint)}" d="{shape}"{_more(extra)}/>'


def stroke(paint: str, width: float, shape: str, extra: str = "") -> str:
    """Return an unfilled path with round caps and joins."""
    ends = 'stroke-linecap="round" stroke-linejoin="round"'
    return f'<path fill="none" stroke="{_paint(paint)}" stroke-width="{width:g}" {ends} d="{shape}"{_more(extra)}/>'


def oval(paint: str, x: float, y: float, across: float, down: float = 0, extra: str = "") -> str:
    """Return a circle or ellipse, given its centre and radii."""
    if not down or down == across:
        return f'<circle fill="{_paint(paint)}" cx="{x:g}" cy="{y:g}" r="{across:g}"{_more(extra)}/>'
    return f'<ellipse fill="{_paint(paint)}" cx="{x:g}" cy="{y:g}" rx="{across:g}" ry="{down:g}"{_more(extra)}/>'


def box(paint: str, x: float, y: float, size: tuple[float, float], corner: float = 0, extra: str = "") -> str:
    """Return a rectangle, given its top left corner and its width and height."""
    rounded = f' rx="{corner:g}"' if corner else ""
    return (
        f'<rect fill="{_paint(paint)}" x="{x:g}" y="{y:g}" width="{size[0]:g}" height="{size[1]:g}"'
        f"{rounded}{_more(extra)}/>"
    )


def group(drawing: str, transform: str = "", extra: str = "") -> str:
    moved = f' transform="{transform}"' if transform else ""
    return f"<g{moved}{_more(extra)}>{drawing}</g>"


def shadow(x: float = 200, y: float = 330, across: float = 110, down: float = 16) -> str:
    """Return the shadow under an object."""
    return oval("shadow", x, y, across, down)


def _paint(paint: str) -> str:
    return paint if paint[0] == "#" or paint == "none" else f"url(#{paint})"


def _more(extra: str) -> str:
    return f" {extra}" if extra else ""
