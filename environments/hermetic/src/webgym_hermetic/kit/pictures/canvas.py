"""Named colours, gradients, and the SVG document around a drawing."""

from __future__ import annotations

import re
from dataclasses import dataclass

from webgym_hermetic.kit.colour import lch, lighter, oklch

COLOURS = {
    "black": "#2b2d31",
    "white": "#f4f3ef",
    "grey": "#8d9299",
    "red": "#c9302c",
    "orange": "#ea7a1c",
    "yellow": "#f2c230",
    "green": "#3c8d4a",
    "olive": "#77793a",
    "teal": "#178f8b",
    "blue": "#2f74d0",
    "navy": "#22345f",
    "purple": "#7a4bb5",
    "pink": "#e886a8",
    "brown": "#7a4e33",
    "beige": "#d8c3a0",
}
"""Colours of products by name: `product:mug:teal`."""


@dataclass(frozen=True, slots=True)
class Tones:
    """A colour with lighter and darker tones."""

    base: str
    light: str
    lightest: str
    dark: str
    darkest: str


def tones(colour: str) -> Tones:
    return Tones(colour, lighter(colour, 0.09), lighter(colour, 0.17), lighter(colour, -0.09), lighter(colour, -0.19))


def shade(name: str, *stops: str, angle: str = "x", opacity: tuple[float, ...] = ()) -> str:
    """Return a linear gradient along x, y or the diagonal d. A stop is "COLOUR" or "COLOUR PERCENT"."""
    ends = {"x": 'x2="1" y2="0"', "y": 'x2="0" y2="1"', "d": 'x2="1" y2="1"'}[angle]
    return f'<linearGradient id="{name}" {ends}>{_stops(stops, opacity)}</linearGradient>'


def glow(name: str, *stops: str, opacity: tuple[float, ...] = (), at: str = "") -> str:
    """Return a radial gradient, from the centre out."""
    return f'<radialGradient id="{name}" {at}>{_stops(stops, opacity)}</radialGradient>'


def _stops(stops: tuple[str, ...], opacity: tuple[float, ...]) -> str:
    written: list[str] = []
    for index, stop in enumerate(stops):
        colour, _, at = stop.partition(" ")
        offset = at or f"{100 * index / max(1, len(stops) - 1):g}"
        faint = f' stop-opacity="{opacity[index]:g}"' if opacity else ""
        written.append(f'<stop offset="{offset}%" stop-color="{colour}"{faint}/>')
    return "".join(written)


def fitted(defs: str, ground: str, drawing: str, width: int, height: int) -> str:
    """Return an SVG that shows a 400 by 400 drawing uncropped, on a background that fills the picture."""
    wide, high = 400 * max(1.0, width / height), 400 * max(1.0, height / width)
    left, top = 200 - wide / 2, 200 - high / 2
    body = f'<path fill="{ground}" d="M{left:g} {top:g}h{wide:g}v{high:g}h{-wide:g}z"/>{drawing}'
    return _svg(defs, body, f"{left:g} {top:g} {wide:g} {high:g}", width, height)


def filled(defs: str, drawing: str, width: int, height: int, box: str = "0 0 400 300") -> str:
    """Return an SVG whose drawing fills the picture, cropped to its aspect ratio."""
    return _svg(defs, drawing, box, width, height)


def _svg(defs: str, body: str, box: str, width: int, height: int) -> str:
    used = set(re.findall(r"url\(#(\w+)\)", body))
    kept = "".join(
        gradient
        for gradient in re.findall(r"<(?:linear|radial)Gradient.*?</(?:linear|radial)Gradient>", defs)
        if gradient.split('"', 2)[1] in used
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="{box}"'
        f' preserveAspectRatio="xMidYMid slice"><defs>{kept}</defs>{body}</svg>'
    )


def pale(colour: str, lightness: float = 0.93, strength: float = 0.14) -> str:
    """Return a pale backdrop colour on which this colour stands out."""
    _, chroma, hue = lch(colour)
    return oklch(lightness, min(0.02, chroma * strength), hue)
