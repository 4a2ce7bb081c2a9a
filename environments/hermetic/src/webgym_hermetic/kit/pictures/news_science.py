"""News illustrations of technology and science."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from webgym.rng import Rng
from webgym_hermetic.kit.colour import oklch
from webgym_hermetic.kit.pictures.drawing import drawing
from webgym_hermetic.kit.pictures.news_sport import TEAMS
from webgym_hermetic.kit.pictures.pen import box, group, oval, path, stroke


def robot(rng: Rng) -> str:
    c = rng.pick(TEAMS[:5])
    return (
        box("dusk", 0, 0, (400, 300))
        + "".join(
            oval("#ffffff", rng.between(0, 400), rng.between(0, 300), rng.between(2, 5), 0, 'opacity=".25"')
            for _ in range(24)
        )
        + path("metal", "M110 300q0-74 60-80h60q60 6 60 80z")
        + box("#5b6470", 178, 196, (44, 30), 6)
        + box("metal", 120, 76, (160, 126), 38)
        + box("#141a24", 140, 104, (120, 62), 28)
        + "".join(oval("glow", x, 134, 28) + oval("#7de3f4", x, 134, 12) for x in (174, 226))
        + stroke("#8b95a1", 5, "M200 76v-26")
        + oval(c, 200, 44, 10)
        + box(c, 104, 116, (18, 46), 8)
        + box(c, 278, 116, (18, 46), 8)
        + oval(c, 200, 262, 17)
        + oval("#ffffff", 200, 262, 8, 0, 'opacity=".8"')
    )


def server(rng: Rng) -> str:
    racks = ""
    for n, x in enumerate((20, 112, 204, 296)):
        racks += box("#1b212b", x, 20, (84, 270), 5) + box("#262e3a", x + 6, 28, (72, 254), 3)
        racks += stroke("#465260", 6, "".join(f"M{x + 12} {y}h60" for y in range(40, 280, 18)))
        lights = "".join(f"M{x + 14 + 8 * rng.between(0, 4)} {y}h.1" for y in range(40, 280, 18))
        racks += stroke(("#5ee08a", "#4fc3f7", "#5ee08a", "#ffca5a")[n], 4, lights)
    return box("dusk", 0, 0, (400, 300)) + racks + path("#7fd4ff", "M0 300l120-40h160l120 40z", 'opacity=".18"')


def gadget(rng: Rng) -> str:
    tiles = "".join(
        box(oklch(0.75, 0.13, rng.between(0, 359)), 160 + 28 * (n % 3), 96 + 30 * (n // 3), (22, 22), 6)
        for n in range(12)
    )
    return (
        box("pale", 0, 0, (400, 300))
        + "".join(
            oval("#ffffff", x, y, r, 0, 'opacity=".35"') for x, y, r in ((80, 80, 70), (330, 220, 90), (310, 60, 40))
        )
        + oval("shade", 206, 282, 90, 12)
        + box("#14181f", 140, 30, (120, 246), 22)
        + box("#f6f8fb", 147, 38, (106, 230), 16)
        + box("#d5dce5", 160, 54, (60, 8), 4)
        + box("#e5eaf0", 160, 68, (80, 6), 3)
        + tiles
        + box("#4a7df0", 160, 228, (80, 24), 10)
    )


def lab(rng: Rng) -> str:
    liquids = [rng.pick(("#4fc3f7", "#8bd17c", "#f48fb1", "#ffd54f", "#b39ddb")) for _ in range(3)]
    flask = (
        path("glass", "M84 120h32v46l42 82q6 18-14 18h-88q-20 0-14-18l42-82z", 'opacity=".9"')
        + path(liquids[0], "M64 216h72l20 36q4 10-12 10h-88q-16 0-12-10z")
        + "".join(
            oval("#ffffff", x, y, r, 0, 'opacity=".6"') for x, y, r in ((90, 240, 5), (108, 228, 4), (116, 248, 6))
        )
    )
    tubes = "".join(
        box("glass", 204 + 34 * n, 130, (20, 116), 10)
        + path(c, f"M{204 + 34 * n} {176 + 14 * n}h20v{60 - 14 * n}q0 10-10 10t-10-10z")
        for n, c in enumerate(liquids)
    )
    scope = stroke("#4b5663", 13, "M344 262h-50M352 262q20-60-20-96") + group(
        box("#dfe5ea", -12, -70, (24, 92), 6)
        + box("#4b5663", -9, 20, (18, 18), 3)
        + box("#4b5663", -9, -88, (18, 20), 3),
        "translate(338 160) rotate(24)",
    )
    return (
        box("pale", 0, 0, (400, 300))
        + stroke("#ffffff", 6, "M30 60h110M30 84h80M260 60h110M290 84h80", 'opacity=".6"')
        + box("#c9d3da", 0, 262, (400, 38))
        + flask
        + box("#8a6a4c", 194, 160, (108, 10), 3)
        + tubes
        + scope
    )


def space(rng: Rng) -> str:
    stars = "".join(f"M{rng.between(0, 400)} {rng.between(0, 300)}h.1" for _ in range(90))
    hue = rng.between(0, 359)
    x, y, r = rng.between(120, 290), rng.between(120, 190), rng.between(56, 84)
    rings = (
        f'<ellipse cx="{x}" cy="{y}" rx="{r * 1.7:.0f}" ry="{r * 0.4:.0f}" fill="none" '
        f'stroke="{oklch(0.8, 0.06, hue + 40)}" stroke-width="9" opacity=".75" transform="rotate(-18 {x} {y})"/>'
        if rng.chance(0.5)
        else ""
    )
    return (
        box("night", 0, 0, (400, 300))
        + stroke("#ffffff", 1.8, stars, 'opacity=".85"')
        + oval("glow", x, y, r * 1.6, 0, 'opacity=".5"')
        + f'<circle cx="{x}" cy="{y}" r="{r}" fill="{oklch(0.62, 0.13, hue)}"/>'
        + stroke(
            oklch(0.72, 0.11, hue + 20),
            8,
            f"M{x - r * 0.8:.0f} {y - 20}q{r * 0.8:.0f} 20 {r * 1.6:.0f} 0"
            f"M{x - r * 0.85:.0f} {y + 14}q{r * 0.9:.0f} 22 {r * 1.7:.0f} 0",
            'opacity=".7"',
        )
        + path("#05070f", f"M{x} {y - r}a{r} {r} 0 0 1 0 {2 * r}q{r * 0.6:.0f}-{r} 0-{2 * r}z", 'opacity=".35"')
        + rings
        + oval("#d8d8d4", rng.pick((50, 350)), rng.between(40, 80), 15)
    )


def climate(rng: Rng) -> str:
    turbines = "".join(
        path("#f7f9fa", f"M{x - 3} 230l2-{h}h2l2 {h}z")
        + group(
            "".join(path("#ffffff", "M0 0q7-14 0-50-7 36 0 50z", f'transform="rotate({a})"') for a in (0, 120, 240)),
            f"translate({x} {230 - h}) rotate({rng.between(0, 119)}) scale({h / 110:.2f})",
        )
        + oval("#d5dce1", x, 230 - h, 4)
        for x, h in ((90, 130), (190, 158), (300, 118), (358, 90))
    )
    panels = "".join(
        path("#23477a", f"M{x} 284l14-30h56l-10 30z")
        + stroke("#8fb3e0", 1.2, f"M{x + 7} 269h56M{x + 22} 284l12-30M{x + 42} 284l10-30")
        for x in (20, 100, 180, 260)
    )
    return (
        box("sky", 0, 0, (400, 300))
        + oval("glow", 330, 60, 90)
        + oval("#fff7d8", 330, 60, 22)
        + path("#8fbf6f", "M0 226q110-40 210-10t190-14v98h-400z")
        + turbines
        + path("#6aa554", "M0 252q160-20 400 4v44h-400z")
        + panels
    )


TECH: dict[str, Callable[[Rng], str]] = {
    "chip": partial(drawing, "news/chip", {}),
    "robot": robot,
    "server": server,
    "phone": gadget,
}
SCIENCE: dict[str, Callable[[Rng], str]] = {
    "lab": lab,
    "space": space,
    "climate": climate,
    "medicine": partial(drawing, "news/medicine", {}),
}
