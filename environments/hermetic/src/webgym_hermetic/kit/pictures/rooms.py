"""Rooms of hotels and homes, seen from the door."""

# ruff: noqa: ARG001  all drawings take the same arguments

from __future__ import annotations

from collections.abc import Callable

from webgym.rng import Rng
from webgym_hermetic.kit.colour import lighter, mix
from webgym_hermetic.kit.pictures.canvas import filled, glow, shade
from webgym_hermetic.kit.pictures.furniture import (
    Style,
    bed,
    draw_style,
    nightstand,
    painting,
    plant,
    rug,
    shell,
    window,
)
from webgym_hermetic.kit.pictures.pen import box, group, oval, path, stroke


def bedroom(s: Style, rng: Rng) -> str:
    left = rng.chance(0.5)
    wall = window(96 if left else 244, 64, (62, 80), s, rng) + painting(226 if left else 112, 70, s, rng)
    return shell(s) + wall + rug(s) + nightstand(84, s) + nightstand(282, s) + bed(126, 148, s) + plant(352, 250, 1.1)


def suite(s: Style, rng: Rng) -> str:
    couch = (
        box(s.accent, 22, 214, (84, 30), 8)
        + box(lighter(s.accent, 0.06), 18, 234, (92, 30), 8)
        + box(lighter(s.accent, -0.06), 14, 262, (100, 10), 4)
    )
    return (
        shell(s)
        + window(120, 58, (160, 88), s, rng)
        + rug(s)
        + bed(140, 130, s)
        + nightstand(286, s)
        + couch
        + oval(s.wood, 346, 268, 36, 9)
        + box(s.wood, 343, 268, (6, 24))
        + plant(346, 262, 0.6)
    )


def twin(s: Style, rng: Rng) -> str:
    return (
        shell(s)
        + window(164, 64, (72, 78), s, rng)
        + painting(92, 74, s, rng)
        + painting(256, 74, s, rng)
        + nightstand(183, s)
        + bed(90, 84, s)
        + bed(228, 84, s)
    )


