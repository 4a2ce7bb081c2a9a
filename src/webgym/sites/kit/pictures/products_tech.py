"""Electronic products."""

# ruff: noqa: ARG001  all drawings take the same arguments

from __future__ import annotations

from webgym.rng import Rng
from webgym.sites.kit.pictures.canvas import Tones
from webgym.sites.kit.pictures.pen import Drawing, box, group, oval, path, shadow, stroke


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


def headphones(t: Tones, rng: Rng) -> str:
    return (
        shadow(200, 336, 130)
        + stroke("down", 24, "M100 228q-10-150 100-156 110 6 100 156")
        + stroke(t.lightest, 5, "M112 170q14-84 88-88", 'opacity=".6"')
        + box("coal", 112, 206, (30, 110), 14)
        + box("coal", 258, 206, (30, 110), 14)
        + box("round", 70, 196, (56, 130), 26)
        + box("round", 274, 196, (56, 130), 26)
        + path("#ffffff", "M82 224q0-16 10-18v110q-10-4-10-18zM286 224q0-16 10-18v110q-10-4-10-18z", 'opacity=".35"')
    )


def earbuds(t: Tones, rng: Rng) -> str:
    bud = path("round", "M100 92q36-12 48 20 6 22-10 36v70q0 14-13 14t-13-14v-60q-30-4-34-32 0-26 22-34z") + oval(
        "coal", 92, 122, 14, 18
    )
    return (
        shadow(200, 336, 130)
        + group(bud, "translate(18 -8)")
        + group(bud, "translate(382 -8) scale(-1 1)")
        + box("round", 112, 224, (176, 110), 40)
        + stroke(t.darkest, 3, "M114 262h172")
        + oval("#8ff0a8", 200, 286, 5)
        + path("#ffffff", "M132 238q10-8 30-8h70q-60 6-90 24z", 'opacity=".5"')
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


def laptop(t: Tones, rng: Rng) -> str:
    return (
        shadow(200, 308, 178, 14)
        + path("coal", "M92 96q0-10 10-10h196q10 0 10 10v156h-216z")
        + _wallpaper(101, 95, (198, 148), t)
        + path("lit", "M92 252h216l46 40h-308z")
        + path(t.darkest, "M110 258h180l26 18h-232z", 'opacity=".7"')
        + path(t.light, "M168 280h64l4 9h-72z")
        + path("deep", "M46 292h308q0 12-14 12h-280q-14 0-14-12z")
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


def tablet(t: Tones, rng: Rng) -> str:
    return (
        shadow(200, 334, 150)
        + box("round", 66, 88, (268, 240), 18)
        + box("#101318", 72, 94, (256, 228), 13)
        + _wallpaper(86, 108, (228, 200), t)
        + box("#ffffff", 104, 126, (86, 64), 8, 'opacity=".85"')
        + stroke(t.base, 6, "M116 144h60M116 158h44M116 172h52")
        + path("#ffffff", "M230 108h84l-120 200h-84z", 'opacity=".09"')
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


def mouse(t: Tones, rng: Rng) -> str:
    return (
        shadow(200, 330, 96)
        + path("round", "M200 72c56 0 84 44 84 124 0 90-26 134-84 134s-84-44-84-134c0-80 28-124 84-124z")
        + stroke(t.darkest, 3, "M200 74v92M118 172q82 26 164 0", 'opacity=".7"')
        + box("coal", 189, 102, (22, 50), 11)
        + box("#80868d", 196, 112, (8, 30), 4)
        + path("#ffffff", "M136 180q-4-70 30-90-14 40-12 98z", 'opacity=".35"')
    )


def camera(t: Tones, rng: Rng) -> str:
    return (
        shadow(200, 312, 146)
        + path("coal", "M158 132l16-40h52l16 40z")
        + box("round", 62, 126, (276, 180), 22)
        + box("coal", 62, 172, (276, 92))
        + oval("metal", 200, 218, 86)
        + oval("coal", 200, 218, 78)
        + oval("#12161d", 200, 218, 58)
        + oval("screen", 200, 218, 44)
        + oval("#0a0d12", 200, 218, 20)
        + path("#ffffff", "M172 190q12-16 34-14-26 10-28 34z", 'opacity=".7"')
        + box("metal", 84, 110, (44, 20), 6)
        + oval("#c33a2f", 306, 148, 8)
        + box("#fff2b8", 182, 106, (36, 16), 3)
    )


def lens(t: Tones, rng: Rng) -> str:
    return (
        shadow(200, 336, 100)
        + box("coal", 122, 116, (156, 214), 14)
        + box("round", 114, 176, (172, 56), 6)
        + stroke("#14161a", 3, "".join(f"M{x} 248v40" for x in range(130, 276, 10)))
        + stroke("#ffffff", 3, "M150 200h20M190 200h30M240 200h14", 'opacity=".8"')
        + oval("coal", 200, 116, 88, 34)
        + oval("#0d1117", 200, 114, 76, 27)
        + oval("screen", 200, 114, 58, 20)
        + path("#ffffff", "M156 108q14-14 44-14-30 6-36 20z", 'opacity=".7"')
    )


def monitor(t: Tones, rng: Rng) -> str:
    return (
        shadow(200, 340, 110, 12)
        + path("steel", "M178 262h44l8 60h-60z")
        + box("down", 128, 318, (144, 16), 8)
        + box("coal", 40, 84, (320, 190), 10)
        + _wallpaper(48, 92, (304, 164), t)
        + box("down", 40, 260, (320, 16), 4)
        + path("#ffffff", "M220 92h90l-100 164h-90z", 'opacity=".07"')
    )


def tv(t: Tones, rng: Rng) -> str:
    return (
        shadow(200, 318, 170, 12)
        + stroke("coal", 10, "M104 276l-20 34M296 276l20 34")
        + box("coal", 24, 92, (352, 190), 6)
        + _wallpaper(30, 98, (340, 176), t)
        + box("down", 24, 276, (352, 9), 3)
        + path("#ffffff", "M240 98h90l-120 176h-90z", 'opacity=".07"')
    )


def router(t: Tones, rng: Rng) -> str:
    return (
        shadow(200, 306, 150, 16)
        + box("coal", 84, 92, (16, 150), 8)
        + box("coal", 300, 92, (16, 150), 8)
        + box("coal", 192, 78, (16, 160), 8)
        + path("lit", "M64 234q0-18 18-18h236q18 0 18 18l8 56q0 12-14 12h-260q-14 0-14-12z")
        + path(t.darkest, "M56 282h288l2 8q0 12-14 12h-264q-14 0-14-12z", 'opacity=".6"')
        + "".join(oval("#7df09a" if n != 3 else "#ffc75a", 128 + 36 * n, 256, 5) for n in range(5))
    )


def charger(t: Tones, rng: Rng) -> str:
    return (
        shadow(200, 330, 120)
        + stroke(t.dark, 10, "M214 210q90 10 90-60 0-60 50-64")
        + box("metal", 150, 86, (15, 50), 3)
        + box("metal", 208, 86, (15, 50), 3)
        + box("round", 108, 130, (156, 190), 32)
        + path("#f6d04d", "M194 178l-34 54h26l-8 46 36-58h-28z")
        + path("#ffffff", "M120 160q0-16 14-20v166q-14-6-14-20z", 'opacity=".4"')
    )


def console(t: Tones, rng: Rng) -> str:
    return (
        shadow(200, 320, 150)
        + path(
            "round",
            "M96 130q104-24 208 0 40 16 54 110 8 66-28 72-30-2-56-62-74-14-148 0-26 60-56 62-36-6-28-72 14-94 54-110z",
        )
        + box("coal", 104, 184, (58, 18), 6)
        + box("coal", 124, 164, (18, 58), 6)
        + oval("#d9564a", 300, 180, 11)
        + oval("#58a55c", 276, 204, 11)
        + oval("#4a86d8", 252, 180, 11)
        + oval("#e9c046", 276, 156, 11)
        + oval("coal", 166, 238, 24)
        + oval("#5a5e66", 166, 236, 17)
        + oval("coal", 236, 238, 24)
        + oval("#5a5e66", 236, 236, 17)
        + path("#ffffff", "M84 160q20-22 66-26-40 16-56 50z", 'opacity=".35"')
    )


def printer(t: Tones, rng: Rng) -> str:
    return (
        shadow(200, 324, 156)
        + path("paper", "M126 72h148v96h-148z")
        + stroke("#b8c0c9", 4, "M146 94h108M146 110h108M146 126h70")
        + box("round", 60, 152, (280, 132), 20)
        + box("coal", 84, 170, (232, 16), 6)
        + oval("#7df09a", 300, 214, 6)
        + box("screen", 218, 204, (60, 22), 4)
        + box("coal", 92, 248, (216, 20), 8)
        + path("paper", "M112 258h176l14 56h-204z")
        + stroke("#c3cad2", 4, "M134 280h132M130 294h100")
    )


def drone(t: Tones, rng: Rng) -> str:
    rotors = "".join(
        oval("#9aa3ad", x, y, 62, 9, 'opacity=".55"') + oval("coal", x, y + 4, 9, 8)
        for x, y in ((84, 140), (316, 140), (116, 196), (284, 196))
    )
    return (
        shadow(200, 332, 120, 12)
        + stroke("coal", 13, "M84 146l86 50M316 146l-86 50M116 202l60 26M284 202l-60 26")
        + rotors
        + path("lit", "M136 212q0-44 64-44t64 44q0 40-64 40t-64-40z")
        + oval("coal", 200, 256, 28)
        + oval("screen", 200, 258, 17)
        + path("#ffffff", "M192 248q6-6 16-6-10 4-12 14z", 'opacity=".8"')
        + stroke("coal", 8, "M150 244l-26 52h-18M250 244l26 52h18")
    )


def microphone(t: Tones, rng: Rng) -> str:
    mesh = stroke(
        "#3a3d43",
        2,
        "M152 96q48 22 96 0M146 122q54 22 108 0M146 148q54 22 108 0M170 78l60 100M230 78l-60 100"
        "M150 110l60 80M250 110l-60 80",
        'opacity=".6"',
    )
    return (
        shadow(200, 344, 90)
        + box("round", 144, 60, (112, 190), 54)
        + path("steel", "M144 114q0-54 56-54t56 54v50h-112z")
        + mesh
        + box("gold", 142, 162, (116, 12), 4)
        + stroke("coal", 11, "M116 170v30q0 76 84 78 84-2 84-78v-30")
        + box("coal", 193, 276, (14, 54))
        + oval("coal", 200, 334, 74, 12)
        + oval("#7df09a", 200, 206, 6)
    )


TECH: dict[str, Drawing] = {
    "headphones": headphones,
    "earbuds": earbuds,
    "speaker": speaker,
    "laptop": laptop,
    "phone": phone,
    "tablet": tablet,
    "keyboard": keyboard,
    "mouse": mouse,
    "camera": camera,
    "lens": lens,
    "monitor": monitor,
    "tv": tv,
    "router": router,
    "charger": charger,
    "console": console,
    "printer": printer,
    "drone": drone,
    "microphone": microphone,
}
