"""Furniture and other parts of rooms."""

from __future__ import annotations

from dataclasses import dataclass

from webgym.rng import Rng
from webgym_hermetic.kit.colour import lighter, mix
from webgym_hermetic.kit.pictures.pen import box, group, oval, path, stroke


@dataclass(frozen=True, slots=True)
class Style:
    """Colours of a room."""

    wall: str
    floor: str
    wood: str
    accent: str
    fabric: str


def draw_style(rng: Rng) -> Style:
    return Style(
        rng.pick(("#ece4d8", "#e3e7e6", "#dfe3ea", "#efe6dc", "#e6e0ea", "#d9e2dc")),
        rng.pick(("#c79f73", "#b58a5f", "#a9a29a", "#d6c6ae", "#8f6f52")),
        rng.pick(("#8a5f3f", "#6d4a33", "#b78a5c", "#4f3b30")),
        rng.pick(("#2f6d7a", "#b5563c", "#3f6f4f", "#c79a3a", "#56517f", "#8a3f52", "#2f4f7f")),
        rng.pick(("#f6f3ec", "#eef1f4", "#f4ede4")),
    )


def shell(s: Style) -> str:
    boards = "".join(f"M{200 + (x - 200) * 0.55:.0f} 208L{200 + (x - 200) * 1.6:.0f} 300" for x in range(0, 401, 40))
    return (
        box(s.wall, 0, 0, (400, 300))
        + path(lighter(s.wall, 0.03), "M0 0h400l-70 44h-260z")
        + path(lighter(s.wall, -0.05), "M0 0l70 44v164L0 300z")
        + path(lighter(s.wall, -0.03), "M400 0l-70 44v164l70 92z")
        + path(s.floor, "M70 208h260l70 92H0z")
        + stroke(lighter(s.floor, -0.06), 1.5, boards, 'opacity=".7"')
        + path(lighter(s.wall, -0.1), "M70 204h260v5h-260z")
    )


def window(x: float, y: float, size: tuple[float, float], s: Style, rng: Rng) -> str:
    wide, high = size
    view = rng.pick(
        (
            path(
                "#7fb06a",
                f"M{x:g} {y + high:g}v-{high * 0.35:.0f}q{wide * 0.3:.0f}-{high * 0.2:.0f} {wide * 0.6:.0f} "
                f"0t{wide * 0.4:.0f}-{high * 0.05:.0f}v{high * 0.4:.0f}z",
            ),
            box("#4f97bd", x, y + high * 0.62, (wide, high * 0.38))
            + stroke(
                "#ffffff",
                1,
                f"M{x + 6:g} {y + high * 0.74:.0f}h{wide * 0.4:.0f}"
                f"M{x + wide * 0.4:.0f} {y + high * 0.86:.0f}h{wide * 0.4:.0f}",
                'opacity=".6"',
            ),
            path(
                "#8fa3b5",
                "".join(
                    f"M{x + wide * k / 6:.0f} {y + high:g}v-{high * (0.25 + 0.4 * rng.unit()):.0f}"
                    f"h{wide / 6 - 2:.0f}v{high:g}z"
                    for k in range(6)
                ),
            ),
        )
    )
    frame = (
        f'<rect x="{x:g}" y="{y:g}" width="{wide:g}" height="{high:g}" fill="none" stroke="#fbfaf7" stroke-width="5"/>'
    )
    return (
        f'<svg x="{x:g}" y="{y:g}" width="{wide:g}" height="{high:g}" '
        f'viewBox="{x:g} {y:g} {wide:g} {high:g}">{box("sky", x, y, size)}{view}</svg>'
        + frame
        + stroke("#fbfaf7", 3, f"M{x + wide / 2:g} {y:g}v{high:g}")
        + path(
            s.accent,
            f"M{x - 16:g} {y - 8:g}h22q4 {high * 0.6:.0f}-6 {high + 22:.0f}h-16z"
            f"M{x + wide + 16:g} {y - 8:g}h-22q-4 {high * 0.6:.0f} 6 {high + 22:.0f}h16z",
            'opacity=".9"',
        )
        + box(s.wood, x - 22, y - 11, (wide + 44, 4), 2)
    )


def painting(x: float, y: float, s: Style, rng: Rng) -> str:
    art = rng.pick(
        (
            path(s.accent, f"M{x + 4:g} {y + 36:g}l16-22 10 12 8-8 12 18z"),
            oval(s.accent, x + 27, y + 22, 12),
            stroke(s.accent, 4, f"M{x + 10:g} {y + 30:g}q10-24 18-6t18-8"),
        )
    )
    return box(s.wood, x, y, (54, 42), 1) + box("#fbf8f0", x + 4, y + 4, (46, 34)) + art


def lamp(x: float, y: float, s: Style) -> str:
    return (
        oval("glow", x, y - 24, 34)
        + box(s.wood, x - 2, y - 20, (4, 20))
        + oval(s.wood, x, y, 9, 3)
        + path("#fff0c9", f"M{x - 9:g} {y - 36:g}h18l6 18h-30z")
    )


def bed(x: float, wide: float, s: Style) -> str:
    throw = s.accent
    return (
        oval("shade", x + wide / 2, 268, wide * 0.68, 18)
        + box(s.wood, x, 122, (wide, 74), 8)
        + path(s.fabric, f"M{x - 2:g} 180h{wide + 4:g}l20 66h-{wide + 44:g}z")
        + "".join(box("#ffffff", x + wide * a, 160, (wide * 0.4, 28), 9, 'stroke="#dcd8cf"') for a in (0.07, 0.53))
        + path(throw, f"M{x - 10:g} 206h{wide + 20:g}l8 24h-{wide + 36:g}z")
        + path(lighter(s.fabric, -0.06), f"M{x - 22:g} 246h{wide + 44:g}v18h-{wide + 44:g}z")
        + box(s.accent, x + wide * 0.36, 170, (wide * 0.28, 20), 6)
    )


def nightstand(x: float, s: Style) -> str:
    return (
        box(s.wood, x, 186, (34, 40), 3)
        + box(lighter(s.wood, 0.06), x + 3, 192, (28, 13), 2)
        + oval("#d9c89a", x + 17, 198, 2)
        + lamp(x + 17, 186, s)
    )


def rug(s: Style) -> str:
    return oval(mix(s.accent, "#ffffff", 0.55), 200, 272, 150, 22) + oval(
        mix(s.accent, "#ffffff", 0.7), 200, 272, 128, 17
    )


def plant(x: float, y: float, size: float = 1.0) -> str:
    leaves = "".join(
        group(path("#4f8f56", "M0 0q-12-30 0-62 12 32 0 62z"), f"rotate({a})") for a in (-50, -28, -8, 14, 34, 54)
    )
    return group(leaves + path("#d8d2c6", "M-14-4h28l-4 30h-20z"), f"translate({x:g} {y:g}) scale({size:g})")
