"""News illustrations: sport, technology, science, politics, business, culture."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from webgym.rng import Rng
from webgym_hermetic.kit.colour import lighter, mix, oklch
from webgym_hermetic.kit.pictures.canvas import filled, glow, shade
from webgym_hermetic.kit.pictures.drawing import drawing
from webgym_hermetic.kit.pictures.news_science import SCIENCE, TECH
from webgym_hermetic.kit.pictures.news_sport import SKINS, SPORT, TEAMS
from webgym_hermetic.kit.pictures.pen import box, group, oval, path, stroke


def podium(rng: Rng) -> str:
    c = rng.pick(("#1f4e8c", "#8a2f3a", "#2f6d5a", "#4a3f7a"))
    flags = "".join(
        stroke("#c9a44e", 5, f"M{x} 60v190") + path(mix(c, "#ffffff", k), f"M{x} 64q26 14 44 2 10 60-4 130-22 10-40-4z")
        for x, k in ((50, 0.0), (300, 0.35), (346, 0.0))
    )
    mics = "".join(
        stroke("#22252b", 4, f"M{200 + dx} 196q{dx} -14 {dx // 2} -30") + oval("#22252b", 200 + dx + dx // 2, 164, 6, 8)
        for dx in (-14, 14)
    )
    suit = rng.pick(("#232a38", "#3a3f4b", "#4a2f3a"))
    person = (
        path(suit, "M136 220q2-62 46-70h36q44 8 46 70z")
        + path("#f7f5ef", "M186 148l14 40 14-40z")
        + path(c, "M196 156h8l5 44-9 12-9-12z")
        + oval(rng.pick(SKINS), 200, 112, 30, 36)
        + path(rng.pick(("#2b211c", "#6b4a2f", "#c9c5bf")), "M168 108q-4-42 32-42t32 42q-8-22-20-24-26 8-44 24z")
    )
    return (
        box("stage", 0, 0, (400, 300))
        + box(lighter(c, -0.12), 0, 0, (400, 250), 0, 'opacity=".35"')
        + flags
        + oval("glow", 200, 110, 120)
        + person
        + mics
        + path("wood", "M130 200h140l-14 100h-112z")
        + path("#8a5d3c", "M122 190h156v13h-156z")
        + oval("#e9d9a8", 200, 246, 22)
        + path(c, "M200 232l5 9 10 1-7 7 2 10-10-5-10 5 2-10-7-7 10-1z")
    )


def vote(rng: Rng) -> str:
    c = rng.pick(TEAMS[:5])
    return (
        box("pale", 0, 0, (400, 300))
        + oval("shade", 200, 280, 150, 14)
        + group(
            box("#ffffff", -40, -60, (80, 104), 3, 'stroke="#d5dbe1"')
            + stroke("#c3cbd3", 4, "M-6-38h32M-6-16h32M-6 6h32")
            + "".join(box("#ffffff", -28, y, (14, 14), 2, 'stroke="#8f9aa6" stroke-width="2"') for y in (-45, -23, -1))
            + stroke(c, 4, "M-26-16l5 6 9-13"),
            "translate(204 96) rotate(7)",
        )
        + path(c, "M92 142h216v132q0 8-8 8h-200q-8 0-8-8z")
        + path(lighter(c, 0.08), "M80 126h240l-12 20h-216z")
        + box("#14181d", 148, 131, (104, 8), 4)
        + path("#ffffff", "M200 176l11 22 25 3-18 17 5 25-23-12-23 12 5-25-18-17 25-3z")
    )


def flags(rng: Rng) -> str:
    drawn = box("sky", 0, 0, (400, 300))
    for n in range(6):
        x, y = 24 + 64 * n, 60 + 8 * (n % 2)
        a, b, c = (rng.pick(TEAMS) for _ in range(3))
        drawn += stroke("#dfe4e8", 5, f"M{x} {y - 12}v{250 - y}") + "".join(
            path(col, f"M{x} {y + 17 * k}q14 8 26 0t26 0v17q-14-8-26 0t-26 0z") for k, col in enumerate((a, b, c))
        )
    return (
        drawn
        + path("#e5dfd2", "M0 226h400v74h-400z")
        + path("#c3b9a4", "M0 226h400v8h-400z")
        + "".join(box("#8ba0b0", x, 246, (26, 40), 2) for x in range(18, 390, 44))
    )


def business(rng: Rng) -> str:
    line = "M30 220" + "".join(f"l34 {rng.between(-34, 16)}" for _ in range(10))
    bars = "".join(
        box("glass", 40 + 34 * n, 250 - h, (20, h), 3, 'opacity=".35"')
        for n, h in enumerate(rng.between(30, 120) + 8 * n for n in range(10))
    )
    return (
        box("dusk", 0, 0, (400, 300))
        + stroke("#ffffff", 1, "M20 70h360M20 130h360M20 190h360M20 250h360", 'opacity=".2"')
        + bars
        + stroke("#5ee0a0", 5, line)
        + "".join(
            oval("gold", x, 262 - 7 * k, 26, 8, 'stroke="#8a6420"')
            for x, top in ((316, 5), (362, 3))
            for k in range(top)
        )
    )


def culture(rng: Rng) -> str:
    curtain = "".join(
        path("#a8272f" if n % 2 else "#8a1c26", f"M{x} 0h26q-6 120 8 230h-34z")
        + path("#a8272f" if n % 2 else "#8a1c26", f"M{400 - x} 0h-26q6 120-8 230h34z")
        for n, x in enumerate((0, 24, 48, 72))
    )
    beams = path("#fff2c4", "M120 0l30 240h-120zM280 0l90 240h-120z", 'opacity=".18"')
    act = rng.pick(
        (
            group(
                path("#f4efe4", "M-34-40q34-14 68 0 6 70-34 84-40-14-34-84z")
                + path(
                    "#22252b",
                    "M-22-12q10-10 18 0-8 6-18 0zM4-12q10-10 18 0-10 6-18 0zM-16 14q16 18 32 0-2 18-16 18t-16-18z",
                ),
                "translate(170 140) rotate(-10)",
            )
            + group(
                path("#2b2f3a", "M-34-40q34-14 68 0 6 70-34 84-40-14-34-84z")
                + path("#f4efe4", "M-22-12q10-8 18 2-10 4-18-2zM4-10q8-10 18-2-8 6-18 2zM-14 24q14-16 28 0z"),
                "translate(236 156) rotate(10)",
            ),
            path("#14181d", "M120 226v-60q0-10 10-10h70q60 4 90 40v30z")
            + box("#fbfbf8", 124, 186, (90, 12), 2)
            + stroke("#14181d", 4, "".join(f"M{x} 186v7" for x in range(130, 212, 8)))
            + path("#14181d", "M150 156l130-70q12 60-10 80z", 'opacity=".8"'),
            "".join(
                oval("#14181d", x, 120, 12)
                + path("#14181d", f"M{x - 14} 226q-6-90 14-92 20 2 14 92z")
                + stroke("#d9a24a", 4, f"M{x - 8} 170l30-26")
                for x in (140, 200, 260)
            ),
        )
    )
    return (
        box("stage", 0, 0, (400, 300))
        + beams
        + oval("glow", 200, 150, 130)
        + act
        + curtain
        + path(
            "#a8272f",
            "M0 0h400v26q-25 20-50 0-25 20-50 0-25 20-50 0-25 20-50 0-25 20-50 0-25 20-50 0-25 20-50 0-25 20-50 0z",
        )
        + path("#6d4a33", "M0 226h400v74h-400z")
        + stroke("#543725", 2, "M0 246h400M0 270h400")
    )


STORIES: dict[str, dict[str, Callable[[Rng], str]]] = {
    "sport": SPORT,
    "tech": TECH,
    "science": SCIENCE,
    "politics": {"podium": podium, "parliament": partial(drawing, "news/parliament", {}), "vote": vote, "flags": flags},
    "business": {"": business},
    "culture": {"": culture},
}


def story(subject: str, option: str, seed: str, width: int, height: int) -> str:
    """Draw an illustration for an article; the seed picks the motif if the option is empty."""
    rng = Rng("story", subject, option, seed)
    kinds = STORIES[subject]
    hue = rng.between(180, 300)
    top, low = rng.pick(
        (("#4f9bdc", "#dcecf5"), ("#7fb7e0", "#fbe7cc"), ("#5a7fb5", "#f7cfa5"), ("#8fa6b8", "#e3e9ec"))
    )
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
