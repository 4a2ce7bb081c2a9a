"""What newspapers illustrate: sport, technology, science, politics, business, culture."""

from __future__ import annotations

import math
from collections.abc import Callable

from webgym.sites.kit.colour import lighter, mix, oklch
from webgym.sites.kit.pictures.canvas import filled, glow, shade
from webgym.sites.kit.pictures.pen import box, group, oval, path, stroke
from webgym.sites.rng import Rng

_TEAMS = ("#c9302c", "#1f5fa8", "#f0b429", "#177a4f", "#6a3d9a", "#22252b", "#e8762c", "#f4f4f0")
_SKINS = ("#f3c6a5", "#d29a6f", "#96603d", "#6b4329")


def _athlete(rng: Rng, pose: str) -> str:
    """A figure about 150 high, whose hips are at 0, 0."""
    skin, shirt, shorts = rng.pick(_SKINS), rng.pick(_TEAMS), rng.pick(("#22252b", "#f4f4f0", "#1f3f6f"))
    limbs = {
        "run": ("M4 4l26 28-14 34M-4 4l-12 34-32 18", "M2-54l28 20 18-16M-4-54l-24 22-4 26"),
        "kick": ("M4 4l34 8 34-10M-4 4l-14 34-12 34", "M2-54l30-12 14 14M-4-54l-28 6-20-18"),
        "reach": ("M4 4l18 32 4 36M-4 4l-18 32-8 36", "M2-54l20-32 14-34M-4-54l-26 12-22-12"),
    }[pose]
    return (
        stroke(skin, 12, limbs[0])
        + stroke(skin, 10, limbs[1])
        + path(shorts, "M-16-8h32l10 28-16 8-10-14-12 14-14-10z")
        + path(shirt, "M-18-62q18-8 36 0l-2 56h-32z")
        + stroke(shirt, 13, "M12-56l12 8M-12-56l-12 8")
        + box(skin, -5, -72, (10, 12), 4)
        + oval(skin, 0, -82, 14)
        + path(rng.pick(("#241c18", "#5b3c26", "#c79a52")), "M-14-82q-2-18 14-18t14 16q-12-8-28 2z")
    )


def _stadium(rng: Rng, ground: str) -> str:
    crowd = "".join(f"M{rng.between(0, 400)} {rng.between(60, 132)}h.1" for _ in range(110))
    other = "".join(f"M{rng.between(0, 400)} {rng.between(60, 132)}h.1" for _ in range(90))
    lamps = "".join(stroke("#5d6672", 4, f"M{x} 70v-54") + box("#f7f4dc", x - 20, 8, (40, 14), 3) + oval("glow", x, 14, 54) for x in (60, 340))
    return (
        box("sky", 0, 0, (400, 160))
        + lamps
        + path("#4b5663", "M0 64q200-30 400 0v80h-400z")
        + stroke("#d9c7b0", 5, crowd, 'opacity=".8"')
        + stroke(rng.pick(_TEAMS), 5, other, 'opacity=".8"')
        + path("#2f3843", "M0 136h400v12h-400z")
        + box(ground, 0, 146, (400, 154))
    )


def football(rng: Rng) -> str:
    stripes = "".join(path("#4c9a4c", f"M{200 + (x - 200) * 0.5:.0f} 146h{20}L{200 + (x - 200) * 1.5 + 60:.0f} 300h-60z", 'opacity=".6"') for x in range(-100, 500, 80))
    ball = oval("#ffffff", 0, 0, 13) + path("#22252b", "M0-5l5 4-2 6h-6l-2-6zM-9-6l3-4 3 2zM9-6l-3-4-3 2zM-5 11l4 1-4-4zM5 11l-4 1 4-4z")
    return _stadium(rng, "#3f8a43") + stripes + stroke("#ffffff", 3, "M0 190h400M140 146q60 40 120 0", 'opacity=".7"') + oval("shade", 190, 268, 90, 10) + group(_athlete(rng, "kick"), "translate(180 196)") + group(ball, f"translate({rng.between(272, 320)} {rng.between(180, 236)})") + group(_athlete(rng, "run"), "translate(74 176) scale(.66)")


