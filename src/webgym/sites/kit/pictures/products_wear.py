"""Clothing, bags and accessories."""

# ruff: noqa: ARG001  all drawings take the same arguments

from __future__ import annotations

from webgym.rng import Rng
from webgym.sites.kit.pictures.canvas import Tones
from webgym.sites.kit.pictures.pen import Drawing, box, group, oval, path, shadow, stroke


def backpack(t: Tones, rng: Rng) -> str:
    return (
        shadow(200, 344, 110)
        + stroke("deep", 13, "M168 84q0-32 32-32t32 32")
        + path("round", "M100 158q0-88 100-88t100 88v152q0 32-32 32h-136q-32 0-32-32z")
        + stroke(t.darkest, 4, "M118 176q82 26 164 0")
        + box("lit", 128, 216, (144, 100), 18)
        + stroke(t.darkest, 4, "M134 238h132")
        + box("metal", 192, 234, (16, 20), 4)
        + box(rng.pick(("walnut", "coal")), 176, 124, (48, 34), 5)
        + path("deep", "M100 220q-22 6-22 30v50q0 16 22 16zM300 220q22 6 22 30v50q0 16-22 16z")
        + path("#ffffff", "M116 150q4-52 50-66-30 30-32 90l-18-4z", 'opacity=".25"')
    )


def bag(t: Tones, rng: Rng) -> str:
    return (
        shadow(200, 330, 130)
        + stroke("deep", 13, "M140 176q0-106 60-106t60 106")
        + path("round", "M84 170h232l22 140q2 18-16 18h-244q-18 0-16-18z")
        + path("#ffffff", "M98 180h18l-18 140h-20z", 'opacity=".25"')
        + path("deep", "M84 170h232l6 38h-244z")
        + box("gold", 178, 196, (44, 26), 5)
        + stroke(t.lightest, 2, "M76 312h248", 'stroke-dasharray="7 6" opacity=".7"')
    )


def suitcase(t: Tones, rng: Rng) -> str:
    ribs = "".join(box(t.darkest, x, 124, (6, 184), 3, 'opacity=".4"') for x in (146, 172, 198, 224, 250))
    return (
        shadow(200, 346, 96)
        + path("none", "M166 112v-56h68v56", 'stroke="#8b929a" stroke-width="9"')
        + box("coal", 160, 46, (80, 16), 7)
        + box("round", 112, 104, (176, 224), 24)
        + ribs
        + box("metal", 108, 206, (12, 28), 3)
        + box("metal", 280, 206, (12, 28), 3)
        + oval("coal", 140, 336, 14)
        + oval("coal", 260, 336, 14)
        + path("#ffffff", "M124 130q0-14 14-16v200q-14-4-14-16z", 'opacity=".35"')
    )


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


def boot(t: Tones, rng: Rng) -> str:
    return (
        shadow(200, 334, 136, 16)
        + path("round", "M120 68q56-14 108 0l2 130q8 36 56 48 46 14 46 54v8h-212z")
        + path("deep", "M116 66q58-16 116 0v26q-58-14-116 0z")
        + stroke("#efe7d6", 5, "M186 122l42-4M186 146l44-4M188 170l46-6M194 194l46-10M206 216l44-16")
        + path("#3a2c22", "M116 306h218q6 24-12 26h-110l-8-8h-32v8h-46q-14 0-10-26z")
        + path("#ffffff", "M132 98q12-4 18-4v190h-18z", 'opacity=".2"')
        + path(t.lightest, "M280 262q42 6 50 40h-38q2-26-12-40z", 'opacity=".35"')
    )


def sandal(t: Tones, rng: Rng) -> str:
    return (
        shadow(200, 292, 160, 16)
        + path("#b98a5a", "M52 262q150 18 296-4 6 24-14 28h-268q-18-4-14-24z")
        + path("#8f6539", "M52 270q150 18 298-4 2 18-16 22h-268q-14-2-14-18z")
        + path("down", "M204 262q18-92 78-92 26 0 40 88z")
        + path("lit", "M58 262q0-90 40-112l24 8q-34 34-30 106z")
        + stroke("down", 18, "M104 164q56 20 128 36")
        + box("metal", 142, 166, (22, 26), 4)
    )


