"""Themes: random looks, and their CSS."""

from __future__ import annotations

from functools import cache
from typing import Literal

from webgym.rng import Rng
from webgym_hermetic.kit.fonts import FALLBACK, FONTS, MONO, PAIRS
from webgym_hermetic.kit.palettes import PALETTES, colours
from webgym_hermetic.site import Look, Site

Sizes = dict[str, str]
_DENSITIES: dict[str, Sizes] = {
    "compact": {"gap": "12px", "pad": "12px", "control": "34px", "size": "14px", "leading": "1.45"},
    "regular": {"gap": "16px", "pad": "16px", "control": "40px", "size": "15px", "leading": "1.55"},
    "airy": {"gap": "22px", "pad": "22px", "control": "46px", "size": "16px", "leading": "1.6"},
}
_SMALL: dict[str, Sizes] = {
    "compact": {"gap": "8px", "pad": "8px", "control": "30px", "size": "13px", "leading": "1.35"},
    "regular": {"gap": "9px", "pad": "10px", "control": "32px", "size": "13.5px", "leading": "1.4"},
    "airy": {"gap": "10px", "pad": "12px", "control": "34px", "size": "14px", "leading": "1.4"},
}
_CORNERS: dict[str, Sizes] = {
    "square": {"radius": "0", "radius-small": "0", "radius-large": "0", "radius-pill": "2px"},
    "soft": {"radius": "8px", "radius-small": "6px", "radius-large": "12px", "radius-pill": "999px"},
    "round": {"radius": "16px", "radius-small": "18px", "radius-large": "24px", "radius-pill": "999px"},
}


def theme_css(site: Site) -> str:
    """Return the font faces and custom properties of a site."""
    return look_css(site.look)


@cache
def look_css(look: Look) -> str:
    """Return the font faces and custom properties of a look."""
    names = dict.fromkeys((look.font, look.heading_font, MONO, FALLBACK))
    properties = {
        **colours(look.palette, dark=look.dark),
        **_DENSITIES[look.density],
        **_CORNERS[look.corners],
        "font": FONTS[look.font].stack,
        "heading": FONTS[look.heading_font].stack,
        "mono": FONTS[MONO].stack,
    }
    return "\n".join(
        (
            *(FONTS[name].face for name in names),
            f":root{{color-scheme:{'dark' if look.dark else 'light'};{_written(properties)}}}",
            f"@media(max-width:640px){{:root{{{_written(_SMALL[look.density])}}}}}\n",
        )
    )


def draw_look(rng: Rng) -> Look:
    """Draw a random look whose colours, fonts, spacing and corners go together."""
    palette = PALETTES[rng.pick(tuple(PALETTES))]
    dark = rng.chance(0.2)
    font, heading = rng.pick(PAIRS)
    densities: tuple[tuple[Literal["compact", "regular", "airy"], float], ...]
    densities = (("compact", 0.3), ("regular", 0.45), ("airy", 0.25))
    corners: tuple[tuple[Literal["square", "soft", "round"], float], ...]
    friendly = {FONTS[font].genre, FONTS[heading].genre} & {"rounded"}
    corners = (("square", 0.05 if friendly else 0.3), ("soft", 0.5), ("round", 0.45 if friendly else 0.2))
    return Look(
        palette=palette.name,
        dark=dark,
        font=font,
        heading_font=heading,
        density=rng.weighted(densities),
        corners=rng.weighted(corners),
    )


def _written(properties: Sizes) -> str:
    return ";".join(f"--{name}:{value}" for name, value in properties.items())
