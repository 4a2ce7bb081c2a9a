"""Textiles for the home."""

# ruff: noqa: ARG001  all drawings take the same arguments

from __future__ import annotations

from webgym.rng import Rng
from webgym.sites.kit.pictures.canvas import Tones
from webgym.sites.kit.pictures.pen import Drawing, box, oval, path, shadow, stroke


def rug(t: Tones, rng: Rng) -> str:
    fringe = "".join(f"M{x} 290v12" for x in range(62, 342, 8))
    top = "".join(f"M{x} 132v-10" for x in range(108, 296, 7))
    motif = "".join(path(t.lightest, f"M{x} 190l24 20-24 20-24-20z", 'opacity=".7"') for x in (140, 200, 260))
    waves = stroke(
        t.lightest,
        4,
        "M90 180q28-16 55 0t55 0 55 0 55 0M82 212q30-16 59 0t59 0 59 0 59 0M74 246q32-16 63 0t63 0 63 0 63 0",
        'opacity=".7"',
    )
    return (
        stroke(t.light, 2.5, fringe + top)
        + path("down", "M104 132h192l52 158h-296z")
        + path("none", "M114 144h172l42 134h-256z", f'stroke="{t.lightest}" stroke-width="5" opacity=".8"')
        + (motif if rng.chance(0.5) else waves)
    )


def pillow(t: Tones, rng: Rng) -> str:
    lines = stroke(
        t.lightest, 5, "M128 130q72 20 144 0M124 170q76 12 152 0M122 212q78 4 156 0M126 254q74-8 148 0", 'opacity=".55"'
    )
    dots = "".join(
        oval(t.lightest, x, y, 6, 0, 'opacity=".6"') for x in (140, 180, 220, 260) for y in (140, 180, 220, 260)
    )
    return (
        shadow(200, 312, 120, 18)
        + path(
            "lit", "M92 92q108 20 216 0 8 14 0 28-18 76 0 152 8 18 0 28-108-20-216 0-8-14 0-28 18-80 0-152-8-16 0-28z"
        )
        + rng.pick((lines, dots, ""))
        + stroke(
            t.darkest,
            2,
            "M100 100q12 14 16 30M300 100q-12 14-16 30M100 292q12-14 16-30M300 292q-12-14-16-30",
            'opacity=".5"',
        )
    )


def blanket(t: Tones, rng: Rng) -> str:
    return (
        shadow(200, 318, 140)
        + box("deep", 84, 252, (232, 60), 22)
        + box("down", 80, 198, (240, 64), 24)
        + box("lit", 84, 146, (232, 62), 24)
        + stroke(t.lightest, 4, "M110 166h180M110 180h180", 'opacity=".6"')
        + stroke(t.darkest, 2, "M96 240h200M100 292h200", 'opacity=".5"')
        + stroke(t.light, 3, "".join(f"M{x} 204v16" for x in range(110, 300, 12)))
    )


def towel(t: Tones, rng: Rng) -> str:
    return (
        shadow(200, 340, 90)
        + box("metal", 70, 76, (260, 12), 6)
        + path("deep", "M128 80h152v176h-152z")
        + path("round", "M118 80q0-10 12-10h130q12 0 12 10v236h-154z")
        + box(t.lightest, 118, 266, (154, 10), 0, 'opacity=".75"')
        + box(t.lightest, 118, 284, (154, 5), 0, 'opacity=".75"')
        + stroke(t.dark, 2, "".join(f"M{x} 316v8" for x in range(122, 272, 6)))
    )


TEXTILE: dict[str, Drawing] = {
    "rug": rug,
    "pillow": pillow,
    "blanket": blanket,
    "towel": towel,
}
