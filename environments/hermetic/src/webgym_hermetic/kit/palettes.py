"""Colour palettes: a few parameters each, from which all colours of the stylesheet are derived."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Literal

from webgym_hermetic.kit.colour import contrast, ink, lch, mix, oklch, readable


@dataclass(frozen=True, slots=True)
class Palette:
    """Parameters of a palette, for light and dark themes."""

    name: str
    accent: str
    second: str
    """Secondary colour, for charts, highlights and pictures."""
    hue: float
    """Hue of the greys, in degrees."""
    tint: float
    """How coloured the greys are: 0 is neutral, 1 clearly tinted."""
    ground: Literal["white", "tinted", "paper"]
    """Page background: white, tinted with white cards, or cream."""
    head: Literal["plain", "accent", "ink"]
    """Page header: like a card, in the accent colour, or dark."""


_ALL = (
    Palette("ocean", "#1667d9", "#12a5a5", 250, 0.6, "tinted", "plain"),
    Palette("harbour", "#0f4c81", "#e8833a", 245, 0.8, "white", "accent"),
    Palette("sky", "#0284c7", "#f59e0b", 235, 0.4, "white", "plain"),
    Palette("indigo", "#4f46e5", "#ec4899", 275, 0.7, "tinted", "plain"),
    Palette("midnight", "#3b5bdb", "#22b8cf", 265, 1.0, "tinted", "ink"),
    Palette("violet", "#7c3aed", "#0ea5e9", 295, 0.6, "white", "plain"),
    Palette("plum", "#86296f", "#e0a100", 330, 0.6, "paper", "plain"),
    Palette("orchid", "#b5348c", "#5b5bd6", 340, 0.5, "white", "plain"),
    Palette("rose", "#d6336c", "#3b82a6", 5, 0.5, "tinted", "plain"),
    Palette("cherry", "#c81e3a", "#1f3a5f", 20, 0.3, "white", "accent"),
    Palette("brick", "#b0432c", "#2f6f6a", 40, 0.7, "paper", "plain"),
    Palette("coral", "#e2553d", "#2a7f9e", 30, 0.5, "tinted", "plain"),
    Palette("tangerine", "#d9590b", "#20558a", 60, 0.4, "white", "plain"),
    Palette("amber", "#f2a60d", "#23395b", 85, 0.4, "white", "ink"),
    Palette("honey", "#a86400", "#47682c", 80, 0.8, "paper", "plain"),
    Palette("lemon", "#f7d046", "#2d3142", 95, 0.3, "white", "plain"),
    Palette("olive", "#5f6f1f", "#b3541e", 115, 0.7, "paper", "plain"),
    Palette("lime", "#4d7c0f", "#7048e8", 130, 0.4, "white", "plain"),
    Palette("leaf", "#2b8a3e", "#f08c00", 145, 0.5, "tinted", "plain"),
    Palette("forest", "#14532d", "#c2852b", 150, 0.6, "paper", "accent"),
    Palette("mint", "#0b8f6a", "#5f3dc4", 165, 0.5, "white", "plain"),
    Palette("teal", "#0f766e", "#e8590c", 185, 0.6, "tinted", "plain"),
    Palette("lagoon", "#0e7490", "#d6336c", 210, 0.7, "tinted", "accent"),
    Palette("slate", "#334155", "#0ea5e9", 255, 0.9, "tinted", "plain"),
    Palette("graphite", "#212529", "#e03131", 250, 0.1, "white", "ink"),
    Palette("mono", "#111111", "#6b7280", 0, 0.0, "white", "plain"),
    Palette("sand", "#8a5a2b", "#3f6b73", 75, 1.0, "paper", "plain"),
    Palette("cocoa", "#6b3f2a", "#7a8f3c", 55, 0.8, "paper", "ink"),
)
PALETTES = {palette.name: palette for palette in _ALL}
Colours = dict[str, str]


@cache
def colours(name: str, *, dark: bool) -> Colours:
    """Return the CSS custom properties of a palette; names come without leading dashes."""
    palette = PALETTES[name]
    grounds = _dark_grounds(palette) if dark else _light_grounds(palette)
    shown = (grounds["surface"], grounds["bg"], grounds["soft"])
    accent = _accent(palette, dark=dark)
    second = _holding_white(palette.second)
    chroma = 0.02 * palette.tint
    return {
        **grounds,
        "text": oklch(0.95, chroma / 3, palette.hue) if dark else oklch(0.23, chroma, palette.hue),
        "muted": readable(oklch(0.72 if dark else 0.52, chroma, palette.hue), shown, 4.6),
        "accent": accent,
        "accent-text": ink(accent),
        "accent-soft": mix(grounds["surface"], accent, 0.2 if dark else 0.11),
        "link": readable(accent, (*shown, mix(grounds["surface"], accent, 0.2 if dark else 0.11)), 4.6),
        "second": second,
        "second-text": ink(second),
        "danger": readable("#d92d20", shown, 4.6),
        "ok": readable("#12803c", shown, 4.6),
        "warn": readable("#b26a00", shown, 4.6),
        "star": "#f5b301" if dark else "#e59a0c",
        **_head(palette, grounds, accent, dark=dark),
    }


def _accent(palette: Palette, *, dark: bool) -> str:
    lightness, chroma, hue = lch(palette.accent)
    if dark and chroma < 0.03:
        return oklch(0.9, chroma, hue)
    if dark and lightness < 0.62:
        return oklch(0.72, max(0.1, chroma * 0.85) if chroma >= 0.05 else chroma, hue)
    return _holding_white(palette.accent)


def _holding_white(colour: str) -> str:
    """Darken a colour until white text is readable on it, if the contrast is nearly sufficient already."""
    return readable(colour, ("#ffffff",), 4.6) if contrast("#ffffff", colour) > 3.4 else colour


def _light_grounds(palette: Palette) -> Colours:
    hue, tint = palette.hue, palette.tint
    match palette.ground:
        case "white":
            bg, surface = "#ffffff", "#ffffff"
        case "tinted":
            bg, surface = oklch(0.972, 0.006 + 0.008 * tint, hue), "#ffffff"
        case "paper":
            bg, surface = oklch(0.972, 0.014 + 0.008 * tint, 85), oklch(0.99, 0.008, 85)
    line_hue = 80 if palette.ground == "paper" else hue
    return {
        "bg": bg,
        "surface": surface,
        "soft": oklch(0.955, 0.004 + 0.012 * tint, line_hue),
        "line": oklch(0.9, 0.004 + 0.012 * tint, line_hue),
        "line-strong": oklch(0.78, 0.006 + 0.014 * tint, line_hue),
        "shadow": "0 1px 2px rgb(20 24 32/.07),0 2px 8px rgb(20 24 32/.06)",
        "shadow-large": "0 8px 32px rgb(20 24 32/.2)",
        "scrim": "rgb(20 24 32/.45)",
    }


def _dark_grounds(palette: Palette) -> Colours:
    hue, chroma = palette.hue, 0.006 + 0.016 * palette.tint
    return {
        "bg": oklch(0.19, chroma, hue),
        "surface": oklch(0.235, chroma, hue),
        "soft": oklch(0.285, chroma, hue),
        "line": oklch(0.345, chroma, hue),
        "line-strong": oklch(0.46, chroma, hue),
        "shadow": "0 1px 2px rgb(0 0 0/.4),0 2px 8px rgb(0 0 0/.25)",
        "shadow-large": "0 8px 32px rgb(0 0 0/.6)",
        "scrim": "rgb(0 0 0/.6)",
    }


def _head(palette: Palette, grounds: Colours, accent: str, *, dark: bool) -> Colours:
    match palette.head:
        case "accent" if not dark:
            return {"head": accent, "head-text": ink(accent), "head-line": accent}
        case "ink":
            ground = oklch(0.15 if dark else 0.25, 0.008 + 0.02 * palette.tint, palette.hue)
            return {"head": ground, "head-text": "#ffffff", "head-line": ground}
        case _:
            text = "#ffffff" if contrast("#ffffff", grounds["surface"]) > 7 else "#16181d"
            return {"head": grounds["surface"], "head-text": text, "head-line": grounds["line"]}
