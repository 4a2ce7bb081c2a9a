"""News illustrations of sports."""

from __future__ import annotations

from collections.abc import Callable

from webgym.rng import Rng
from webgym_hermetic.kit.colour import lighter
from webgym_hermetic.kit.pictures.pen import box, group, oval, path, stroke

TEAMS = ("#c9302c", "#1f5fa8", "#f0b429", "#177a4f", "#6a3d9a", "#22252b", "#e8762c", "#f4f4f0")
SKINS = ("#f3c6a5", "#d29a6f", "#96603d", "#6b4329")
"""Skin tones; `TEAMS` are shirt colours."""


def _athlete(rng: Rng, pose: str) -> str:
    """Draw a figure about 150 units high, with the hips at the origin."""
    skin, shirt, shorts = rng.pick(SKINS), rng.pick(TEAMS), rng.pick(("#22252b", "#f4f4f0", "#1f3f6f"))
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
    crowd = "".join(f"M{rng.between(0, 400)} {rng.between(60, 132)}h.1" for _ in range(80))
    other = "".join(f"M{rng.between(0, 400)} {rng.between(60, 132)}h.1" for _ in range(60))
    lamps = "".join(
        stroke("#5d6672", 4, f"M{x} 70v-54") + box("#f7f4dc", x - 20, 8, (40, 14), 3) + oval("glow", x, 14, 54)
        for x in (60, 340)
    )
    return (
        box("sky", 0, 0, (400, 160))
        + lamps
        + path("#4b5663", "M0 64q200-30 400 0v80h-400z")
        + stroke("#d9c7b0", 5, crowd, 'opacity=".8"')
        + stroke(rng.pick(TEAMS), 5, other, 'opacity=".8"')
        + path("#2f3843", "M0 136h400v12h-400z")
        + box(ground, 0, 146, (400, 154))
    )


def football(rng: Rng) -> str:
    stripes = "".join(
        path(
            "#4c9a4c",
            f"M{200 + (x - 200) * 0.5:.0f} 146h{20}L{200 + (x - 200) * 1.5 + 60:.0f} 300h-60z",
            'opacity=".6"',
        )
        for x in range(-100, 500, 80)
    )
    ball = oval("#ffffff", 0, 0, 13) + path(
        "#22252b", "M0-5l5 4-2 6h-6l-2-6zM-9-6l3-4 3 2zM9-6l-3-4-3 2zM-5 11l4 1-4-4zM5 11l-4 1 4-4z"
    )
    return (
        _stadium(rng, "#3f8a43")
        + stripes
        + stroke("#ffffff", 3, "M0 190h400M140 146q60 40 120 0", 'opacity=".7"')
        + oval("shade", 190, 268, 90, 10)
        + group(_athlete(rng, "kick"), "translate(180 196)")
        + group(ball, f"translate({rng.between(272, 320)} {rng.between(180, 236)})")
        + group(_athlete(rng, "run"), "translate(74 176) scale(.66)")
    )


def tennis(rng: Rng) -> str:
    court = rng.pick(("#3c7fb5", "#c5693a", "#4f8f5a"))
    net = stroke(
        "#ffffff", 1, "".join(f"M{x} 178v30" for x in range(0, 400, 8)) + "M0 188h400M0 198h400", 'opacity=".6"'
    )
    return (
        _stadium(rng, court)
        + stroke("#ffffff", 3, "M40 300l60-140h200l60 140M76 220h250")
        + net
        + stroke("#ffffff", 4, "M0 178h400")
        + oval("shade", 190, 276, 80, 9)
        + group(
            _athlete(rng, "reach")
            + stroke("#2b2d31", 5, "M36-118l10-22")
            + '<ellipse cx="54" cy="-160" rx="16" ry="21" fill="#ffffff" fill-opacity=".4" '
            'stroke="#d9432f" stroke-width="4" transform="rotate(22 54 -160)"/>',
            "translate(180 204)",
        )
        + oval("#dff04a", rng.between(270, 330), rng.between(60, 110), 8)
    )


def running(rng: Rng) -> str:
    lanes = stroke("#ffffff", 2.5, "M0 190h400M0 220h400M0 254h400", 'opacity=".8"')
    return (
        _stadium(rng, "#c4533b")
        + lanes
        + "".join(
            oval("shade", x + 4, y + 62 * k, 50 * k, 6) + group(_athlete(rng, "run"), f"translate({x} {y}) scale({k})")
            for x, y, k in ((90, 176, 0.74), (206, 190, 0.84), (316, 204, 0.95))
        )
    )