def jacket(t: Tones, rng: Rng) -> str:
    return (
        shadow(200, 344, 108)
        + path(
            "deep", "M128 96q-46 14-60 60l-24 140q22 14 50 12l40-130zM272 96q46 14 60 60l24 140q-22 14-50 12l-40-130z"
        )
        + path("round", "M150 78q50 20 100 0 36 12 48 36l-6 216q-92 20-184 0l-6-216q12-24 48-36z")
        + path("lit", "M150 78l50 64-30 34-46-78zM250 78l-50 64 30 34 46-78z")
        + box(t.darkest, 197, 142, (6, 196))
        + stroke(t.darkest, 4, "M126 250h44M230 250h44")
        + "".join(oval("metal", 212, y, 5) for y in (180, 220, 260, 300))
        + path("#ffffff", "M116 130q-4 90 0 192l16 3q-4-110 4-190z", 'opacity=".2"')
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


def hoodie(t: Tones, rng: Rng) -> str:
    return (
        shadow(200, 346, 112)
        + path(
            "deep", "M126 116q-44 14-56 60l-22 124q20 16 48 10l40-130zM274 116q44 14 56 60l22 124q-20 16-48 10l-40-130z"
        )
        + path("round", "M138 110h124q30 10 36 30l-6 196q-92 14-184 0l-6-196q6-20 36-30z")
        + path("lit", "M134 128q-4-74 66-76 70 2 66 76-30 34-66 36-36-2-66-36z")
        + path(t.darkest, "M154 122q2-46 46-46t46 46q-20 26-46 28-26-2-46-28z")
        + stroke("#f5f3ee", 4, "M178 150v54M222 150v50")
        + path("lit", "M144 318l16-70h80l16 70q-56 8-112 0z")
        + path(t.darkest, "M106 324q94 18 188 0v14q-94 18-188 0z")
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


def trousers(t: Tones, rng: Rng) -> str:
    return (
        shadow(200, 350, 92)
        + path("round", "M126 60h148q20 130 16 284h-66q-6-110-24-200-18 90-24 200h-66q-4-154 16-284z")
        + box("deep", 124, 56, (152, 22), 3)
        + box("metal", 191, 58, (18, 17), 3)
        + stroke(t.darkest, 3, "M200 80v56M128 92q20 2 26 28M272 92q-20 2-26 28", 'opacity=".8"')
        + stroke(t.light, 2, "M146 130q-14 100-10 206M254 130q14 100 10 206", 'opacity=".6"')
    )


def hat(t: Tones, rng: Rng) -> str:
    return (
        shadow(200, 292, 150, 20)
        + oval("deep", 200, 262, 156, 34)
        + oval("down", 200, 256, 156, 32)
        + path("round", "M106 250q0-134 56-134 38 18 76 0 56 0 56 134-94 30-188 0z")
        + path(rng.pick(("#2b2d31", "#f4efe4", t.darkest)), "M105 224q95 32 190 0l1 26q-96 32-192 0z")
        + path("#ffffff", "M126 218q0-80 30-94-10 30-8 100z", 'opacity=".25"')
    )


def scarf(t: Tones, rng: Rng) -> str:
    bands = "".join(path(t.lightest, f"M142 {y}l62 6v12l-62-6z", 'opacity=".75"') for y in (216, 240, 264, 288))
    return (
        shadow(200, 348, 80)
        + path("deep", "M204 150l54 10 18 150-56 8z")
        + path("round", "M140 140h66v196h-66z")
        + bands
        + path("lit", "M112 112q88-58 176 0 18 40-14 58-74 30-148 0-32-18-14-58z")
        + stroke(t.darkest, 3, "M126 130q74 46 148 0M134 154q66 24 132 0", 'opacity=".5"')
        + stroke(
            t.dark,
            4,
            "".join(f"M{x} 338v14" for x in range(145, 206, 9)) + "".join(f"M{x} 318v14" for x in range(226, 276, 9)),
        )
    )


def gloves(t: Tones, rng: Rng) -> str:
    hand = path(
        "round",
        "M96 212v-84q0-14 13-14t13 14v-30q0-14 13-14t13 14v22q0-13 13-13t13 13v24q0-12 12-12t12 "
        "12v104q0 30-26 40h-50q-22-10-26-40l-34-44q-6-12 4-18t18 4z",
    )
    cuff = box("deep", 104, 284, (74, 46), 8) + stroke(t.lightest, 3, "M110 300h62M110 314h62", 'opacity=".6"')
    return (
        shadow(200, 342, 130)
        + group(hand + cuff, "translate(24 0)")
        + group(hand + cuff, "translate(372 8) scale(-1 1)")
    )


def socks(t: Tones, rng: Rng) -> str:
    sock = (
        path("round", "M140 70h66v150q34 20 60 56 14 40-26 50-40 4-90-52-12-20-10-54z")
        + path("lit", "M136 62h74v34h-74z")
        + path(t.darkest, "M206 220q34 20 60 56 14 40-26 50 4-60-34-76z", 'opacity=".5"')
    )
    stripes = "".join(box(t.lightest, 140, y, (66, 9), 0, 'opacity=".8"') for y in (116, 136, 156))
    return (
        shadow(200, 340, 130)
        + group(sock, "translate(54 -4)", 'opacity=".85"')
        + group(sock + stripes, "translate(-24 8)")
    )


def belt(t: Tones, rng: Rng) -> str:
    return (
        shadow(200, 310, 140, 18)
        + stroke("deep", 30, "M120 240a92 76 0 1 1 160 0")
        + stroke("round", 32, "M96 214a110 84 0 0 0 208 0")
        + path("none", "M170 258h62v66h-62z", 'stroke="#c6a052" stroke-width="12" stroke-linejoin="round"')
        + box("gold", 196, 284, (46, 9), 4)
        + "".join(oval(t.darkest, x, y, 4) for x, y in ((254, 284), (272, 274), (288, 260)))
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


def sunglasses(t: Tones, rng: Rng) -> str:
    lens = rng.pick(("#23272e", "#4a3527", "#1f3b4d"))
    return (
        shadow(200, 282, 150, 14)
        + stroke("deep", 11, "M58 168q-20-30-8-52M342 168q20-30 8-52")
        + path("lit", "M46 160h138q32 0 32 0h138l-6 50q-12 60-72 60-54 0-64-58-12-14-24 0-10 58-64 58-60 0-72-60z")
        + path(lens, "M62 174h118q-2 82-58 82-54 0-60-82zM220 174h118q-6 82-60 82-56 0-58-82z")
        + path("#ffffff", "M76 184h40l-24 50q-14-18-16-50zM234 184h40l-24 50q-14-18-16-50z", 'opacity=".22"')
    )


def umbrella(t: Tones, rng: Rng) -> str:
    return (
        shadow(206, 350, 70, 10)
        + stroke("#6b4a33", 8, "M200 70v230q0 34 28 34t28-28")
        + path(
            "down",
            "M48 208q8-138 152-144 144 6 152 144-24-26-50 0-26-26-52 0-24-26-50 0-24-26-50 0-26-26-52 0-26-26-50 0z",
        )
        + path("deep", "M150 208q4-110 50-144 46 34 50 144-24-26-50 0-24-26-50 0z", 'opacity=".75"')
        + path("#ffffff", "M66 196q14-92 96-120-58 40-70 116z", 'opacity=".3"')
        + stroke("metal", 7, "M198 66l4-22")
    )


def wallet(t: Tones, rng: Rng) -> str:
    return (
        shadow(200, 296, 134, 16)
        + box("#e8ede0", 112, 128, (170, 90), 4)
        + box("#9fc5a8", 122, 138, (150, 70), 3)
        + box("#d9dee4", 100, 146, (180, 90), 6)
        + box("round", 78, 160, (244, 132), 16)
        + stroke(t.lightest, 2, "M90 172h220v108h-220z", 'stroke-dasharray="6 5" opacity=".7"')
        + path("deep", "M250 204h72v44h-72q-18 0-18-22t18-22z")
        + oval("gold", 262, 226, 9)
    )


def ring(t: Tones, rng: Rng) -> str:
    band = rng.pick(("#d2a445", "#c3c9cf", "#d59a86"))
    return (
        shadow(200, 342, 78, 12)
        + f'<circle cx="200" cy="248" r="82" fill="none" stroke="{band}" stroke-width="20"/>'
        + stroke("#ffffff", 5, "M124 232q10-46 56-56", 'opacity=".7"')
        + path("lit", "M200 178l-58-58 22-36h72l22 36z")
        + path(t.lightest, "M142 120h116l-58 58zM164 84l-22 36h36zM236 84l22 36h-36z", 'opacity=".55"')
        + path("#ffffff", "M164 84h36l-22 36h-36z", 'opacity=".5"')
    )


def necklace(t: Tones, rng: Rng) -> str:
    chain = rng.pick(("#cfa246", "#b6bdc4"))
    return (
        shadow(200, 344, 60, 10)
        + stroke(chain, 5, "M92 70q10 170 108 190 98-20 108-190", 'stroke-dasharray="1 8"')
        + stroke(chain, 2, "M92 70q10 170 108 190 98-20 108-190")
        + oval(chain, 200, 264, 9)
        + path("ball", "M200 270q38 40 0 66-38-26 0-66z")
        + path("#ffffff", "M192 292q-12 14-4 28 0-16 10-30z", 'opacity=".7"')
    )


WEAR: dict[str, Drawing] = {
    "backpack": backpack,
    "bag": bag,
    "suitcase": suitcase,
    "shoe": shoe,
    "boot": boot,
    "sandal": sandal,
    "jacket": jacket,
    "shirt": shirt,
    "hoodie": hoodie,
    "dress": dress,
    "trousers": trousers,
    "hat": hat,
    "scarf": scarf,
    "gloves": gloves,
    "socks": socks,
    "belt": belt,
    "watch": watch,
    "sunglasses": sunglasses,
    "umbrella": umbrella,
    "wallet": wallet,
    "ring": ring,
    "necklace": necklace,
}
