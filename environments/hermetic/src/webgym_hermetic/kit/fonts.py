"""The fonts that websites may use. All are shipped; no other is ever requested."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

FOLDER = Path(__file__).parent / "static" / "fonts"
URL = "/-/static/kit/fonts"
FALLBACK = "Inter"
MONO = "JetBrains Mono"
PUNCTUATION = "\u2013\u2014\u2019\u201c\u201d\u2018\u2026\u00d7\u00b7\u20ac\u00a3\u00b0\u00bd"
LETTERS = "\u00e9\u00e8\u00fc\u00f6\u00e4\u00f1\u00e7"
CHARACTERS = "".join(map(chr, range(32, 127))) + PUNCTUATION + LETTERS
"""Characters that every font covers; websites use no others. Arrows are not among them: use icons."""

Use = Literal["text", "headings", "code"]


@dataclass(frozen=True, slots=True)
class Font:
    """A variable font, Latin subset."""

    name: str
    file: str
    weights: tuple[int, int]
    genre: Literal["sans", "serif", "slab", "rounded", "display", "mono"]
    uses: tuple[Use, ...]

    @property
    def url(self) -> str:
        """URL path of the font file on every site."""
        return f"{URL}/{self.file}"

    @property
    def face(self) -> str:
        """The `@font-face` rule."""
        low, high = self.weights
        return (
            f'@font-face{{font-family:"{self.name}";src:url("{self.url}") format("woff2");'
            f"font-weight:{low} {high};font-style:normal;font-display:block}}"
        )

    @property
    def stack(self) -> str:
        """The `font-family` value, with the fallback font."""
        return ",".join(f'"{name}"' for name in dict.fromkeys((self.name, FALLBACK)))


_ALL = (
    Font("Inter", "inter.woff2", (100, 900), "sans", ("text", "headings")),
    Font("DM Sans", "dm-sans.woff2", (100, 1000), "sans", ("text", "headings")),
    Font("Work Sans", "work-sans.woff2", (100, 900), "sans", ("text", "headings")),
    Font("Figtree", "figtree.woff2", (300, 900), "sans", ("text", "headings")),
    Font("IBM Plex Sans", "ibm-plex-sans.woff2", (100, 700), "sans", ("text", "headings")),
    Font("Nunito", "nunito.woff2", (200, 1000), "rounded", ("text", "headings")),
    Font("Rubik", "rubik.woff2", (300, 900), "rounded", ("text", "headings")),
    Font("Source Serif 4", "source-serif-4.woff2", (200, 900), "serif", ("text", "headings")),
    Font("Lora", "lora.woff2", (400, 700), "serif", ("text", "headings")),
    Font("Bitter", "bitter.woff2", (100, 900), "slab", ("text", "headings")),
    Font("Playfair Display", "playfair-display.woff2", (400, 900), "display", ("headings",)),
    Font("Fraunces", "fraunces.woff2", (100, 900), "display", ("headings",)),
    Font("Space Grotesk", "space-grotesk.woff2", (300, 700), "display", ("headings",)),
    Font("Outfit", "outfit.woff2", (100, 900), "display", ("headings",)),
    Font("JetBrains Mono", "jetbrains-mono.woff2", (100, 800), "mono", ("code",)),
)
FONTS = {font.name: font for font in _ALL}
PAIRS = (
    ("Inter", "Inter"),
    ("Inter", "Space Grotesk"),
    ("Inter", "Fraunces"),
    ("Inter", "Outfit"),
    ("DM Sans", "DM Sans"),
    ("DM Sans", "Playfair Display"),
    ("DM Sans", "Fraunces"),
    ("Work Sans", "Work Sans"),
    ("Work Sans", "Bitter"),
    ("Work Sans", "Lora"),
    ("Figtree", "Figtree"),
    ("Figtree", "Outfit"),
    ("Figtree", "Source Serif 4"),
    ("IBM Plex Sans", "IBM Plex Sans"),
    ("IBM Plex Sans", "Bitter"),
    ("IBM Plex Sans", "Space Grotesk"),
    ("Nunito", "Nunito"),
    ("Nunito", "Rubik"),
    ("Rubik", "Rubik"),
    ("Source Serif 4", "Source Serif 4"),
    ("Source Serif 4", "Inter"),
    ("Source Serif 4", "Playfair Display"),
    ("Lora", "Work Sans"),
    ("Lora", "Playfair Display"),
    ("Bitter", "Figtree"),
)
"""Pairs of body and heading fonts that go together."""