def cycling(rng: Rng) -> str:
    def rider(x: float, y: float, k: float) -> str:
        team, skin = rng.pick(TEAMS), rng.pick(SKINS)
        wheels = "".join(
            f'<circle cx="{cx}" cy="0" r="30" fill="none" stroke="#22252b" stroke-width="5"/>' for cx in (-46, 46)
        )
        frame = stroke(team, 5, "M-46 0l22-44h52l-30 44zM-24-44l22 44M28-44l18 44")
        body = (
            stroke(skin, 9, "M-18-54l26 26-8 30")
            + path(team, "M-30-58q4-34 50-38l10 10q-30 14-36 34z")
            + stroke(skin, 8, "M24-86l14 30")
            + oval(skin, 36, -102, 11)
            + path(lighter(team, -0.1), "M22-104q4-18 24-12l6 10z")
        )
        return oval("shade", x, y + 30 * k, 86 * k, 7) + group(
            wheels + frame + body, f"translate({x:g} {y:g}) scale({k:g})"
        )

    return (
        box("sky", 0, 0, (400, 200))
        + path("#7d9db5", "M0 150l90-70 80 54 70-60 90 70 70-40v90h-400z")
        + path("#6fa35c", "M0 168q140-24 400 0v60h-400z")
        + box("#6b7178", 0, 206, (400, 94))
        + stroke("#f6f2e4", 4, "M0 276h400", 'stroke-dasharray="30 22"')
        + rider(76, 218, 0.72)
        + rider(190, 228, 0.86)
        + rider(316, 240, 1)
    )


def swimming(rng: Rng) -> str:
    lanes = "".join(
        stroke("#d9432f" if n % 2 else "#f4f4f0", 5, f"M0 {y}h400", 'stroke-dasharray="14 10"')
        for n, y in enumerate((80, 160, 240))
    )
    swimmers = "".join(
        group(
            path("#ffffff", "M-70 6q40-14 90-4 6 14-20 16-50 4-70-12z", 'opacity=".55"')
            + stroke(rng.pick(SKINS), 10, "M-6 0q20-34 46-18M-6 4l-44 4")
            + oval(rng.pick(TEAMS), 8, 0, 13),
            f"translate({x} {y})",
        )
        for x, y in (
            (rng.between(90, 150), 44),
            (rng.between(200, 300), 122),
            (rng.between(130, 230), 202),
            (rng.between(240, 330), 276),
        )
    )
    return (
        box("pool", 0, 0, (400, 300))
        + stroke(
            "#ffffff",
            2,
            "".join(f"M{rng.between(0, 380)} {rng.between(0, 300)}q8-5 16 0t16 0" for _ in range(36)),
            'opacity=".4"',
        )
        + lanes
        + swimmers
    )


def basketball(rng: Rng) -> str:
    hoop = (
        box("#fbfbf8", 276, 34, (96, 66), 4, 'stroke="#c9432f" stroke-width="4"')
        + box("none", 306, 62, (36, 28), 0, 'stroke="#c9432f" stroke-width="3"')
        + stroke("#e0562c", 5, "M300 102h48")
        + stroke("#ffffff", 2, "M304 104l8 34M344 104l-8 34M318 104l2 34M330 104l-2 34M306 116h36M309 128h30")
    )
    ball = oval("#e07a2c", 0, 0, 16) + stroke("#5a2a12", 2, "M-16 0h32M0-16v32M-11-11q10 11 0 22M11-11q-10 11 0 22")
    return (
        _stadium(rng, "#c8935a")
        + stroke("#ffffff", 3, "M0 232h400M120 232q80-60 160 0", 'opacity=".7"')
        + hoop
        + oval("shade", 180, 282, 80, 9)
        + group(_athlete(rng, "reach"), "translate(170 206)")
        + group(ball, "translate(218 74)")
    )


SPORT: dict[str, Callable[[Rng], str]] = {
    "football": football,
    "tennis": tennis,
    "running": running,
    "cycling": cycling,
    "swimming": swimming,
    "basketball": basketball,
}
