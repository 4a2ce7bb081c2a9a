"""Things to wear, to use and to play with of which more than a colour is drawn by lot."""

from __future__ import annotations

from webgym.rng import Rng
from webgym_hermetic.kit.pictures.canvas import Tones
from webgym_hermetic.kit.pictures.pen import Drawing, box, group, oval, path, shadow, stroke


def shoe(t: Tones, rng: Rng) -> str:
    stripes = (
        stroke("#ffffff", 9, "M186 252l26-52M208 256l24-46M230 258l20-38")
        if rng.chance(0.5)
        else path("#ffffff", "M150 244q60 18 116-34-40 62-116 50z")
    )
    return (
        shadow(200, 306, 166, 16)
        + path("down", "M56 186q0-44 22-52 12 20 34 22 22-4 30-26 16 6 32 30l60 48q28 18 70 24 44 8 44 44v10h-292z")
        + path("deep", "M56 186q0-44 22-52 12 20 34 22 8 30-6 68-28 10-50 2z")
        + stripes
        + stroke("#f7f7f5", 6, "M156 170l22-14M174 184l22-16M194 198l20-16")
        + path("#fbfbf9", "M50 274h298q6 26-14 28h-268q-18 0-16-28z")
        + stroke("#c9ccd0", 2.5, "M54 288h290")
        + path(t.lightest, "M300 240q38 8 42 32h-30q-2-22-12-32z", 'opacity=".7"')
    )


def shirt(t: Tones, rng: Rng) -> str:
    mark = rng.pick(
        (
            "",
            "".join(box(t.lightest, 118, y, (164, 12), 0, 'opacity=".8"') for y in (176, 212, 248, 284)),
            box(t.lightest, 216, 168, (38, 44), 4, 'opacity=".7"'),
            oval("#ffffff", 200, 214, 36, 0, 'opacity=".85"') + path(t.base, "M200 186l26 42h-52z"),
        )
    )
    return (
        shadow(200, 346, 100)
        + path("deep", "M124 98l-76 74 44 48 40-34zM276 98l76 74-44 48-40-34z")
        + path("round", "M152 76q48 34 96 0l44 26-10 232q-82 16-164 0l-10-232z")
        + mark
        + path(t.darkest, "M152 76q48 34 96 0-8 44-48 44t-48-44z")
        + stroke(t.light, 6, "M152 76q8 46 48 46t48-46")
        + path("#ffffff", "M126 140q-4 90 2 190l14 2q-6-100-4-192z", 'opacity=".2"')
    )


