"""Products for the home: furniture and decoration."""

# ruff: noqa: ARG001  all drawings take the same arguments

from __future__ import annotations

from webgym.rng import Rng
from webgym.sites.kit.pictures.canvas import Tones
from webgym.sites.kit.pictures.pen import Drawing, box, group, oval, path, shadow, stroke


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


def lamp(t: Tones, rng: Rng) -> str:
    stem = rng.pick(("gold", "metal", "walnut"))
    return (
        shadow(200, 340, 84)
        + oval(stem, 200, 334, 58, 12)
        + box(stem, 193, 200, (14, 134), 4)
        + path("round", "M150 70h100l42 142h-184z")
        + oval("#fff6d6", 200, 212, 92, 12)
        + oval(t.dark, 200, 70, 50, 7)
        + path("#ffffff", "M160 76l-34 130h26l24-130z", 'opacity=".25"')
    )


def chair(t: Tones, rng: Rng) -> str:
    legs = rng.pick(("wood", "walnut", "coal"))
    return (
        shadow(200, 342, 100)
        + stroke(legs, 11, "M142 246l-14 92M258 246l14 92M166 240l-4 76M234 240l4 76")
        + path("down", "M138 70q62-22 124 0 16 74 4 150h-132q-12-76 4-150z")
        + path("#000000", "M150 84q50-16 100 0 12 60 2 124h-104q-10-64 2-124z", 'opacity=".07"')
        + path("lit", "M118 214q82-18 164 0 14 22 4 40-86 18-172 0-10-18 4-40z")
        + path(t.darkest, "M114 250q86 20 172 0v8q-86 20-172 0z")
    )


def armchair(t: Tones, rng: Rng) -> str:
    legs = rng.pick(("wood", "walnut", "coal"))
    return (
        shadow(200, 338, 140)
        + stroke(legs, 12, "M120 300l-8 34M280 300l8 34")
        + path("down", "M112 110q6-38 46-40h84q40 2 46 40l6 130h-188z")
        + stroke(t.dark, 2, "M200 76v120M156 84v112M244 84v112", 'opacity=".5"')
        + box("lit", 110, 206, (180, 58), 18)
        + box("deep", 100, 250, (200, 56), 12)
        + path("down", "M66 190q0-26 26-26t26 26v116h-40q-12 0-12-14z")
        + path("down", "M334 190q0-26-26-26t-26 26v116h40q12 0 12-14z")
        + oval(t.light, 92, 186, 18, 14)
        + oval(t.light, 308, 186, 18, 14)
    )