def lobby(s: Style, rng: Rng) -> str:
    lamps = "".join(
        stroke("#6b6258", 2, f"M{x} 0v{y - 10}") + oval("glow", x, y, 34) + oval("#fff3d2", x, y, 13)
        for x, y in ((130, 60), (200, 48), (270, 60))
    )
    desk = (
        path(s.wood, "M112 168h176v46h-176z")
        + path(lighter(s.wood, 0.1), "M104 160h192v10h-192z")
        + stroke(lighter(s.wood, -0.08), 2, "".join(f"M{x} 172v40" for x in range(126, 288, 18)))
    )
    keys = "".join(box(lighter(s.wall, -0.12), 140 + 20 * (n % 6), 92 + 18 * (n // 6), (15, 13), 2) for n in range(18))
    chairs = "".join(
        box(s.accent, x, 222, (66, 34), 10)
        + box(lighter(s.accent, 0.07), x - 4, 244, (74, 28), 9)
        + stroke(s.wood, 5, f"M{x + 6} 272v12M{x + 60} 272v12")
        for x in (36, 298)
    )
    return (
        shell(s)
        + keys
        + desk
        + lamps
        + oval("shade", 200, 270, 170, 20)
        + rug(s)
        + chairs
        + oval(s.wood, 200, 262, 40, 10)
        + plant(200, 256, 0.7)
        + plant(86, 206, 1.1)
        + plant(316, 206, 1.1)
    )


def pool(s: Style, rng: Rng) -> str:
    loungers = "".join(
        path("#fbfaf6", f"M{x} 246l44-8 20-22 8 4-18 28-50 12z")
        + path(s.accent, f"M{x + 40} 236l24-22 8 4-14 20z")
        + stroke(s.wood, 3, f"M{x + 8} 256v10M{x + 50} 248v12")
        for x in (14, 96)
    )
    ripples = "".join(f"M{rng.between(150, 360)} {rng.between(186, 280)}q8-4 16 0t16 0" for _ in range(16))
    umbrella = (
        stroke(s.wood, 4, "M70 250v-96")
        + path(s.accent, "M14 166q56-64 112 0z")
        + path("#ffffff", "M52 158q18-44 36 0z", 'opacity=".5"')
    )
    palms = "".join(
        stroke("#7b5a3a", 6, f"M{x} 176q-4-50 6-96")
        + group(
            "".join(
                path("#3f8f56", "M0 0q26-26 56 4-32-8-56-4z", f'transform="rotate({a})"')
                for a in (-150, -100, -60, -20, 20, 160, 190)
            ),
            f"translate({x + 6} 80) scale(.9)",
        )
        for x in (322, 368)
    )
    return (
        box("sky", 0, 0, (400, 180))
        + path("#6fa37a", "M0 150q100-30 200-8t200-10v50h-400z")
        + path("#f3efe6", "M150 150v-74h130v74z")
        + path("#9cc3d8", "".join(f"M{162 + 40 * n} 92h26v20h-26zM{162 + 40 * n} 122h26v20h-26z" for n in range(3)))
        + palms
        + box("#e6d9c2", 0, 168, (400, 132))
        + path("#f5efe2", "M128 184q130-22 260 0l20 110h-320z")
        + path("pool", "M138 188q120-18 240 0l18 98h-294z")
        + stroke("#ffffff", 2, ripples, 'opacity=".55"')
        + umbrella
        + loungers
    )


def bathroom(s: Style, rng: Rng) -> str:
    tiles = "".join(f"M70 {y}h260" for y in range(60, 208, 24)) + "".join(f"M{x} 44v164" for x in range(94, 330, 24))
    return (
        shell(s)
        + stroke("#ffffff", 1.4, tiles, 'opacity=".7"')
        + box(s.wood, 86, 62, (86, 64), 4)
        + box("glass", 90, 66, (78, 56), 2)
        + box(s.wood, 80, 158, (98, 48), 3)
        + path("#ffffff", "M76 148h106v12h-106z")
        + oval("#e8ecee", 129, 150, 30, 6)
        + stroke("#a9b1b8", 4, "M129 148v-14q8-6 12 2")
        + path("#ffffff", "M202 188h150q8 0 6 12l-10 46q-4 14-18 14h-106q-14 0-18-14l-10-46q-2-12 6-12z")
        + oval("#dfe9ee", 277, 191, 70, 7)
        + oval("#bfe0ee", 277, 192, 60, 5)
        + stroke("#a9b1b8", 5, "M336 186v-24q-10-8-18 0v8")
        + box(s.accent, 214, 92, (40, 62), 2)
        + box(lighter(s.accent, 0.1), 214, 136, (40, 6))
        + box("#c9c2b6", 204, 88, (100, 5), 2)
        + plant(368, 250, 0.9)
        + oval(mix(s.accent, "#ffffff", 0.6), 150, 268, 82, 14)
    )


def restaurant(s: Style, rng: Rng) -> str:
    def seat(x: float, y: float, k: float) -> str:
        return group(
            box(s.accent, -62, -44, (26, 58), 7)
            + box(s.accent, 36, -44, (26, 58), 7)
            + oval("shade", 0, 44, 66, 9)
            + box(lighter(s.wood, -0.05), -3, 0, (6, 42))
            + oval("#fbf8f1", 0, -2, 46, 13)
            + path("#efe9dc", "M-46-2q46 18 92 0v14q-46 20-92 0z")
            + oval("#ffffff", -18, -4, 12, 3.5, 'stroke="#d5cfc2"')
            + oval("#ffffff", 18, -4, 12, 3.5, 'stroke="#d5cfc2"')
            + stroke("#b8453a", 3, "M0-8v-12")
            + oval("#e0705f", 0, -24, 6),
            f"translate({x:g} {y:g}) scale({k:g})",
        )

    lamps = "".join(
        stroke("#5a5148", 2, f"M{x} 0v46") + oval("glow", x, 62, 36) + path(s.accent, f"M{x - 16} 62q16-30 32 0z")
        for x in (110, 200, 290)
    )
    return (
        shell(s)
        + window(98, 70, (204, 76), s, rng)
        + lamps
        + seat(130, 196, 0.7)
        + seat(270, 196, 0.7)
        + seat(110, 246, 1)
        + seat(298, 250, 1)
    )


def terrace(s: Style, rng: Rng) -> str:
    rail = "".join(box("#ffffff", x, 150, (4, 48)) for x in range(4, 400, 22))
    return (
        box("sky", 0, 0, (400, 200))
        + path("#7d9db5", "M0 150l70-50 60 34 80-60 90 66 50-30 50 34v40h-400z", 'opacity=".7"')
        + box("#4f97bd", 0, 146, (400, 50))
        + path("#5f9a68", "M0 176q120-24 220 4t180-10v40h-400z")
        + rail
        + box("#ffffff", 0, 146, (400, 8), 2)
        + box(s.floor, 0, 196, (400, 104))
        + stroke(lighter(s.floor, -0.07), 2, "M0 214h400M0 238h400M0 266h400")
        + oval("shade", 200, 272, 120, 14)
        + "".join(
            box(s.accent, x, 196, (54, 48), 12)
            + box(lighter(s.accent, 0.08), x - 4, 230, (62, 24), 9)
            + stroke(s.wood, 5, f"M{x + 4} 254v20M{x + 50} 254v20")
            for x in (84, 262)
        )
        + oval(s.wood, 200, 236, 42, 11)
        + box(s.wood, 196, 238, (8, 34))
        + path("#f4f1e8", "M190 232v-14h18v14z")
        + oval("#e9b0a0", 200, 214, 8)
        + plant(30, 258, 1.3)
        + plant(372, 258, 1.3)
    )


def spa(s: Style, rng: Rng) -> str:
    stones = "".join(
        oval(c, x, y, r, r * 0.45)
        for x, y, r, c in ((306, 236, 26, "#4a4d50"), (306, 220, 20, "#5d6164"), (306, 208, 14, "#6f7377"))
    )
    candles = "".join(
        oval("glow", x, 208, 24)
        + box("#f8f1e2", x - 7, 210, (14, 20), 3)
        + path("#ffb938", f"M{x} 198q6 8 0 12-6-4 0-12z")
        for x in (60, 84, 344)
    )
    return (
        shell(s)
        + stroke(lighter(s.wall, -0.08), 3, "".join(f"M{x} 50v152" for x in range(84, 330, 12)), 'opacity=".6"')
        + oval("shade", 190, 272, 130, 14)
        + box(s.wood, 90, 222, (190, 12), 4)
        + stroke(s.wood, 8, "M104 232v36M266 232v36")
        + box("#fbf9f3", 84, 204, (202, 22), 9)
        + box(s.accent, 200, 200, (62, 28), 3)
        + box("#ffffff", 94, 190, (58, 20), 10)
        + candles
        + stones
        + plant(40, 214, 1.1)
        + plant(372, 216, 1)
    )


def gym(s: Style, rng: Rng) -> str:
    weights = "".join(oval("#33373c", x, 184, 9) + oval("#6b7178", x, 184, 4) for x in range(112, 300, 22))
    return (
        shell(s)
        + box("glass", 90, 62, (220, 78), 3)
        + box("#4a4f55", 100, 194, (204, 6), 2)
        + weights
        + box("#4a4f55", 100, 210, (204, 5), 2)
        + oval("shade", 92, 276, 84, 12)
        + path("#3a3f45", "M22 254h132l14 18h-150z")
        + stroke("#5b6168", 7, "M132 254l18-84h-40")
        + box(s.accent, 100, 158, (34, 22), 4)
        + oval("shade", 306, 278, 80, 12)
        + box(s.accent, 246, 230, (112, 16), 7)
        + stroke("#4a4f55", 8, "M262 246v28M342 246v28M342 232v-56")
        + stroke("#8b929a", 5, "M288 182h108")
        + oval("#33373c", 296, 182, 8, 26)
        + oval("#33373c", 386, 182, 8, 26)
    )


ROOMS: dict[str, Callable[[Style, Rng], str]] = {
    "bedroom": bedroom,
    "suite": suite,
    "twin": twin,
    "lobby": lobby,
    "pool": pool,
    "bathroom": bathroom,
    "restaurant": restaurant,
    "terrace": terrace,
    "spa": spa,
    "gym": gym,
}


def room(name: str, seed: str, width: int, height: int) -> str:
    rng = Rng("room", name, seed)
    defs = (
        shade("sky", "#5aa7e0", "#d7ecf6", angle="y")
        + shade("pool", "#7fdbe6", "#2a9fc4", angle="y")
        + shade("glass", "#e6f1f5", "#b9d0da", angle="d")
        + glow("glow", "#fff0bf", "#fff0bf", opacity=(0.8, 0))
        + glow("shade", "#20180f", "#20180f", opacity=(0.35, 0))
    )
    drawing = ROOMS[name](draw_style(rng), rng)
    if rng.chance(0.5):
        drawing = group(drawing, "translate(400) scale(-1 1)")
    return filled(defs, drawing, width, height)