def dress(t: Tones, rng: Rng) -> str:
    dots = "".join(
        oval(t.lightest, x, y, 4.5, 0, 'opacity=".8"')
        for y in range(120, 330, 26)
        for x in range(150 - (y - 120) // 4, 260 + (y - 120) // 4, 27)
    )
    return (
        shadow(200, 350, 112)
        + path(
            "round",
            "M150 62l14-6q8 36 36 40 28-4 36-40l14 6q4 50-6 92 14 70 64 176-108 34-216 0 50-106 64-176-10-42-6-92z",
        )
        + (dots if rng.chance(0.5) else "")
        + path(t.darkest, "M155 150q45 14 90 0l2 12q-47 14-94 0z")
        + stroke(t.dark, 3, "M168 172q-20 90-40 158M200 176v168M232 172q20 90 40 158", 'opacity=".6"')
    )


def watch(t: Tones, rng: Rng) -> str:
    hour = rng.between(0, 11)
    return (
        shadow(200, 346, 70)
        + path("round", "M164 48h72l8 96h-88zM156 256h88l-8 96h-72z")
        + stroke(t.darkest, 2, "M170 64h60M168 92h64M168 312h64M170 336h60", 'opacity=".6"')
        + oval("metal", 200, 200, 84)
        + box("metal", 280, 190, (16, 20), 4)
        + oval(rng.pick(("coal", "paper", "screen")), 200, 200, 70)
        + "".join(group(box("gold", 198, 136, (4, 12)), f"rotate({30 * n} 200 200)") for n in range(12))
        + group(box("gold", 197, 162, (6, 42), 3), f"rotate({30 * hour} 200 200)")
        + group(box("gold", 198, 146, (4, 58), 2), f"rotate({rng.between(0, 359)} 200 200)")
        + path("#ffffff", "M150 160q24-36 70-32-52 14-60 60z", 'opacity=".3"')
    )


def _wallpaper(x: float, y: float, size: tuple[float, float], t: Tones) -> str:
    """Draw what a screen shows: hills in the product's colour under an evening sky."""
    wide, high = size
    return (
        box("screen", x, y, size, 3)
        + oval("#ffd9a0", x + wide * 0.7, y + high * 0.34, high * 0.1, 0, 'opacity=".9"')
        + path(
            t.base,
            f"M{x:g} {y + high * 0.7:g}q{wide * 0.25:g}-{high * 0.3:g} {wide * 0.5:g} "
            f"0t{wide * 0.5:g}-{high * 0.1:g}v{high * 0.4:g}h-{wide:g}z",
            'opacity=".85"',
        )
        + path(
            t.darkest,
            f"M{x:g} {y + high * 0.86:g}q{wide * 0.3:g}-{high * 0.16:g} {wide * 0.6:g} "
            f"0t{wide * 0.4:g}-{high * 0.05:g}v{high * 0.19:g}h-{wide:g}z",
        )
    )


def speaker(t: Tones, rng: Rng) -> str:
    if rng.chance(0.5):
        holes = "".join(f"M{x} {y}h.1" for y in range(158, 312, 14) for x in range(140, 268, 14))
        return (
            shadow(200, 334, 100)
            + box("round", 118, 92, (164, 240), 60)
            + stroke(t.darkest, 6, holes, 'opacity=".6"')
            + oval(t.light, 200, 100, 66, 16)
            + oval("coal", 200, 100, 54, 11)
            + stroke("#ffffff", 3, "M192 100h16M200 96v8", 'opacity=".8"')
        )
    cones = "".join(
        oval("coal", 200, y, r)
        + oval("#6a6e75", 200, y, r * 0.8)
        + oval("coal", 200, y, r * 0.7)
        + oval("steel", 200, y, r * 0.26)
        for y, r in ((142, 36), (252, 62))
    )
    return (
        shadow(200, 340, 104)
        + box("round", 112, 72, (176, 266), 14)
        + cones
        + path("#ffffff", "M120 86q0-8 8-8h8v252h-8q-8 0-8-8z", 'opacity=".25"')
    )


def phone(t: Tones, rng: Rng) -> str:
    icons = "".join(
        box(
            rng.pick(("#ffffff", t.light, "#f7b955", "#7ad0c2", "#f07a7a")),
            152 + 27 * (n % 4),
            262 + 27 * (n // 4),
            (18, 18),
            5,
            'opacity=".92"',
        )
        for n in range(8)
    )
    return (
        shadow(216, 346, 96)
        + box("round", 176, 64, (132, 268), 24)
        + oval("coal", 282, 92, 13)
        + oval("coal", 282, 124, 13)
        + oval("#5a6a80", 282, 92, 5)
        + oval("#5a6a80", 282, 124, 5)
        + box("metal", 128, 70, (142, 278), 26)
        + box("#0e1116", 132, 74, (134, 270), 22)
        + _wallpaper(138, 80, (122, 258), t)
        + icons
        + box("#0e1116", 178, 84, (42, 12), 6)
    )


def keyboard(t: Tones, rng: Rng) -> str:
    rows = "".join(
        box("paper" if rng.chance(0.1) else t.light, 50 + 21.6 * k + 4 * (n % 2), 176 + 23 * n, (18, 18), 4)
        for n in range(4)
        for k in range(14)
        if not (n % 2 and k == 13)
    )
    return (
        shadow(200, 306, 178, 14)
        + box("deep", 34, 162, (332, 142), 16)
        + box("down", 34, 156, (332, 140), 16)
        + box(t.darkest, 44, 168, (312, 118), 8, 'opacity=".55"')
        + rows
        + box(t.light, 134, 266, (120, 16), 4)
    )


def ball(t: Tones, rng: Rng) -> str:
    lines = stroke(t.darkest, 5, "M72 200h256M200 72v256M110 110q74 90 0 180M290 110q-74 90 0 180")
    patches = path(
        "#25272b",
        "M200 158l42 30-16 50h-52l-16-50zM200 74l30 16-30 24-30-24zM318 168l6 50-32-10-4-34zM82 "
        "168l-6 50 32-10 4-34zM150 318l-20-32 30-14 24 18zM250 318l20-32-30-14-24 18z",
    ) + stroke("#25272b", 3, "M200 158v-44M242 188l46-14M226 238l14 34M174 238l-14 34M158 188l-46-14")
    seams = stroke("#ffffff", 7, "M98 118q70 82 0 164M302 118q-70 82 0 164", 'opacity=".9"')
    return (
        shadow(200, 336, 96, 18)
        + oval("ball", 200, 202, 128)
        + rng.pick((lines, patches, seams))
        + path("#ffffff", "M112 158q20-50 70-66-40 30-52 78z", 'opacity=".35"')
    )


def board_game(t: Tones, rng: Rng) -> str:
    squares = "".join(
        box(rng.pick((t.light, "#f1d27a", "#8fc1b5", "#f4efe4", t.dark)), 108 + 24 * n, 206, (22, 22)) for n in range(8)
    )
    return (
        shadow(200, 322, 160, 16)
        + path("deep", "M56 238h288v70q0 10-12 10h-264q-12 0-12-10z")
        + path("lit", "M92 130h216l36 108h-288z")
        + path("#fbf6ea", "M112 142h176l26 84h-228z")
        + group(squares, "translate(-4 -24)")
        + path("#c9463a", "M150 150q10-18 20 0l8 34h-36z")
        + oval("#c9463a", 160, 142, 9)
        + path("#3a6db0", "M236 160q10-18 20 0l8 34h-36z")
        + oval("#3a6db0", 246, 152, 9)
        + stroke(t.lightest, 6, "M120 270h160M150 290h100", 'opacity=".8"')
    )


def book(t: Tones, rng: Rng) -> str:
    art = rng.pick(
        (
            oval(t.lightest, 206, 180, 44) + path(t.darkest, "M150 232l56-70 56 70z"),
            path(t.lightest, "M156 232q50-110 100 0z") + oval("#f6d98a", 236, 150, 17),
            "".join(box(t.lightest, 156, y, (100 - 12 * n, 8), 2) for n, y in enumerate((150, 168, 186, 204))),
            stroke(t.lightest, 9, "M206 140v92M160 186h92M174 154l64 64M238 154l-64 64"),
        )
    )
    return (
        shadow(206, 338, 110)
        + path("#f4f0e6", "M130 320h158v16h-152z")
        + path(t.darkest, "M118 74h10v262h158v6h-160q-8 0-8-12z")
        + box("round", 124, 64, (168, 258), 5)
        + box(t.darkest, 124, 64, (15, 258), 4, 'opacity=".45"')
        + box("#fdf9ef", 156, 88, (100, 9), 3)
        + box("#fdf9ef", 166, 106, (80, 7), 3, 'opacity=".8"')
        + art
        + box("#fdf9ef", 176, 286, (60, 7), 3, 'opacity=".85"')
    )


def notebook(t: Tones, rng: Rng) -> str:
    rings = "".join(box("metal", 104, y, (28, 7), 3) for y in range(84, 318, 22))
    return (
        shadow(206, 338, 108)
        + box("#f4f1ea", 130, 76, (166, 258), 8)
        + box("round", 118, 68, (172, 262), 10)
        + (
            box("coal", 258, 68, (11, 262))
            if rng.chance(0.5)
            else box("#fdfaf2", 156, 110, (96, 52), 4) + stroke(t.dark, 4, "M170 130h68M180 146h48")
        )
        + rings
        + path("#ffffff", "M138 78h12v242h-12z", 'opacity=".2"')
    )


THINGS: dict[str, Drawing] = {
    "shoe": shoe,
    "shirt": shirt,
    "dress": dress,
    "watch": watch,
    "speaker": speaker,
    "phone": phone,
    "keyboard": keyboard,
    "ball": ball,
    "board-game": board_game,
    "book": book,
    "notebook": notebook,
}
