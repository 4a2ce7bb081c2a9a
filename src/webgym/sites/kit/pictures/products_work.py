"""Stationery, tools, garden and pet products."""

# ruff: noqa: ARG001  all drawings take the same arguments

from __future__ import annotations

from webgym.rng import Rng
from webgym.sites.kit.pictures.canvas import Tones
from webgym.sites.kit.pictures.pen import Drawing, box, group, oval, path, shadow, stroke


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


def pen(t: Tones, rng: Rng) -> str:
    body = (
        box("round", 186, 62, (30, 210), 10)
        + box(rng.pick(("gold", "metal")), 184, 176, (34, 10), 2)
        + path("metal", "M188 272h26l-9 54h-8z")
        + path("#26282c", "M198 326h6l-3 18z")
        + path("metal", "M212 70h12v74q-6 8-12 0z")
        + box("gold", 192, 46, (18, 20), 5)
        + box("#ffffff", 191, 74, (6, 190), 3, 'opacity=".4"')
    )
    return shadow(220, 318, 110, 12) + group(body, "rotate(40 200 200)")


def pencil_case(t: Tones, rng: Rng) -> str:
    pencils = "".join(
        group(
            box(c, 0, 0, (16, 110), 2) + path("#efcf9c", "M0 0l8-22 8 22z") + path("#2c2c2c", "M5-13l3-9 3 9z"),
            f"translate({x} {y}) rotate({a})",
        )
        for x, y, a, c in (
            (130, 104, -6, "#e2b13c"),
            (164, 92, 0, "#d25546"),
            (200, 98, 4, "#4d8fc4"),
            (238, 104, 9, "#5ea56b"),
        )
    )
    return (
        shadow(200, 310, 150, 18)
        + pencils
        + box("round", 62, 186, (276, 120), 40)
        + stroke("#e9e6df", 5, "M84 206h232", 'stroke-dasharray="5 4"')
        + box("metal", 300, 200, (34, 13), 5)
        + stroke(t.lightest, 4, "M110 250h110", 'opacity=".5"')
    )


def scissors(t: Tones, rng: Rng) -> str:
    ring = f'fill="none" stroke="{t.base}" stroke-width="19"'
    return shadow(200, 334, 110, 12) + group(
        path("steel", "M188 208l40-158q16 34-10 166zM212 208l-40-158q-16 34 10 166z")
        + oval("metal", 200, 206, 10)
        + f'<ellipse cx="156" cy="282" rx="30" ry="40" transform="rotate(24 156 282)" {ring}/>'
        f'<ellipse cx="244" cy="282" rx="30" ry="40" transform="rotate(-24 244 282)" {ring}/>'
        + stroke("down", 20, "M188 216l-14 30M212 216l14 30"),
        "rotate(12 200 200)",
    )


def stapler(t: Tones, rng: Rng) -> str:
    return (
        shadow(200, 304, 160, 14)
        + box("deep", 54, 276, (292, 24), 10)
        + path("steel", "M72 240l262 8v22h-280z")
        + path("lit", "M56 214q0-50 50-50 130 4 232 66 12 12 4 22h-270q-16 0-16-38z")
        + oval("metal", 94, 236, 12)
        + path("#ffffff", "M84 190q10-14 34-14 96 6 168 42-100-34-176-36-16 0-26 8z", 'opacity=".5"')
    )


def drill(t: Tones, rng: Rng) -> str:
    return (
        shadow(180, 340, 110)
        + box("metal", 318, 144, (62, 9), 3)
        + path("coal", "M262 122h36l22 14v24l-22 14h-36z")
        + path("round", "M84 116q0-16 16-16h148q18 0 18 16v64q0 16-18 16h-94l-10 84h-68l14-88q-6-6-6-16z")
        + path("coal", "M152 196h36q4 28-16 34h-24z")
        + box("coal", 62, 276, (104, 56), 12)
        + box(t.light, 78, 292, (72, 22), 5)
        + box("coal", 106, 120, (90, 12), 6)
        + box("coal", 106, 142, (90, 12), 6)
    )


def hammer(t: Tones, rng: Rng) -> str:
    tool = (
        box("wood", 188, 108, (26, 150), 5)
        + box("round", 184, 218, (34, 126), 12)
        + stroke(t.lightest, 3, "M190 250h22M190 270h22M190 290h22M190 310h22", 'opacity=".6"')
        + path("steel", "M132 66h110v58h-110q-12 0-12-12v-34q0-12 12-12z")
        + path("steel", "M242 70q50-6 78 36-30-12-78 8z")
        + path("#ffffff", "M128 74h108v12h-108z", 'opacity=".5"')
    )
    return shadow(210, 340, 90, 12) + group(tool, "rotate(20 200 200)")


def wrench(t: Tones, rng: Rng) -> str:
    tool = (
        path(
            "steel",
            "M182 132q-40-14-40-56 0-26 18-42v44l24 16h32l24-16v-44q18 16 18 42 0 42-40 56v120q40 14 "
            "40 56 0 26-18 42v-44l-24-16h-32l-24 16v44q-18-16-18-42 0-42 40-56z",
        )
        + box("round", 180, 142, (40, 124), 14)
        + box("#ffffff", 186, 150, (8, 108), 4, 'opacity=".35"')
    )
    return shadow(216, 334, 110, 12) + group(tool, "rotate(38 200 200) translate(20 20) scale(.9)")