def tennis(rng: Rng) -> str:
    court = rng.pick(("#3c7fb5", "#c5693a", "#4f8f5a"))
    net = stroke("#ffffff", 1, "".join(f"M{x} 178v30" for x in range(0, 400, 8)) + "M0 188h400M0 198h400", 'opacity=".6"')
    return _stadium(rng, court) + stroke("#ffffff", 3, "M40 300l60-140h200l60 140M76 220h250") + net + stroke("#ffffff", 4, "M0 178h400") + oval("shade", 190, 276, 80, 9) + group(_athlete(rng, "reach") + stroke("#2b2d31", 5, "M36-118l10-22") + '<ellipse cx="54" cy="-160" rx="16" ry="21" fill="#ffffff" fill-opacity=".4" stroke="#d9432f" stroke-width="4" transform="rotate(22 54 -160)"/>', "translate(180 204)") + oval("#dff04a", rng.between(270, 330), rng.between(60, 110), 8)


def running(rng: Rng) -> str:
    lanes = stroke("#ffffff", 2.5, "M0 190h400M0 220h400M0 254h400", 'opacity=".8"')
    return _stadium(rng, "#c4533b") + lanes + "".join(oval("shade", x + 4, y + 62 * k, 50 * k, 6) + group(_athlete(rng, "run"), f"translate({x} {y}) scale({k})") for x, y, k in ((90, 176, 0.74), (206, 190, 0.84), (316, 204, 0.95)))


def cycling(rng: Rng) -> str:
    def rider(x: float, y: float, k: float) -> str:
        team, skin = rng.pick(_TEAMS), rng.pick(_SKINS)
        wheels = "".join(f'<circle cx="{cx}" cy="0" r="30" fill="none" stroke="#22252b" stroke-width="5"/>' for cx in (-46, 46))
        frame = stroke(team, 5, "M-46 0l22-44h52l-30 44zM-24-44l22 44M28-44l18 44")
        body = stroke(skin, 9, "M-18-54l26 26-8 30") + path(team, "M-30-58q4-34 50-38l10 10q-30 14-36 34z") + stroke(skin, 8, "M24-86l14 30") + oval(skin, 36, -102, 11) + path(lighter(team, -0.1), "M22-104q4-18 24-12l6 10z")
        return oval("shade", x, y + 30 * k, 86 * k, 7) + group(wheels + frame + body, f"translate({x:g} {y:g}) scale({k:g})")

    return box("sky", 0, 0, (400, 200)) + path("#7d9db5", "M0 150l90-70 80 54 70-60 90 70 70-40v90h-400z") + path("#6fa35c", "M0 168q140-24 400 0v60h-400z") + box("#6b7178", 0, 206, (400, 94)) + stroke("#f6f2e4", 4, "M0 276h400", 'stroke-dasharray="30 22"') + rider(76, 218, 0.72) + rider(190, 228, 0.86) + rider(316, 240, 1)


def swimming(rng: Rng) -> str:
    lanes = "".join(stroke("#d9432f" if n % 2 else "#f4f4f0", 5, f"M0 {y}h400", 'stroke-dasharray="14 10"') for n, y in enumerate((80, 160, 240)))
    swimmers = "".join(group(path("#ffffff", "M-70 6q40-14 90-4 6 14-20 16-50 4-70-12z", 'opacity=".55"') + stroke(rng.pick(_SKINS), 10, "M-6 0q20-34 46-18M-6 4l-44 4") + oval(rng.pick(_TEAMS), 8, 0, 13), f"translate({x} {y})") for x, y in ((rng.between(90, 150), 44), (rng.between(200, 300), 122), (rng.between(130, 230), 202), (rng.between(240, 330), 276)))
    return box("pool", 0, 0, (400, 300)) + stroke("#ffffff", 2, "".join(f"M{rng.between(0, 380)} {rng.between(0, 300)}q8-5 16 0t16 0" for _ in range(36)), 'opacity=".4"') + lanes + swimmers


