"""Products for the home of which more than a colour is drawn by lot."""

# ruff: noqa: ARG001  all drawings take the same arguments

from __future__ import annotations

from webgym.rng import Rng
from webgym_hermetic.kit.pictures.canvas import Tones
from webgym_hermetic.kit.pictures.pen import Drawing, box, group, oval, path, shadow, stroke


def mug(t: Tones, rng: Rng) -> str:
    band = (
        box(t.lightest if rng.chance(0.5) else "#ffffff", 110, 222, (150, 18), 0, 'opacity=".55"')
        if rng.chance(0.5)
        else ""
    )
    return (
        shadow(190, 322, 120)
        + stroke("round", 24, "M252 178c68-14 76 86 2 92")
        + path("round", "M108 132v150q0 40 40 40h76q40 0 40-40v-150z")
        + band
        + oval(t.light, 186, 132, 78, 20)
        + oval(t.darkest, 186, 135, 68, 15)
        + path("#5b3a22", "M122 140q64 22 128 0-14 12-64 12t-64-12z")
        + path("#ffffff", "M126 164v110q0 18 8 28", 'opacity=".28"')
    )


def table(t: Tones, rng: Rng) -> str:
    round_top = rng.chance(0.4)
    legs = stroke("deep", 13, "M112 216l-16 120M288 216l16 120M150 212l-4 96M250 212l4 96")
    if round_top:
        return (
            shadow(200, 340, 130)
            + legs
            + oval(t.darkest, 200, 208, 150, 36)
            + oval("down", 200, 198, 150, 36)
            + stroke(t.light, 2, "M70 192q130-40 260 0", 'opacity=".6"')
        )
    return (
        shadow(200, 340, 140)
        + legs
        + path("lit", "M98 168h204l52 42h-308z")
        + path(t.darkest, "M46 210h308v14h-308z")
        + stroke(t.light, 1.5, "M104 180h200M84 195h236", 'opacity=".6"')
    )


def desk(t: Tones, rng: Rng) -> str:
    return (
        shadow(200, 336, 160)
        + stroke("coal", 9, "M64 206v128M336 206v128")
        + box("down", 226, 206, (112, 108), 4)
        + "".join(
            box(t.lightest, 234, y, (96, 28), 3, 'opacity=".5"') + oval("metal", 282, y + 14, 5)
            for y in (214, 247, 280)
        )
        + path("lit", "M66 172h268l30 22h-328z")
        + path(t.darkest, "M36 194h328v13h-328z")
        + (
            group(
                box("coal", 96, 92, (96, 62), 4)
                + box("screen", 101, 97, (86, 52), 2)
                + box("metal", 138, 154, (12, 22))
                + oval("metal", 144, 178, 28, 5)
            )
            if rng.chance(0.6)
            else ""
        )
    )


def shelf(t: Tones, rng: Rng) -> str:
    rows = ""
    for y in (138, 208, 278):
        x = 118
        while x < 250:
            wide, high = rng.between(9, 18), rng.between(36, 54)
            rows += box(
                rng.pick((t.base, "#c9573f", "#e2b65a", "#3f6f7d", "#efe7d8", "#5b6d4a", t.dark)),
                x,
                y - high,
                (wide, high),
                1,
            )
            x += wide + rng.pick((1, 1, 2, 26))
    return (
        shadow(200, 346, 110)
        + path("deep", "M104 66h192v280h-192z")
        + path("#000000", "M114 76h172v262h-172z", 'opacity=".25"')
        + rows
        + "".join(box("down", 104, y, (192, 10)) for y in (64, 138, 208, 278, 338))
        + box("down", 102, 64, (11, 284))
        + box("down", 287, 64, (11, 284))
    )


def clock(t: Tones, rng: Rng) -> str:
    hour, minute = rng.between(0, 11), rng.between(0, 59)
    ticks = "".join(group(box("#3a3d42", 197.5, 98, (5, 14)), f"rotate({30 * n} 200 200)") for n in range(12))
    return (
        shadow(200, 340, 96)
        + oval("lit", 200, 200, 128)
        + oval(t.darkest, 200, 200, 112)
        + oval("paper", 200, 201, 109)
        + ticks
        + group(box("#22252a", 195, 138, (10, 68), 5), f"rotate({30 * hour + minute // 2} 200 200)")
        + group(box("#22252a", 197, 112, (6, 94), 3), f"rotate({6 * minute} 200 200)")
        + oval(t.base, 200, 200, 9)
    )


def plant(t: Tones, rng: Rng) -> str:
    angles = (-62, -38, -16, 8, 30, 54)
    leaves = "".join(
        group(
            path("leaf", "M200 236q-30-60 0-150 30 90 0 150z")
            + stroke("#2c6636", 1.5, "M200 230v-120", 'opacity=".5"'),
            f"rotate({a + rng.between(-5, 5)} 200 240)",
        )
        for a in angles
    )
    return (
        shadow(200, 342, 78)
        + leaves
        + path("round", "M138 238h124l-14 92q-2 10-12 10h-72q-10 0-12-10z")
        + box("lit", 130, 226, (140, 24), 6)
    )


def mirror(t: Tones, rng: Rng) -> str:
    arch = rng.chance(0.5)
    frame = (
        "M112 330v-170a88 88 0 0 1 176 0v170z"
        if arch
        else "M200 62c66 0 100 62 100 136s-34 136-100 136-100-62-100-136 34-136 100-136z"
    )
    return (
        shadow(200, 338, 100)
        + path("lit", frame)
        + group(path("glass", frame), "translate(200 200) scale(.88 .92) translate(-200 -200)")
        + path("#ffffff", "M150 250l90-130 20 22-96 132z", 'opacity=".45"')
    )


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


def bowl(t: Tones, rng: Rng) -> str:
    return (
        shadow(200, 320, 104)
        + path("round", "M62 178q6 128 106 136v8h64v-8q100-8 106-136z")
        + oval(t.light, 200, 178, 138, 34)
        + oval("deep", 200, 181, 126, 28)
        + path(t.base, "M84 190q60 22 116 20t116-20q-28 20-116 20t-116-20z")
        + path("#ffffff", "M84 212q10 60 56 84-28-40-34-78z", 'opacity=".35"')
        + (stroke(t.lightest, 5, "M70 220q130 34 260 0", 'opacity=".6"') if rng.chance(0.5) else "")
    )


def bottle(t: Tones, rng: Rng) -> str:
    return (
        shadow(200, 346, 66)
        + box("metal", 170, 54, (60, 42), 8)
        + box("coal", 166, 88, (68, 13), 4)
        + path("round", "M172 100h56q4 30 22 46 8 8 8 24v154q0 20-20 20h-76q-20 0-20-20v-154q0-16 8-24 18-16 22-46z")
        + box(t.lightest, 142, 300, (116, 8), 0, 'opacity=".5"')
        + path("#ffffff", "M156 170q0-12 10-20v176q-10-2-10-14z", 'opacity=".4"')
        + (stroke("#ffffff", 5, "M186 214l14-22 14 22-14 22z", 'opacity=".85"') if rng.chance(0.6) else "")
    )


HOME: dict[str, Drawing] = {
    "mug": mug,
    "table": table,
    "desk": desk,
    "shelf": shelf,
    "clock": clock,
    "plant": plant,
    "mirror": mirror,
    "rug": rug,
    "pillow": pillow,
    "bowl": bowl,
    "bottle": bottle,
}