def toolbox(t: Tones, rng: Rng) -> str:
    return (
        shadow(200, 322, 158)
        + stroke("coal", 14, "M138 154v-24q0-18 18-18h88q18 0 18 18v24")
        + box("round", 56, 168, (288, 148), 14)
        + path("deep", "M70 146h260l18 64h-296z")
        + box("metal", 112, 196, (32, 34), 5)
        + box("metal", 256, 196, (32, 34), 5)
        + box(t.lightest, 160, 246, (80, 36), 6, 'opacity=".6"')
        + path("#ffffff", "M80 152h240l4 12h-248z", 'opacity=".25"')
    )


def ladder(t: Tones, rng: Rng) -> str:
    rungs = "".join(box("lit", 148 - 9 * n, 106 + 48 * n, (104 + 18 * n, 13), 4) for n in range(5))
    return (
        shadow(210, 346, 120, 12)
        + stroke("#8d949b", 10, "M236 64l72 280M176 64l40 250")
        + rungs
        + stroke(t.dark, 14, "M158 60l-54 284M242 60l54 284")
        + box("coal", 142, 50, (116, 22), 6)
    )


def paint(t: Tones, rng: Rng) -> str:
    return (
        shadow(200, 332, 120)
        + stroke("#8d949b", 5, "M96 166q104-150 208 0")
        + box("metal", 96, 150, (208, 178), 8)
        + box("#fbfaf6", 96, 196, (208, 100))
        + path("down", "M96 196h208v30q-26 30-52 0-26 40-52 6-26 34-52-6-26 26-52 0z")
        + oval("metal", 200, 150, 104, 26)
        + oval("lit", 200, 150, 92, 20)
        + path("down", "M236 164q4 70 14 70t12-70z")
        + stroke(t.dark, 5, "M150 272h100")
    )


def watering_can(t: Tones, rng: Rng) -> str:
    return (
        shadow(190, 330, 126)
        + stroke("deep", 15, "M236 160q94-20 88 64t-76 74")
        + path("round", "M60 118l16-12 74 132-14 44q-52-64-76-164z")
        + path("deep", "M36 108l52-26 10 18-50 28z")
        + path("round", "M128 148h124l16 164q0 14-14 14h-128q-14 0-14-14z")
        + oval("deep", 190, 148, 62, 14)
        + stroke("lit", 12, "M140 150q50-84 100 0")
        + path("#ffffff", "M140 168h14l-10 148h-16z", 'opacity=".35"')
    )


def shovel(t: Tones, rng: Rng) -> str:
    tool = (
        box("wood", 191, 96, (18, 150), 4)
        + path("down", "M160 60q0-20 20-20h40q20 0 20 20l-26 44h-28zM182 60l10 24h16l10-24z", 'fill-rule="evenodd"')
        + path("lit", "M152 232h96v62q0 50-48 76-48-26-48-76z")
        + stroke(t.darkest, 4, "M200 240v96", 'opacity=".5"')
    )
    return shadow(214, 346, 90, 12) + group(tool, "rotate(16 200 200) translate(0 -14)")


def dog_bed(t: Tones, rng: Rng) -> str:
    paw = path("#ffffff", "M200 284q22 0 24 18 0 12-12 12h-24q-12 0-12-12 2-18 24-18z") + "".join(
        oval("#ffffff", x, y, 7, 9) for x, y in ((172, 280), (190, 268), (210, 268), (228, 280))
    )
    return (
        shadow(200, 326, 168, 18)
        + oval("deep", 200, 262, 164, 66)
        + oval("lit", 200, 232, 164, 66)
        + oval(t.darkest, 200, 226, 116, 40)
        + oval("#f1e8d8", 200, 236, 110, 36)
        + path("down", "M36 244q14 62 164 64t164-64q4 80-164 80t-164-80z")
        + group(paw, "translate(0 6) scale(1 .86) translate(0 46)", 'opacity=".85"')
    )


def leash(t: Tones, rng: Rng) -> str:
    return (
        shadow(200, 330, 120, 14)
        + f'<ellipse cx="168" cy="236" rx="88" ry="74" fill="none" stroke="{t.base}" stroke-width="15"/>'
        + f'<ellipse cx="180" cy="240" rx="62" ry="50" fill="none" stroke="{t.dark}" stroke-width="13"/>'
        + stroke("lit", 15, "M238 196q70-20 62-92-4-34-40-26-30 12-12 46 14 22 44 8")
        + stroke("metal", 9, "M92 280q-30 22-34 40")
        + '<ellipse cx="58" cy="330" rx="11" ry="16" fill="none" stroke="#9aa1a8" stroke-width="6"/>'
        + stroke(t.lightest, 2, "M90 206q30-44 90-42", 'stroke-dasharray="7 6"')
    )


WORK: dict[str, Drawing] = {
    "book": book,
    "notebook": notebook,
    "pen": pen,
    "pencil-case": pencil_case,
    "scissors": scissors,
    "stapler": stapler,
    "drill": drill,
    "hammer": hammer,
    "wrench": wrench,
    "toolbox": toolbox,
    "ladder": ladder,
    "paint": paint,
    "watering-can": watering_can,
    "shovel": shovel,
    "dog-bed": dog_bed,
    "leash": leash,
}