def sofa(t: Tones, rng: Rng) -> str:
    pillow = rng.pick(("#f2efe8", "#e0b04a", "#4c6a78", "#b5563c"))
    return (
        shadow(200, 322, 170)
        + stroke(rng.pick(("wood", "coal")), 10, "M76 296l-5 24M324 296l5 24M200 296v22")
        + box("down", 62, 130, (276, 130), 22)
        + stroke(t.dark, 2.5, "M200 134v90")
        + box("lit", 74, 212, (126, 46), 14)
        + box("lit", 200, 212, (126, 46), 14)
        + box("deep", 62, 250, (276, 50), 10)
        + box("down", 36, 184, (50, 118), 20)
        + box("down", 314, 184, (50, 118), 20)
        + path(pillow, "M92 160q30-8 58 0 8 28 0 58-30 6-58 0-8-30 0-58z")
        + path("#000000", "M96 214q28 4 54 0v4q-28 4-56 0z", 'opacity=".15"')
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


def bed(t: Tones, rng: Rng) -> str:
    return (
        shadow(200, 326, 176)
        + box(rng.pick(("wood", "walnut", "deep")), 50, 96, (300, 130), 14)
        + box("paper", 66, 178, (120, 52), 18)
        + box("paper", 214, 178, (120, 52), 18)
        + path("down", "M44 226q156-26 312 0l10 66h-332z")
        + path(t.light, "M46 222q154-26 308 0l2 22q-156-22-312 0z")
        + path("#ffffff", "M44 226q156-26 312 0l1 8q-156-26-314 0z")
        + path("deep", "M34 290h332v24h-332z")
        + stroke("walnut", 10, "M54 316v14M346 316v14")
    )


def dresser(t: Tones, rng: Rng) -> str:
    knob = rng.pick(("gold", "metal", "coal"))
    drawers = "".join(
        box("lit", x, y, (112, 50), 4) + oval(knob, x + 56, y + 25, 6) for y in (134, 194, 254) for x in (82, 206)
    )
    return (
        shadow(200, 340, 150)
        + stroke("walnut", 12, "M86 318l-4 20M314 318l4 20")
        + box("deep", 70, 124, (260, 196), 6)
        + drawers
        + box("down", 62, 112, (276, 16), 4)
        + path("leaf", "M116 112q-26-40 2-54 22 26 8 54zM124 112q4-44 34-44 4 34-24 44z")
        + path("#f3efe8", "M104 92h36l-5 20h-26z")
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


def vase(t: Tones, rng: Rng) -> str:
    flower = rng.pick(("#e77f9b", "#f3c34b", "#f6efe6", "#b98ad0"))
    blooms = "".join(oval(flower, x, y, 20) + oval("#f5e6a8", x, y, 7) for x, y in ((150, 84), (204, 60), (252, 92)))
    return (
        shadow(200, 336, 86)
        + stroke("leaf", 5, "M196 190q-6-70-44-100M200 190q4-70 4-124M204 190q10-60 46-96")
        + path("leaf", "M176 150q-34-6-40 16 26 8 40-16zM226 152q34-2 38 20-26 6-38-20z")
        + blooms
        + path("round", "M172 176h56q2 26 22 50 34 40 4 96-4 12-20 12h-68q-16 0-20-12-30-56 4-96 20-24 22-50z")
        + oval(t.darkest, 200, 177, 28, 6)
        + path("#ffffff", "M158 238q-22 36-6 76 2-44 18-80z", 'opacity=".35"')
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


def candle(t: Tones, rng: Rng) -> str:
    return (
        shadow(200, 332, 92)
        + oval("#ffdf8a", 200, 106, 60, 64, 'opacity=".25"')
        + box("round", 126, 160, (148, 170), 14)
        + oval(t.light, 200, 162, 74, 15)
        + oval("#fff4d8", 200, 162, 62, 11)
        + stroke("#3a3028", 3, "M200 160v-16")
        + path("#ffb62e", "M200 92q24 34 0 54-24-20 0-54z")
        + path("#fff3b0", "M200 112q11 20 0 32-11-12 0-32z")
        + box("#fbf7ee", 152, 222, (96, 66), 3)
        + stroke(t.base, 4, "M170 242h60M180 256h40M186 270h28")
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


def basket(t: Tones, rng: Rng) -> str:
    weave = "".join(
        stroke(t.darkest, 3, f"M{100 + k * 3} {190 + 28 * k}q100 16 {200 - 6 * k} 0", 'opacity=".45"') for k in range(5)
    )
    slats = stroke(
        t.lightest, 3, "".join(f"M{x} 182l{(200 - x) // 9} 146" for x in range(112, 300, 22)), 'opacity=".5"'
    )
    return (
        shadow(200, 334, 112)
        + stroke("down", 14, "M122 180q78-150 156 0")
        + path("round", "M88 176h224l-22 140q-2 16-18 16h-144q-16 0-18-16z")
        + slats
        + weave
        + box("lit", 82, 166, (236, 24), 12)
    )


HOME: dict[str, Drawing] = {
    "mug": mug,
    "lamp": lamp,
    "chair": chair,
    "armchair": armchair,
    "sofa": sofa,
    "table": table,
    "desk": desk,
    "shelf": shelf,
    "bed": bed,
    "dresser": dresser,
    "clock": clock,
    "vase": vase,
    "plant": plant,
    "candle": candle,
    "mirror": mirror,
    "basket": basket,
}
