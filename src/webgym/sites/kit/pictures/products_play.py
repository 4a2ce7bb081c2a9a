"""Sports and outdoor equipment, toys and games."""

# ruff: noqa: ARG001  all drawings take the same arguments

from __future__ import annotations

from webgym.rng import Rng
from webgym.sites.kit.pictures.canvas import Tones
from webgym.sites.kit.pictures.pen import Drawing, box, group, oval, path, shadow, stroke


def _wheel(x: float, y: float, radius: float) -> str:
    ring = f'<circle cx="{x:g}" cy="{y:g}" r="{radius:g}" fill="none" stroke="#26282c" stroke-width="9"/>'
    spoke = stroke("#aab1b8", 1.5, f"M{x - radius:g} {y:g}h{2 * radius:g}")
    rays = "".join(group(spoke, f"rotate({n * 30} {x:g} {y:g})") for n in range(6))
    return ring + rays + oval("metal", x, y, 8)


def bicycle(t: Tones, rng: Rng) -> str:
    return (
        shadow(200, 318, 176, 12)
        + _wheel(106, 246, 68)
        + _wheel(294, 246, 68)
        + stroke(t.base, 11, "M106 246l62-104h96l-68 104zM168 142l28 104M264 142l30 104")
        + stroke("#2b2d31", 9, "M160 118l8 26M256 112l8 30M250 108h34q10 2 8 16")
        + path("coal", "M134 108h52q6 8-4 14h-36q-14-4-12-14z")
        + oval("metal", 196, 246, 18)
        + stroke("#2b2d31", 6, "M196 246l16 26M202 274h22")
        + stroke(t.lightest, 3, "M114 238l56-92h90", 'opacity=".7"')
    )


def helmet(t: Tones, rng: Rng) -> str:
    return (
        shadow(200, 312, 136)
        + stroke("#2b2d31", 7, "M110 236q20 78 84 74 60-6 84-62")
        + path("ball", "M58 236q-4-134 142-140 146 6 142 130-10 26-60 16-112-18-166 8-50 20-58-14z")
        + path(
            "coal",
            "M120 126q24-20 60-22-34 26-44 84-26 10-34-4 0-34 18-58zM202 102q40 2 60 26 10 30 8 "
            "54-40-6-64 0-8-40-4-80zM284 140q26 20 34 52-10 6-30-2z",
            'opacity=".8"',
        )
        + path("#ffffff", "M80 210q4-66 60-94-42 42-42 100z", 'opacity=".4"')
    )


