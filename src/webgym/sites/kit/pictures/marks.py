"""Brand logos and abstract covers."""

# ruff: noqa: ARG001  all drawings take the same arguments

from __future__ import annotations

from webgym.rng import Rng
from webgym.sites.kit.colour import contrast, lch, lighter, oklch
from webgym.sites.kit.palettes import PALETTES
from webgym.sites.kit.pictures.canvas import COLOURS, filled, shade
from webgym.sites.kit.pictures.pen import box, group, oval, path, stroke

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
    mark = rng.pick(_MARKS)(main, other, dark if not on else lighter(colour, 0.08))
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


def _petals(main: str, other: str, third: str) -> str:
    return "".join(
        group(path(main if n % 2 else other, "M50 50q-16-22 0-44 16 22 0 44z"), f"rotate({60 * n} 50 50)")
        for n in range(6)
    )


def _steps(main: str, other: str, third: str) -> str:
    return box(other, 10, 56, (24, 34), 5) + box(main, 38, 34, (24, 56), 5) + box(third, 66, 10, (24, 80), 5)


def _rings(main: str, other: str, third: str) -> str:
    return (
        f'<circle cx="36" cy="50" r="25" fill="none" stroke="{main}" stroke-width="11"/>'
        f'<circle cx="64" cy="50" r="25" fill="none" stroke="{other}" stroke-width="11" opacity=".9"/>'
    )


def _bolt(main: str, other: str, third: str) -> str:
    return path(main, "M56 6L18 56h26l-6 38 44-54H54z")


def _peak(main: str, other: str, third: str) -> str:
    return (
        path(other, "M62 30l34 56h-46z")
        + path(main, "M38 12l44 74H4z")
        + path(third, "M38 12l13 22-9 5-6-6-9 6z", 'opacity=".6"')
    )


def _wave(main: str, other: str, third: str) -> str:
    return (
        stroke(main, 11, "M10 34q20-20 40 0t40 0")
        + stroke(other, 11, "M10 54q20-20 40 0t40 0")
        + stroke(third, 11, "M10 74q20-20 40 0t40 0")
    )


def _leaf(main: str, other: str, third: str) -> str:
    return path(main, "M16 84q-10-66 70-70 2 80-70 70z") + stroke(third, 5, "M20 80q24-40 46-46")


def _hexagon(main: str, other: str, third: str) -> str:
    return (
        path(main, "M50 6l38 22v44l-38 22-38-22v-44z")
        + path(other, "M50 28l19 11v22l-19 11-19-11v-22z")
        + path(third, "M50 50l19-11v22l-19 11z")
    )


def _quarters(main: str, other: str, third: str) -> str:
    return (
        path(main, "M10 48q0-38 38-38v38z")
        + path(other, "M52 10q38 0 38 38h-38z")
        + path(third, "M10 52h38v38q-38 0-38-38z")
        + path(main, "M52 52h38q0 38-38 38z")
    )


def _orbit(main: str, other: str, third: str) -> str:
    return (
        f'<ellipse cx="50" cy="50" rx="42" ry="17" fill="none" stroke="{other}" stroke-width="6" '
        f'transform="rotate(-28 50 50)"/>' + oval(main, 50, 50, 21) + oval(main, 83, 27, 7)
    )


def _arrow(main: str, other: str, third: str) -> str:
    return path(main, "M10 88L52 8l16 32-26 12z") + path(other, "M46 56l24-11 20 43z")


def _folds(main: str, other: str, third: str) -> str:
    return (
        path(main, "M14 12h34v76l-34-16z")
        + path(other, "M52 12h34v60l-34 16z")
        + path(third, "M48 12h4v76h-4z", 'opacity=".4"')
    )


_MARKS = (_petals, _steps, _rings, _bolt, _peak, _wave, _leaf, _hexagon, _quarters, _orbit, _arrow, _folds)


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
