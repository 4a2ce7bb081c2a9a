"""Products for the kitchen, the pantry and the bathroom."""

# ruff: noqa: ARG001  all drawings take the same arguments

from __future__ import annotations

from webgym.rng import Rng
from webgym.sites.kit.pictures.canvas import Tones
from webgym.sites.kit.pictures.pen import Drawing, box, group, oval, path, shadow, stroke


def pan(t: Tones, rng: Rng) -> str:
    return (
        shadow(180, 292, 140, 18)
        + group(
            box(rng.pick(("walnut", "coal", "metal")), 262, 196, (112, 20), 10) + oval("#e9ebee", 362, 206, 4),
            "rotate(-14 262 206)",
        )
        + path("round", "M44 206q6 84 70 84h108q64 0 70-84z")
        + oval(t.light, 168, 206, 124, 32)
        + oval("coal", 168, 208, 114, 27)
        + path("#ffffff", "M74 210q30-22 94-22-60 8-80 30z", 'opacity=".25"')
    )


def pot(t: Tones, rng: Rng) -> str:
    return (
        shadow(200, 318, 134, 18)
        + stroke("metal", 13, "M92 212q-36-2-36 18t36 16M308 212q36-2 36 18t-36 16")
        + path("round", "M88 178h224v104q0 34-34 34h-156q-34 0-34-34z")
        + path("lit", "M80 178q8-52 120-52t120 52z")
        + box(t.darkest, 78, 174, (244, 11), 5)
        + oval("metal", 200, 116, 20, 13)
        + path("#ffffff", "M112 196v80q0 18 10 28v-108z", 'opacity=".3"')
    )


def kettle(t: Tones, rng: Rng) -> str:
    return (
        shadow(196, 330, 116)
        + stroke("coal", 18, "M150 112q110-74 136 60 6 40-10 80")
        + path("round", "M128 122h104q50 70 50 160 0 44-40 44h-124q-40 0-40-44 0-90 50-160z")
        + path("round", "M104 172q-34 4-50-40l-22-4q10 80 60 104z")
        + oval("coal", 180, 122, 54, 12)
        + oval("metal", 180, 108, 14, 11)
        + path("#ffffff", "M126 150q-30 60-28 150 8 12 16 14-6-90 28-164z", 'opacity=".3"')
        + box("coal", 78, 314, (206, 16), 7)
    )


def knife(t: Tones, rng: Rng) -> str:
    drawing = (
        path("steel", "M176 60q44 70 40 176h-46q-8-100 6-176z")
        + path("#ffffff", "M178 72q12 70 8 160h-12q-6-90 4-160z", 'opacity=".6"')
        + box("metal", 166, 232, (54, 14), 3)
        + path("round", "M170 246h46l4 100q0 12-12 12h-28q-12 0-12-12z")
        + "".join(oval("metal", 193, y, 5) for y in (270, 300, 330))
    )
    return shadow(210, 320, 100, 12) + group(drawing, "rotate(38 195 205)")


def blender(t: Tones, rng: Rng) -> str:
    drink = rng.pick(("#e98aa0", "#9cc76a", "#f0b95a", "#b48ad1"))
    return (
        shadow(200, 344, 86)
        + stroke("glass", 15, "M262 116q46 6 40 56t-50 46")
        + path("glass", "M132 92h136l-22 156h-92z")
        + path(drink, "M140 146h120l-14 102h-92z", 'opacity=".85"')
        + path("#ffffff", "M148 104l14 136h14l-12-136z", 'opacity=".5"')
        + box("coal", 126, 76, (148, 20), 8)
        + box("coal", 176, 60, (48, 18), 6)
        + path("round", "M150 246h100l24 84q2 12-10 12h-128q-12 0-10-12z")
        + oval("coal", 200, 302, 21)
        + oval("metal", 200, 302, 15)
        + box("#33363b", 198, 290, (4, 12))
    )


def toaster(t: Tones, rng: Rng) -> str:
    return (
        shadow(200, 312, 140, 18)
        + path("#d79a55", "M128 146v-46q0-22 34-22t34 22v46zM206 146v-46q0-22 34-22t34 22v46z")
        + path("#f1cf94", "M136 146v-42q0-18 26-18t26 18v42zM214 146v-42q0-18 26-18t26 18v42z")
        + path("round", "M70 190q0-56 56-56h148q56 0 56 56v98q0 22-22 22h-216q-22 0-22-22z")
        + box("coal", 108, 136, (184, 13), 6)
        + box("metal", 70, 282, (260, 20), 4)
        + box("coal", 332, 186, (20, 16), 5)
        + oval("metal", 292, 252, 17)
        + oval(t.darkest, 292, 252, 10)
        + path("#ffffff", "M88 190q0-38 38-40-16 16-18 110h-20z", 'opacity=".35"')
    )