def tent(t: Tones, rng: Rng) -> str:
    return (
        shadow(200, 316, 180, 14)
        + path("deep", "M190 96l166 214h-130z")
        + path("lit", "M190 96l-150 214h186z")
        + path(t.darkest, "M178 168l-62 142h100z")
        + path(t.light, "M178 168l-62 142h24zM178 168l38 142h-22z")
        + stroke("#c9b68a", 3, "M40 310l-18 6M356 310l18 6M190 96v-14")
        + stroke(t.lightest, 3, "M190 98l-148 210", 'opacity=".6"')
        + path("leaf", "M300 316q4-20 10 0 4-26 12 0zM52 318q6-20 12 0 6-16 10 0z")
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


def racket(t: Tones, rng: Rng) -> str:
    strings = "".join(f"M{x} 62v146" for x in range(150, 256, 14)) + "".join(
        f"M134 {y}h132" for y in range(74, 206, 14)
    )
    frame = (
        '<clipPath id="net"><ellipse cx="200" cy="136" rx="64" ry="82"/></clipPath>'
        + stroke("#c9ced3", 2, strings, 'clip-path="url(#net)"')
        + f'<ellipse cx="200" cy="136" rx="68" ry="86" fill="none" stroke="{t.base}" stroke-width="14"/>'
        + f'<ellipse cx="200" cy="136" rx="73" ry="91" fill="none" stroke="{t.lightest}" '
        f'stroke-width="2" opacity=".7"/>'
        + path("down", "M176 214q24 14 48 0l-14 44h-20z")
        + box("coal", 189, 252, (22, 108), 8)
    )
    return (
        shadow(230, 338, 110, 12)
        + group(frame, "rotate(28 200 200)")
        + oval("#d8e34a", 118, 300, 30)
        + stroke("#ffffff", 4, "M96 284q20 14 14 44")
    )


def skateboard(t: Tones, rng: Rng) -> str:
    return (
        shadow(200, 300, 170, 14)
        + path("deep", "M28 196q20 0 34 22h276q14-22 34-22l2 10q-20 2-30 26h-288q-10-24-30-26z")
        + path("lit", "M26 188q24-2 38 24h272q14-26 38-24l-2 12q-18 0-30 24h-284q-12-24-30-24z")
        + "".join(
            box("metal", x - 22, 234, (44, 14), 4)
            + oval("coal", x - 24, 262, 22)
            + oval("#f3efe6", x - 24, 262, 10)
            + oval("coal", x + 24, 262, 22)
            + oval("#f3efe6", x + 24, 262, 10)
            for x in (108, 292)
        )
    )


def dumbbell(t: Tones, rng: Rng) -> str:
    return (
        shadow(200, 288, 164, 16)
        + box("metal", 130, 190, (140, 26), 8)
        + "".join(
            box(p, x, y, (w, h), 9)
            for p, x, y, w, h in (
                ("round", 94, 122, 40, 162),
                ("round", 54, 140, 36, 126),
                ("round", 266, 122, 40, 162),
                ("round", 310, 140, 36, 126),
            )
        )
        + box("coal", 34, 182, (20, 42), 5)
        + box("coal", 346, 182, (20, 42), 5)
        + stroke(
            "#5d646b",
            3,
            "M150 192v22M164 192v22M178 192v22M192 192v22M206 192v22M220 192v22M234 192v22M248 192v22",
            'opacity=".6"',
        )
    )


def yoga_mat(t: Tones, rng: Rng) -> str:
    return (
        shadow(206, 312, 170, 16)
        + path("lit", "M116 296h220l28 18h-250z")
        + path("down", "M116 178h178q52 0 52 62t-52 62h-178z")
        + stroke(t.lightest, 4, "M130 192h166", 'opacity=".6"')
        + box("coal", 196, 178, (15, 124))
        + oval(t.light, 116, 240, 62)
        + "".join(
            f'<circle cx="116" cy="240" r="{r}" fill="none" stroke="{t.dark}" stroke-width="4"/>'
            for r in (52, 40, 28, 16)
        )
        + oval(t.darkest, 116, 240, 7)
    )


def kayak(t: Tones, rng: Rng) -> str:
    return shadow(200, 290, 180, 14) + group(
        path("down", "M14 204q90-54 186-54t186 54q-90 60-186 60t-186-60z")
        + path(t.light, "M14 204q90-44 186-44t186 44q-90 20-186 20t-186-20z")
        + oval("coal", 200, 198, 58, 19)
        + stroke("#2b2d31", 6, "M96 300l210-196")
        + path("#e9b83c", "M76 322q-12-6-6-20l24-20 16 16zM322 90q14-4 16 10l-14 26-16-14z"),
        "rotate(-8 200 210)",
    )


def sleeping_bag(t: Tones, rng: Rng) -> str:
    bag = (
        path("round", "M200 44q76 0 80 84 0 120-28 196-8 28-52 28t-52-28q-28-76-28-196 4-84 80-84z")
        + path(t.darkest, "M200 70q48 0 50 54-8 36-50 38-42-2-50-38 2-54 50-54z")
        + path("#efe6d6", "M160 132q40-30 80 0-6 26-40 28-34-2-40-28z")
        + stroke(
            t.darkest,
            3,
            "M122 180q78 30 156 0M126 220q74 28 148 0M132 260q68 24 136 0M142 300q58 20 116 0",
            'opacity=".5"',
        )
        + stroke("#f3efe6", 4, "M246 150q16 80-4 190", 'stroke-dasharray="5 4"')
    )
    return shadow(214, 334, 120, 16) + group(bag, "rotate(24 200 200)")


def skis(t: Tones, rng: Rng) -> str:
    ski = (
        path("round", "M150 60q14-24 30 0v276q-15 14-30 0z")
        + box("coal", 152, 196, (26, 62), 5)
        + path("#ffffff", "M156 90h18l-18 60zM156 280h18v30z", 'opacity=".6"')
    )
    return (
        shadow(200, 348, 120, 12)
        + group(ski, "rotate(-7 165 200)")
        + group(ski, "translate(64 0) rotate(7 165 200)")
        + stroke("metal", 6, "M92 80l22 262M308 80l-22 262")
        + stroke("#2b2d31", 11, "M92 80l4 44M308 80l-4 44")
    )


def toy_car(t: Tones, rng: Rng) -> str:
    return (
        shadow(200, 304, 164, 14)
        + path("down", "M44 262q-8-58 44-66l30-2q26-58 72-60h56q40 4 66 60 50 6 52 40v28q0 12-12 12h-296q-12 0-12-12z")
        + path("glass", "M140 192q18-40 50-42h14v42zM218 150h26q28 2 44 42h-70z")
        + stroke(t.darkest, 3, "M211 150v110M140 206h148", 'opacity=".6"')
        + box("metal", 222, 214, (22, 7), 3)
        + oval("#ffeaa3", 346, 222, 12)
        + "".join(oval("coal", x, 272, 36) + oval("metal", x, 272, 18) + oval(t.base, x, 272, 8) for x in (112, 288))
        + path("#ffffff", "M64 224q0-18 28-20h70v8h-70q-16 0-20 16z", 'opacity=".5"')
    )


def puzzle(t: Tones, rng: Rng) -> str:
    piece = "M0 0h44q-8-24 14-24t14 24h44v44q24-8 24 14t-24 14v44h-116v-44q-24 8-24-14t24-14z"
    return (
        shadow(200, 320, 150, 20)
        + group(path("lit", piece), "translate(74 96)")
        + group(path("#f0b944", piece), "translate(206 92)")
        + group(path("deep", piece), "translate(80 222)")
        + group(path("#5aa38f", piece), "translate(224 236) rotate(8)")
        + stroke("#ffffff", 3, "M82 104h34M214 100h34M88 230h34", 'opacity=".6"')
    )


def teddy(t: Tones, rng: Rng) -> str:
    return (
        shadow(200, 344, 110)
        + oval("ball", 140, 98, 32)
        + oval("ball", 260, 98, 32)
        + oval(t.lightest, 140, 100, 17)
        + oval(t.lightest, 260, 100, 17)
        + oval("ball", 132, 314, 46, 32)
        + oval("ball", 268, 314, 46, 32)
        + oval("ball", 200, 266, 78, 76)
        + oval(t.lightest, 200, 276, 46, 48, 'opacity=".8"')
        + oval("ball", 112, 240, 28, 46, 'transform="rotate(28 112 240)"')
        + oval("ball", 288, 240, 28, 46, 'transform="rotate(-28 288 240)"')
        + oval("ball", 200, 144, 82, 72)
        + oval(t.lightest, 200, 170, 34, 27)
        + oval("#22201e", 172, 136, 8)
        + oval("#22201e", 228, 136, 8)
        + oval("#22201e", 200, 160, 12, 8)
        + stroke("#22201e", 3, "M200 168v8M188 182q12 8 24 0")
        + oval(t.lightest, 122, 318, 20, 15)
        + oval(t.lightest, 278, 318, 20, 15)
    )


def blocks(t: Tones, rng: Rng) -> str:
    def cube(x: int, y: int, face: str, top: str, side: str) -> str:
        return (
            path(face, f"M{x} {y}h84v84h-84z")
            + path(top, f"M{x} {y}l24-20h84l-24 20z")
            + path(side, f"M{x + 84} {y}l24-20v84l-24 20z")
        )

    return (
        shadow(206, 332, 140)
        + cube(92, 244, "down", t.light, t.darkest)
        + cube(196, 244, "#e8b23c", "#f5cf74", "#b78320")
        + cube(146, 158, "#5b9fbf", "#8bc1d9", "#38738f")
        + path("#ffffff", "M188 184l8 18 20 2-15 13 5 20-18-11-18 11 5-20-15-13 20-2z", 'opacity=".9"')
        + oval("#ffffff", 134, 286, 22, 0, 'opacity=".85"')
        + path("#ffffff", "M238 264l24 42h-48z", 'opacity=".85"')
    )


def kite(t: Tones, rng: Rng) -> str:
    return (
        path("lit", "M208 48l88 104-104 128-72-146z")
        + path("deep", "M208 48l88 104-176-18z", 'opacity=".55"')
        + path(t.lightest, "M120 134l176 18-104 128z", 'opacity=".35"')
        + stroke("#6b5137", 4, "M208 48l-16 232M120 134l176 18")
        + stroke("#5a5f66", 3, "M192 280q-30 30 4 48t-26 36")
        + path(t.base, "M186 300l-22-10v22zM190 300l22-8v20zM192 336l-22-8v20zM196 334l22-10v22z")
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


PLAY: dict[str, Drawing] = {
    "bicycle": bicycle,
    "helmet": helmet,
    "tent": tent,
    "ball": ball,
    "racket": racket,
    "skateboard": skateboard,
    "dumbbell": dumbbell,
    "yoga-mat": yoga_mat,
    "kayak": kayak,
    "sleeping-bag": sleeping_bag,
    "skis": skis,
    "toy-car": toy_car,
    "puzzle": puzzle,
    "teddy": teddy,
    "blocks": blocks,
    "kite": kite,
    "board-game": board_game,
}