def basketball(rng: Rng) -> str:
    hoop = box("#fbfbf8", 276, 34, (96, 66), 4, 'stroke="#c9432f" stroke-width="4"') + box("none", 306, 62, (36, 28), 0, 'stroke="#c9432f" stroke-width="3"') + stroke("#e0562c", 5, "M300 102h48") + stroke("#ffffff", 2, "M304 104l8 34M344 104l-8 34M318 104l2 34M330 104l-2 34M306 116h36M309 128h30")
    ball = oval("#e07a2c", 0, 0, 16) + stroke("#5a2a12", 2, "M-16 0h32M0-16v32M-11-11q10 11 0 22M11-11q-10 11 0 22")
    return _stadium(rng, "#c8935a") + stroke("#ffffff", 3, "M0 232h400M120 232q80-60 160 0", 'opacity=".7"') + hoop + oval("shade", 180, 282, 80, 9) + group(_athlete(rng, "reach"), "translate(170 206)") + group(ball, "translate(218 74)")


def chip(rng: Rng) -> str:
    traces = "".join(f"M200 150m{60 * dx:.0f} {60 * dy:.0f}l{dx * 60:.0f} {dy * 50:.0f}{'h' if abs(dx) > abs(dy) else 'v'}{(140 if (dx if abs(dx) > abs(dy) else dy) > 0 else -140)}" for dx, dy in ((math.cos(n * math.tau / 20), math.sin(n * math.tau / 20)) for n in range(20)))
    pins = stroke("#c9a44e", 5, "".join(f"M{146 + 18 * n} 84v132M134 {96 + 18 * n}h132" for n in range(7)))
    return box("board", 0, 0, (400, 300)) + stroke("#5fd0b0", 2.5, traces, 'opacity=".6"') + pins + box("#15181d", 142, 92, (116, 116), 8) + box("glass", 164, 114, (72, 72), 5) + stroke("#ffffff", 1.5, "M176 126h48M176 138h48M176 150h30M176 162h40M176 174h24", 'opacity=".6"') + oval("glow", 200, 150, 110)


def robot(rng: Rng) -> str:
    c = rng.pick(_TEAMS[:5])
    return box("dusk", 0, 0, (400, 300)) + "".join(oval("#ffffff", rng.between(0, 400), rng.between(0, 300), rng.between(2, 5), 0, 'opacity=".25"') for _ in range(24)) + path("metal", "M110 300q0-74 60-80h60q60 6 60 80z") + box("#5b6470", 178, 196, (44, 30), 6) + box("metal", 120, 76, (160, 126), 38) + box("#141a24", 140, 104, (120, 62), 28) + "".join(oval("glow", x, 134, 28) + oval("#7de3f4", x, 134, 12) for x in (174, 226)) + stroke("#8b95a1", 5, "M200 76v-26") + oval(c, 200, 44, 10) + box(c, 104, 116, (18, 46), 8) + box(c, 278, 116, (18, 46), 8) + oval(c, 200, 262, 17) + oval("#ffffff", 200, 262, 8, 0, 'opacity=".8"')


def server(rng: Rng) -> str:
    racks = ""
    for n, x in enumerate((20, 112, 204, 296)):
        racks += box("#1b212b", x, 20, (84, 270), 5) + box("#262e3a", x + 6, 28, (72, 254), 3)
        racks += stroke("#39434f", 6, "".join(f"M{x + 12} {y}h60" for y in range(40, 280, 18)))
        lights = "".join(f"M{x + 14 + 8 * rng.between(0, 4)} {y}h.1" for y in range(40, 280, 18))
        racks += stroke(("#5ee08a", "#4fc3f7", "#5ee08a", "#ffca5a")[n], 4, lights)
    return box("dusk", 0, 0, (400, 300)) + racks + path("#7fd4ff", "M0 300l120-40h160l120 40z", 'opacity=".18"')