def coffee_maker(t: Tones, rng: Rng) -> str:
    return (
        shadow(200, 344, 112)
        + box("round", 106, 70, (188, 62), 14)
        + box("deep", 228, 124, (66, 190), 4)
        + box("round", 102, 306, (196, 34), 10)
        + path("coal", "M142 132h64l-12 30h-40z")
        + path("glass", "M126 190h96l10 100q0 14-14 14h-88q-14 0-14-14z")
        + path("#4a2b18", "M120 240h108l4 52q0 12-14 12h-88q-14 0-14-12z")
        + box("coal", 122, 180, (104, 13), 5)
        + stroke("coal", 9, "M122 206q-30 8-24 40t26 28")
        + box("screen", 242, 86, (38, 24), 4)
        + path("#ffffff", "M118 78h24v46h-24z", 'opacity=".25"')
    )


def plate(t: Tones, rng: Rng) -> str:
    return (
        shadow(200, 264, 164, 40)
        + oval(t.darkest, 200, 236, 152, 74)
        + oval("lit", 200, 228, 152, 74)
        + oval(t.dark, 200, 230, 102, 46)
        + oval("down", 200, 233, 98, 43)
        + stroke(t.lightest, 4, "M64 226q20-66 136-68 116 2 136 68", 'opacity=".8"')
        + path("#ffffff", "M84 206q36-38 100-40-66 12-84 46z", 'opacity=".45"')
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


def cutting_board(t: Tones, rng: Rng) -> str:
    return (
        shadow(200, 348, 90)
        + path("lit", "M110 130q0-18 18-18h40v-42q0-20 32-20t32 20v42h40q18 0 18 18v190q0 20-20 20h-140q-20 0-20-20z")
        + oval("#f6f4f0", 200, 78, 11)
        + stroke(
            t.dark,
            2.5,
            "M132 130q10 90 0 200M160 124q8 90 2 210M200 120q-6 100 2 214M238 122q10 90-2 210M266 130q-8 90 2 200",
            'opacity=".5"',
        )
        + path("#ffffff", "M118 130q0-10 10-10h40v-4q-42 4-44 14v190z", 'opacity=".4"')
    )


def jar(t: Tones, rng: Rng) -> str:
    return (
        shadow(200, 334, 94)
        + path(
            "glass", "M124 136q0-16 16-16h120q16 0 16 16 12 14 12 34v132q0 30-30 30h-116q-30 0-30-30v-132q0-20 12-34z"
        )
        + path("round", "M122 196h156v106q0 22-22 22h-112q-22 0-22-22z", 'opacity=".9"')
        + box("metal", 124, 84, (152, 40), 8)
        + stroke("#8f969d", 2, "M128 96h144M128 110h144", 'opacity=".6"')
        + box("#fbf7ee", 150, 214, (100, 66), 4)
        + stroke(t.dark, 4, "M168 234h64M178 250h44M186 264h28")
        + path("#ffffff", "M124 152q-2 90 2 150 8 14 14 16v-176z", 'opacity=".5"')
    )


def _packet(t: Tones, picture: str) -> str:
    return (
        shadow(200, 338, 94)
        + path("round", "M114 94h172l10 228q0 12-12 12h-168q-12 0-12-12z")
        + path("deep", "M114 70h172v28h-172z")
        + stroke(t.lightest, 2, "M118 80h164M118 88h164", 'opacity=".5"')
        + box("#fbf7ee", 138, 144, (124, 136), 8)
        + picture
        + stroke(t.base, 5, "M160 240h80M172 256h56")
        + path("#ffffff", "M124 104h16l-6 220h-16z", 'opacity=".3"')
    )


def coffee(t: Tones, rng: Rng) -> str:
    bean = oval("#6b4226", 200, 190, 20, 28) + stroke("#f3e3cf", 4, "M196 166q14 22 2 48")
    return _packet(t, group(bean, "rotate(25 200 190)"))


def tea(t: Tones, rng: Rng) -> str:
    return _packet(
        t,
        path("leaf", "M200 222q-40-30-4-66 40 30 4 66zM200 222q-54-2-46-36 40 0 46 36zM200 222q54-2 46-36-40 0-46 36z"),
    )


def chocolate(t: Tones, rng: Rng) -> str:
    squares = "".join(
        box("#7b4a2d", x, y, (36, 30), 3) + box("#8e5a38", x + 4, y + 4, (28, 20), 2)
        for y in (74, 108, 142)
        for x in (144, 182, 220)
    )
    bar = box("#5f3820", 136, 66, (128, 140), 5) + squares
    wrapper = (
        path("round", "M128 168l16 8 16-8 16 8 16-8 16 8 16-8 16 8 16-8 16 8v158h-144z")
        + box("gold", 142, 222, (116, 70), 3)
        + stroke(t.dark, 5, "M162 244h76M172 262h56")
    )
    return shadow(200, 338, 90) + group(bar + wrapper, "rotate(-8 200 200)")


def honey(t: Tones, rng: Rng) -> str:
    return (
        shadow(200, 332, 90)
        + path("#e8a317", "M122 150q0-14 14-14h128q14 0 14 14 10 80 0 160-2 20-22 20h-112q-20 0-22-20-10-80 0-160z")
        + path("#ffd46b", "M134 156q-8 70 0 150 6 12 12 14-8-90 0-164z", 'opacity=".8"')
        + box("round", 116, 92, (168, 46), 10)
        + path("#fffaf0", "M200 178l46 26v54l-46 26-46-26v-54z")
        + stroke(t.base, 5, "M200 196l28 16v36l-28 16-28-16v-36z")
    )


def soap(t: Tones, rng: Rng) -> str:
    return (
        shadow(200, 300, 136, 18)
        + path("wood", "M80 270h240l-14 24h-212z")
        + box("lit", 92, 190, (216, 84), 34)
        + oval(t.lightest, 200, 222, 72, 20, 'opacity=".45"')
        + stroke(t.dark, 4, "M160 226q40-18 80 0", 'opacity=".5"')
        + "".join(
            oval("#ffffff", x, y, r, 0, 'opacity=".8" stroke="#b9cbd6" stroke-width="2"')
            for x, y, r in ((130, 170, 17), (164, 150, 11), (262, 160, 14), (290, 186, 8))
        )
    )


def lotion(t: Tones, rng: Rng) -> str:
    return (
        shadow(200, 344, 72)
        + box("paper", 192, 78, (16, 40))
        + path("paper", "M150 66h66q10 0 10 12v10h-52l-26 8z")
        + box("paper", 168, 108, (64, 22), 6)
        + path("round", "M140 150q0-22 22-22h76q22 0 22 22v170q0 22-22 22h-76q-22 0-22-22z")
        + box("#fffdf8", 154, 196, (92, 90), 4, 'opacity=".92"')
        + stroke(t.base, 5, "M172 222h56M180 240h40M186 258h28")
        + path("#ffffff", "M148 150q0-12 10-16v198q-10-2-10-14z", 'opacity=".45"')
    )


def perfume(t: Tones, rng: Rng) -> str:
    return (
        shadow(200, 330, 100)
        + box(rng.pick(("gold", "coal", "metal")), 168, 84, (64, 58), 6)
        + box("metal", 180, 138, (40, 18))
        + box("glass", 106, 154, (188, 174), 22)
        + path("lit", "M120 196h160v100q0 18-18 18h-124q-18 0-18-18z", 'opacity=".85"')
        + box("#ffffff", 154, 218, (92, 58), 2, 'opacity=".9"')
        + stroke(t.dark, 4, "M174 238h52M184 254h32")
        + path("#ffffff", "M114 176q0-12 12-14v150q-12-4-12-16z", 'opacity=".7"')
    )


def toothbrush(t: Tones, rng: Rng) -> str:
    brush = (
        path("round", "M186 190h28l8 140q0 20-22 20t-22-20z")
        + box("paper", 192, 110, (16, 84), 6)
        + box("paper", 184, 52, (32, 70), 12)
        + stroke(t.light, 5, "".join(f"M216 {y}h20" for y in range(62, 114, 8)))
        + oval("#ffffff", 200, 224, 7, 0, 'opacity=".8"')
        + box(t.lightest, 190, 260, (20, 60), 10, 'opacity=".5"')
    )
    return shadow(214, 334, 90, 12) + group(brush, "rotate(24 200 200)")


def comb(t: Tones, rng: Rng) -> str:
    teeth = "".join(f"M{x} 200h8v74q-4 8-8 0z" for x in range(78, 318, 13))
    return shadow(200, 300, 140, 14) + group(
        path("down", teeth) + path("lit", "M66 150q134-26 268 0 8 4 8 14v44h-284v-44q0-10 8-14z"), "rotate(-12 200 200)"
    )


def lipstick(t: Tones, rng: Rng) -> str:
    return (
        shadow(214, 336, 96)
        + path("round", "M150 182v-70q0-20 44-44v114z")
        + path(t.lightest, "M150 112q0-20 44-44-4 24-44 56z", 'opacity=".5"')
        + box("gold", 142, 178, (60, 56), 3)
        + box("coal", 132, 230, (80, 104), 6)
        + box("coal", 236, 212, (70, 122), 6)
        + box("gold", 236, 318, (70, 8))
        + path("#ffffff", "M142 238h12v88h-12zM246 220h10v92h-10z", 'opacity=".2"')
    )


KITCHEN: dict[str, Drawing] = {
    "pan": pan,
    "pot": pot,
    "kettle": kettle,
    "knife": knife,
    "blender": blender,
    "toaster": toaster,
    "coffee-maker": coffee_maker,
    "plate": plate,
    "bowl": bowl,
    "bottle": bottle,
    "cutting-board": cutting_board,
    "jar": jar,
    "coffee": coffee,
    "tea": tea,
    "chocolate": chocolate,
    "honey": honey,
    "soap": soap,
    "lotion": lotion,
    "perfume": perfume,
    "toothbrush": toothbrush,
    "comb": comb,
    "lipstick": lipstick,
}
