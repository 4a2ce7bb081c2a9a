"""Colour arithmetic in the perceptually uniform OKLCH space, and WCAG contrast."""

from __future__ import annotations

import math


def oklch(lightness: float, chroma: float, hue: float) -> str:
    """Convert OKLCH to #rrggbb, reducing chroma until the colour is within the sRGB gamut."""
    while True:
        channels = _linear(lightness, chroma, hue)
        if chroma <= 0 or all(-1e-4 <= channel <= 1 + 1e-4 for channel in channels):
            break
        chroma = max(0.0, chroma - 0.004)
    return "#" + "".join(f"{round(255 * _encode(min(1.0, max(0.0, channel)))):02x}" for channel in channels)


def lch(colour: str) -> tuple[float, float, float]:
    """Convert #rrggbb to OKLCH lightness, chroma and hue in degrees."""
    red, green, blue = _decoded(colour)
    long = math.cbrt(0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue)
    medium = math.cbrt(0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue)
    short = math.cbrt(0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue)
    lightness = 0.2104542553 * long + 0.7936177850 * medium - 0.0040720468 * short
    a = 1.9779984951 * long - 2.4285922050 * medium + 0.4505937099 * short
    b = 0.0259040371 * long + 0.7827717662 * medium - 0.8086757660 * short
    return lightness, math.hypot(a, b), math.degrees(math.atan2(b, a)) % 360


def mix(one: str, other: str, share: float) -> str:
    """Interpolate between two colours; a share of 0 gives `one`, 1 gives `other`."""
    pairs = ((int(one[i : i + 2], 16), int(other[i : i + 2], 16)) for i in (1, 3, 5))
    return "#" + "".join(f"{round(a + (b - a) * share):02x}" for a, b in pairs)


def lighter(colour: str, by: float) -> str:
    """Return the colour with its lightness raised, or lowered if `by` is negative."""
    lightness, chroma, hue = lch(colour)
    return oklch(min(1.0, max(0.0, lightness + by)), chroma, hue)


def luminance(colour: str) -> float:
    red, green, blue = _decoded(colour)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    """Return the WCAG contrast ratio, 1 to 21."""
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


def readable(colour: str, grounds: tuple[str, ...], ratio: float) -> str:
    """Darken or lighten a colour until it reaches the contrast ratio on all of the backgrounds."""
    step = -0.01 if luminance(grounds[0]) > 0.18 else 0.01
    lightness, chroma, hue = lch(colour)
    while min(contrast(colour, ground) for ground in grounds) < ratio and 0 <= lightness <= 1:
        lightness += step
        colour = oklch(min(1.0, max(0.0, lightness)), chroma, hue)
    return colour


def ink(ground: str) -> str:
    """Return the text colour for a background: white if its contrast is at least 4.5, otherwise near-black."""
    return "#ffffff" if contrast("#ffffff", ground) >= 4.5 else "#16181d"


def _linear(lightness: float, chroma: float, hue: float) -> tuple[float, float, float]:
    a, b = chroma * math.cos(math.radians(hue)), chroma * math.sin(math.radians(hue))
    long = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3
    medium = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3
    short = (lightness - 0.0894841775 * a - 1.2914855480 * b) ** 3
    return (
        4.0767416621 * long - 3.3077115913 * medium + 0.2309699292 * short,
        -1.2684380046 * long + 2.6097574011 * medium - 0.3413193965 * short,
        -0.0041960863 * long - 0.7034186147 * medium + 1.7076147010 * short,
    )


def _encode(channel: float) -> float:
    return 12.92 * channel if channel <= 0.0031308 else 1.055 * channel ** (1 / 2.4) - 0.055


def _decoded(colour: str) -> tuple[float, float, float]:
    red, green, blue = (int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5))
    return _decode(red), _decode(green), _decode(blue)


def _decode(channel: float) -> float:
    return channel / 12.92 if channel <= 0.04045 else ((channel + 0.055) / 1.055) ** 2.4