def gadget(rng: Rng) -> str:
    tiles = "".join(box(oklch(0.75, 0.13, rng.between(0, 359)), 160 + 28 * (n % 3), 96 + 30 * (n // 3), (22, 22), 6) for n in range(12))
    return box("pale", 0, 0, (400, 300)) + "".join(oval("#ffffff", x, y, r, 0, 'opacity=".35"') for x, y, r in ((80, 80, 70), (330, 220, 90), (310, 60, 40))) + oval("shade", 206, 282, 90, 12) + box("#14181f", 140, 30, (120, 246), 22) + box("#f6f8fb", 147, 38, (106, 230), 16) + box("#d5dce5", 160, 54, (60, 8), 4) + box("#e5eaf0", 160, 68, (80, 6), 3) + tiles + box("#4a7df0", 160, 228, (80, 24), 10)


def lab(rng: Rng) -> str:
    liquids = [rng.pick(("#4fc3f7", "#8bd17c", "#f48fb1", "#ffd54f", "#b39ddb")) for _ in range(3)]
    flask = path("glass", "M84 120h32v46l42 82q6 18-14 18h-88q-20 0-14-18l42-82z", 'opacity=".9"') + path(liquids[0], "M64 216h72l20 36q4 10-12 10h-88q-16 0-12-10z") + "".join(oval("#ffffff", x, y, r, 0, 'opacity=".6"') for x, y, r in ((90, 240, 5), (108, 228, 4), (116, 248, 6)))
    tubes = "".join(box("glass", 204 + 34 * n, 130, (20, 116), 10) + path(c, f"M{204 + 34 * n} {176 + 14 * n}h20v{60 - 14 * n}q0 10-10 10t-10-10z") for n, c in enumerate(liquids))
    scope = stroke("#4b5663", 13, "M344 262h-50M352 262q20-60-20-96") + group(box("#dfe5ea", -12, -70, (24, 92), 6) + box("#4b5663", -9, 20, (18, 18), 3) + box("#4b5663", -9, -88, (18, 20), 3), "translate(338 160) rotate(24)")
    return box("pale", 0, 0, (400, 300)) + stroke("#ffffff", 6, "M30 60h110M30 84h80M260 60h110M290 84h80", 'opacity=".6"') + box("#c9d3da", 0, 262, (400, 38)) + flask + box("#8a6a4c", 194, 160, (108, 10), 3) + tubes + scope


def space(rng: Rng) -> str:
    stars = "".join(f"M{rng.between(0, 400)} {rng.between(0, 300)}h.1" for _ in range(90))
    hue = rng.between(0, 359)
    x, y, r = rng.between(120, 290), rng.between(120, 190), rng.between(56, 84)
    rings = f'<ellipse cx="{x}" cy="{y}" rx="{r * 1.7:.0f}" ry="{r * 0.4:.0f}" fill="none" stroke="{oklch(0.8, 0.06, hue + 40)}" stroke-width="9" opacity=".75" transform="rotate(-18 {x} {y})"/>' if rng.chance(0.5) else ""
    return box("night", 0, 0, (400, 300)) + stroke("#ffffff", 1.8, stars, 'opacity=".85"') + oval("glow", x, y, r * 1.6, 0, 'opacity=".5"') + f'<circle cx="{x}" cy="{y}" r="{r}" fill="{oklch(0.62, 0.13, hue)}"/>' + stroke(oklch(0.72, 0.11, hue + 20), 8, f"M{x - r * 0.8:.0f} {y - 20}q{r * 0.8:.0f} 20 {r * 1.6:.0f} 0M{x - r * 0.85:.0f} {y + 14}q{r * 0.9:.0f} 22 {r * 1.7:.0f} 0", 'opacity=".7"') + path("#05070f", f"M{x} {y - r}a{r} {r} 0 0 1 0 {2 * r}q{r * 0.6:.0f}-{r} 0-{2 * r}z", 'opacity=".35"') + rings + oval("#d8d8d4", rng.pick((50, 350)), rng.between(40, 80), 15)


def climate(rng: Rng) -> str:
    turbines = "".join(path("#f7f9fa", f"M{x - 3} 230l2-{h}h2l2 {h}z") + group("".join(path("#ffffff", "M0 0q7-14 0-50-7 36 0 50z", f'transform="rotate({a})"') for a in (0, 120, 240)), f"translate({x} {230 - h}) rotate({rng.between(0, 119)}) scale({h / 110:.2f})") + oval("#d5dce1", x, 230 - h, 4) for x, h in ((90, 130), (190, 158), (300, 118), (358, 90)))
    panels = "".join(path("#23477a", f"M{x} 284l14-30h56l-10 30z") + stroke("#8fb3e0", 1.2, f"M{x + 7} 269h56M{x + 22} 284l12-30M{x + 42} 284l10-30") for x in (20, 100, 180, 260))
    return box("sky", 0, 0, (400, 300)) + oval("glow", 330, 60, 90) + oval("#fff7d8", 330, 60, 22) + path("#8fbf6f", "M0 226q110-40 210-10t190-14v98h-400z") + turbines + path("#6aa554", "M0 252q160-20 400 4v44h-400z") + panels


def medicine(rng: Rng) -> str:
    beat = "M0 190h110l14-30 20 70 22-120 22 110 16-30h60l12-18 14 18h110"
    return box("pale", 0, 0, (400, 300)) + stroke("#ffffff", 1.5, "".join(f"M{x} 0v300" for x in range(0, 400, 25)) + "".join(f"M0 {y}h400" for y in range(0, 300, 25)), 'opacity=".6"') + oval("#ffffff", 200, 150, 104, 0, 'opacity=".75"') + path("#d9432f", "M200 226q-78-50-78-98 2-42 40-42 28 2 38 28 10-26 38-28 38 0 40 42 0 48-78 98z") + path("#ffffff", "M150 108q10-12 24-10-22 14-22 40-8-14-2-30z", 'opacity=".5"') + stroke("#21485f", 5, beat)


def podium(rng: Rng) -> str:
    c = rng.pick(("#1f4e8c", "#8a2f3a", "#2f6d5a", "#4a3f7a"))
    flags = "".join(stroke("#c9a44e", 5, f"M{x} 60v190") + path(mix(c, "#ffffff", k), f"M{x} 64q26 14 44 2 10 60-4 130-22 10-40-4z") for x, k in ((50, 0.0), (300, 0.35), (346, 0.0)))
    mics = "".join(stroke("#22252b", 4, f"M{200 + dx} 196q{dx} -14 {dx // 2} -30") + oval("#22252b", 200 + dx + dx // 2, 164, 6, 8) for dx in (-14, 14))
    suit = rng.pick(("#232a38", "#3a3f4b", "#4a2f3a"))
    person = path(suit, "M136 220q2-62 46-70h36q44 8 46 70z") + path("#f7f5ef", "M186 148l14 40 14-40z") + path(c, "M196 156h8l5 44-9 12-9-12z") + oval(rng.pick(_SKINS), 200, 112, 30, 36) + path(rng.pick(("#2b211c", "#6b4a2f", "#c9c5bf")), "M168 108q-4-42 32-42t32 42q-8-22-20-24-26 8-44 24z")
    return box("stage", 0, 0, (400, 300)) + box(lighter(c, -0.12), 0, 0, (400, 250), 0, 'opacity=".35"') + flags + oval("glow", 200, 110, 120) + person + mics + path("wood", "M130 200h140l-14 100h-112z") + path("#8a5d3c", "M122 190h156v13h-156z") + oval("#e9d9a8", 200, 246, 22) + path(c, "M200 232l5 9 10 1-7 7 2 10-10-5-10 5 2-10-7-7 10-1z")


def parliament(rng: Rng) -> str:
    columns = "".join(box("pillar", x, 140, (13, 82)) for x in range(126, 276, 22))
    windows = "".join(path("#6b8296", f"M{x} 176q7-12 14 0v20h-14z") for x in (*range(28, 110, 24), *range(292, 380, 24)))
    return box("sky", 0, 0, (400, 300)) + "".join(oval("#ffffff", x, y, 40, 12, 'opacity=".6"') for x, y in ((80, 60), (110, 52), (310, 80))) + path("#e5dcc9", "M10 222v-64h380v64z") + windows + path("#efe7d6", "M112 222v-88h176v88z") + columns + path("#e9dfcb", "M104 136l96-36 96 36zM150 100v-10h100v10z") + path("dome", "M156 92q4-54 44-56 40 2 44 56z") + stroke("#6b6258", 3, "M200 36v-24") + path(rng.pick(_TEAMS[:5]), "M202 12h26v16h-26z") + path("#cfc4ad", "M100 222h200v10h-200zM88 232h224v10h-224z") + path("#7fae62", "M0 240h400v60h-400z") + path("#e3d9c2", "M170 242h60l50 58h-160z") + "".join(oval("#4f8a4a", x, 236, 17, 22) for x in (30, 66, 336, 372))


def vote(rng: Rng) -> str:
    c = rng.pick(_TEAMS[:5])
    return box("pale", 0, 0, (400, 300)) + oval("shade", 200, 280, 150, 14) + group(box("#ffffff", -40, -60, (80, 104), 3, 'stroke="#d5dbe1"') + stroke("#c3cbd3", 4, "M-6-38h32M-6-16h32M-6 6h32") + "".join(box("#ffffff", -28, y, (14, 14), 2, 'stroke="#8f9aa6" stroke-width="2"') for y in (-45, -23, -1)) + stroke(c, 4, "M-26-16l5 6 9-13"), "translate(204 96) rotate(7)") + path(c, "M92 142h216v132q0 8-8 8h-200q-8 0-8-8z") + path(lighter(c, 0.08), "M80 126h240l-12 20h-216z") + box("#14181d", 148, 131, (104, 8), 4) + path("#ffffff", "M200 176l11 22 25 3-18 17 5 25-23-12-23 12 5-25-18-17 25-3z")


def flags(rng: Rng) -> str:
    drawn = box("sky", 0, 0, (400, 300))
    for n in range(6):
        x, y = 24 + 64 * n, 60 + 8 * (n % 2)
        a, b, c = (rng.pick(_TEAMS) for _ in range(3))
        drawn += stroke("#dfe4e8", 5, f"M{x} {y - 12}v{250 - y}") + "".join(path(col, f"M{x} {y + 17 * k}q14 8 26 0t26 0v17q-14-8-26 0t-26 0z") for k, col in enumerate((a, b, c)))
    return drawn + path("#e5dfd2", "M0 226h400v74h-400z") + path("#c3b9a4", "M0 226h400v8h-400z") + "".join(box("#8ba0b0", x, 246, (26, 40), 2) for x in range(18, 390, 44))


def business(rng: Rng) -> str:
    line = "M30 220" + "".join(f"l34 {rng.between(-34, 16)}" for _ in range(10))
    bars = "".join(box("glass", 40 + 34 * n, 250 - h, (20, h), 3, 'opacity=".35"') for n, h in enumerate(rng.between(30, 120) + 8 * n for n in range(10)))
    return box("dusk", 0, 0, (400, 300)) + stroke("#ffffff", 1, "M20 70h360M20 130h360M20 190h360M20 250h360", 'opacity=".2"') + bars + stroke("#5ee0a0", 5, line) + "".join(oval("gold", x, 262 - 7 * k, 26, 8, 'stroke="#8a6420"') for x, top in ((316, 5), (362, 3)) for k in range(top))


def culture(rng: Rng) -> str:
    curtain = "".join(path("#a8272f" if n % 2 else "#8a1c26", f"M{x} 0h26q-6 120 8 230h-34z") + path("#a8272f" if n % 2 else "#8a1c26", f"M{400 - x} 0h-26q6 120-8 230h34z") for n, x in enumerate((0, 24, 48, 72)))
    beams = path("#fff2c4", "M120 0l30 240h-120zM280 0l90 240h-120z", 'opacity=".18"')
    act = rng.pick(
        (
            group(path("#f4efe4", "M-34-40q34-14 68 0 6 70-34 84-40-14-34-84z") + path("#22252b", "M-22-12q10-10 18 0-8 6-18 0zM4-12q10-10 18 0-10 6-18 0zM-16 14q16 18 32 0-2 18-16 18t-16-18z"), "translate(170 140) rotate(-10)") + group(path("#2b2f3a", "M-34-40q34-14 68 0 6 70-34 84-40-14-34-84z") + path("#f4efe4", "M-22-12q10-8 18 2-10 4-18-2zM4-10q8-10 18-2-8 6-18 2zM-14 24q14-16 28 0z"), "translate(236 156) rotate(10)"),
            path("#14181d", "M120 226v-60q0-10 10-10h70q60 4 90 40v30z") + box("#fbfbf8", 124, 186, (90, 12), 2) + stroke("#14181d", 4, "".join(f"M{x} 186v7" for x in range(130, 212, 8))) + path("#14181d", "M150 156l130-70q12 60-10 80z", 'opacity=".8"'),
            "".join(oval("#14181d", x, 120, 12) + path("#14181d", f"M{x - 14} 226q-6-90 14-92 20 2 14 92z") + stroke("#d9a24a", 4, f"M{x - 8} 170l30-26") for x in (140, 200, 260)),
        )
    )
    return box("stage", 0, 0, (400, 300)) + beams + oval("glow", 200, 150, 130) + act + curtain + path("#a8272f", "M0 0h400v26q-25 20-50 0-25 20-50 0-25 20-50 0-25 20-50 0-25 20-50 0-25 20-50 0-25 20-50 0-25 20-50 0z") + path("#6d4a33", "M0 226h400v74h-400z") + stroke("#543725", 2, "M0 246h400M0 270h400")


STORIES: dict[str, dict[str, Callable[[Rng], str]]] = {
    "sport": {"football": football, "tennis": tennis, "running": running, "cycling": cycling, "swimming": swimming, "basketball": basketball},
    "tech": {"chip": chip, "robot": robot, "server": server, "phone": gadget},
    "science": {"lab": lab, "space": space, "climate": climate, "medicine": medicine},
    "politics": {"podium": podium, "parliament": parliament, "vote": vote, "flags": flags},
    "business": {"": business},
    "culture": {"": culture},
}


def story(subject: str, option: str, seed: str, width: int, height: int) -> str:
    """A picture for an article; the seed decides what of the subject it shows, unless an option does."""
    rng = Rng("story", subject, option, seed)
    kinds = STORIES[subject]
    hue = rng.between(180, 300)
    top, low = rng.pick((("#4f9bdc", "#dcecf5"), ("#7fb7e0", "#fbe7cc"), ("#5a7fb5", "#f7cfa5"), ("#8fa6b8", "#e3e9ec")))
    defs = (
        shade("sky", top, low, angle="y")
        + shade("pool", "#6fd3e6", "#2a93c4", angle="y")
        + shade("board", oklch(0.32, 0.06, hue - 60), oklch(0.22, 0.05, hue - 30), angle="d")
        + shade("dusk", oklch(0.36, 0.08, hue), oklch(0.22, 0.06, hue + 30), angle="d")
        + shade("night", "#0a0f24", oklch(0.26, 0.08, hue), angle="d")
        + shade("pale", oklch(0.93, 0.035, hue), oklch(0.82, 0.06, hue + 30), angle="d")
        + shade("stage", "#3a2f4a", "#15121d", angle="y")
        + shade("metal", "#e6ebef", "#9aa4ae", angle="y")
        + shade("glass", "#e9f5fa", "#a9cbdc", angle="d")
        + shade("wood", "#a8744b", "#6d4a33", angle="y")
        + shade("pillar", "#fbf5e8", "#c9bda4")
        + shade("dome", "#a9c0b2", "#6f8a80")
        + shade("gold", "#f6dc8c", "#c3932f")
        + glow("glow", "#fff4cc", "#fff4cc", opacity=(0.55, 0))
        + glow("shade", "#0c120c", "#0c120c", opacity=(0.4, 0))
    )
    drawing = kinds[option or rng.pick(tuple(kinds))](rng)
    if rng.chance(0.4):
        drawing = group(drawing, "translate(400) scale(-1 1)")
    return filled(defs, drawing, width, height)
