"""Brand logos and abstract covers."""

from __future__ import annotations

from webgym.rng import Rng
from webgym_hermetic.kit.colour import contrast, lch, lighter, oklch
from webgym_hermetic.kit.palettes import PALETTES
from webgym_hermetic.kit.pictures.canvas import COLOURS, filled, shade
from webgym_hermetic.kit.pictures.drawing import drawing
from webgym_hermetic.kit.pictures.pen import box, group, oval, path

MARKS = (
    "petals", "steps", "rings", "bolt", "peak", "wave", "leaf", "hexagon", "quarters", "orbit", "arrow", "folds",
)  # fmt: skip
_HEX = set("0123456789abcdef")


def accent(option: str, rng: Rng) -> str:
    """Return the colour named by an option (palette, colour or six hex digits), or a random accent if empty.

    Raises:
        KeyError: The option is none of these.
    """
    if not option:
        return PALETTES[rng.pick(tuple(PALETTES))].accent
    if len(option) == 6 and set(option.lower()) <= _HEX:
        return f"#{option.lower()}"
    return PALETTES[option].accent if option in PALETTES else COLOURS[option]


def logo(option: str, seed: str, width: int, height: int) -> str:
    """Draw an abstract mark: white on the accent colour, or accent only if that contrasts with any page."""
    rng = Rng("logo", seed)
    colour = accent(option, rng)
    light, dark = lighter(colour, 0.16), lighter(colour, -0.12)
    on = rng.chance(0.55) or min(contrast(colour, ground) for ground in ("#ffffff", "#1b1e25")) < 2.4
    main, other = ("#ffffff", light) if on else (colour, light)
    colours = {"main": main, "other": other, "third": dark if not on else lighter(colour, 0.08)}
    mark = drawing(f"marks/{rng.pick(MARKS)}", colours, rng)
    ground = ""
    if on:
        mark = group(mark, "translate(50 50) scale(.66) translate(-50 -50)")
        ground = rng.pick(
            (box("ground", 4, 4, (92, 92), 24), oval("ground", 50, 50, 46), box("ground", 4, 4, (92, 92), 8))
        )
    return filled(
        shade("ground", lighter(colour, 0.05), lighter(colour, -0.06), angle="d"),
        ground + mark,
        width,
        height,
        "0 0 100 100",
    )


def abstract(option: str, seed: str, width: int, height: int) -> str:
    """Draw an abstract cover: shapes in harmonizing colours."""
    rng = Rng("abstract", seed)
    _, chroma, hue = lch(accent(option, rng))
    chroma = max(0.04, min(0.14, chroma))
    colours = [
        oklch(0.35 + 0.13 * n, chroma, hue + rng.pick((-35, 0, 25, 60, 150 if n == 3 else 10))) for n in range(5)
    ]
    wide = min(620.0, max(220.0, 300 * width / height))
    defs = (
        shade("ground", colours[0], colours[2], angle="d")
        + shade("fade", colours[4], colours[3], angle="d")
        + shade("other", colours[3], colours[1], angle="y")
    )
    draw = rng.pick((_bubbles, _waves, _shards, _grid, _arcs))
    return filled(defs, box("ground", 0, 0, (wide, 300)) + draw(wide, colours, rng), width, height, f"0 0 {wide:g} 300")


def _bubbles(wide: float, colours: list[str], rng: Rng) -> str:
    return "".join(
        oval(
            rng.pick(("fade", "other", colours[4], colours[1])),
            rng.between(0, int(wide)),
            rng.between(0, 300),
            rng.between(16, 110),
            0,
            f'opacity="{0.35 + 0.5 * rng.unit():.2f}"',
        )
        for _ in range(11)
    )


def _waves(wide: float, colours: list[str], rng: Rng) -> str:
    drawn = ""
    for n in range(6):
        y, a = 60 + 42 * n, rng.between(20, 60)
        drawn += path(
            colours[min(4, n % 5)],
            f"M0 {y}q{wide / 4:.0f}-{a} {wide / 2:.0f} 0t{wide / 2:.0f}-{a // 2}V300H0z",
            'opacity=".6"',
        )
    return drawn


def _shards(wide: float, colours: list[str], rng: Rng) -> str:
    drawn = ""
    for _ in range(16):
        x, y, s = rng.between(-40, int(wide)), rng.between(-40, 300), rng.between(50, 150)
        drawn += path(
            rng.pick(("fade", "other", colours[1], colours[4])),
            f"M{x} {y}l{s} {rng.between(-40, 60)} {rng.between(-60, 20)} {s}z",
            f'opacity="{0.3 + 0.5 * rng.unit():.2f}"',
        )
    return drawn


def _grid(wide: float, colours: list[str], rng: Rng) -> str:
    drawn, size = "", 75
    for y in range(0, 300, size):
        for x in range(0, int(wide), size):
            tile = rng.pick(
                (
                    f"M{x} {y}h75q0 75-75 75z",
                    f"M{x} {y}h75v75z",
                    f"M{x + 75} {y + 75}h-75q0-75 75-75z",
                    f"M{x} {y}h75v75h-75z",
                    "",
                )
            )
            if tile:
                drawn += path(rng.pick(colours), tile, 'opacity=".85"')
    return drawn


def _arcs(wide: float, colours: list[str], rng: Rng) -> str:
    x, y = wide * rng.unit(), rng.pick((0, 150, 300))
    return "".join(
        f'<circle cx="{x:.0f}" cy="{y}" r="{r}" fill="none" stroke="{rng.pick(colours)}" '
        f'stroke-width="{rng.between(8, 26)}" opacity=".8"/>'
        for r in range(30, int(wide), 34)
    )
