"""Charts, maps and screenshots."""

from __future__ import annotations

import math

from webgym.rng import Rng
from webgym_hermetic.kit.colour import lighter, mix
from webgym_hermetic.kit.palettes import PALETTES
from webgym_hermetic.kit.pictures.canvas import filled, shade
from webgym_hermetic.kit.pictures.pen import box, group, oval, path, stroke

CHARTS = ("line", "bar", "pie")
SCREENS = ("table", "form", "chart", "chat", "error")


def chart(option: str, seed: str, width: int, height: int) -> str:
    """Draw a chart without text: lines, bars or a ring."""
    rng = Rng("chart", seed)
    kind = option or rng.pick(CHARTS)
    palette = PALETTES[rng.pick(tuple(PALETTES))]
    colours = (palette.accent, palette.second, mix(palette.accent, "#ffffff", 0.45))
    drawn = box("#fbfcfd", 0, 0, (400, 300)) + box("#c9d1d9", 30, 24, (130, 10), 5) + box("#e2e7ec", 30, 42, (84, 7), 3)
    if kind == "pie":
        return filled("", drawn + _pie(colours, rng), width, height)
    drawn += stroke("#e4e8ec", 1.5, "".join(f"M44 {y}h330" for y in range(80, 250, 42))) + stroke(
        "#aab4be", 2, "M44 70v180h330"
    )
    drawn += "".join(box("#d4dbe2", 20, y - 3, (16, 6), 3) for y in range(80, 250, 42)) + "".join(
        box("#d4dbe2", x, 260, (24, 6), 3) for x in range(58, 360, 56)
    )
    return filled(
        shade("area", colours[0], colours[0], angle="y", opacity=(0.35, 0.02)),
        drawn + (_bars(colours, rng) if kind == "bar" else _lines(colours, rng)),
        width,
        height,
    )


def _lines(colours: tuple[str, ...], rng: Rng) -> str:
    drawn = ""
    for number in range(rng.between(1, 2)):
        points: list[tuple[float, float]] = []
        y, rise = float(rng.between(170, 220)), 3 + 9 * rng.unit()
        for n in range(12):
            y = min(240.0, max(80.0, y - rise + rng.between(-22, 22)))
            points.append((50 + 29 * n, y))
        line = "M" + "L".join(f"{x:g} {y:.0f}" for x, y in points)
        if number == 0:
            drawn += path("area", f"{line}V250H50z")
        drawn += stroke(colours[number], 4, line)
        drawn += oval("#ffffff", *points[-1], 6, 0, f'stroke="{colours[number]}" stroke-width="3.5"')
    return drawn


def _bars(colours: tuple[str, ...], rng: Rng) -> str:
    drawn, count = "", rng.between(6, 9)
    gap = 320 / count
    for n in range(count):
        high = rng.between(40, 160)
        x = 52 + gap * n
        drawn += box(colours[0], x, 249 - high, (gap * 0.36, high), 3)
        second = rng.between(30, 140)
        drawn += box(colours[2], x + gap * 0.4, 249 - second, (gap * 0.36, second), 3)
    return drawn


def _pie(colours: tuple[str, ...], rng: Rng) -> str:
    shares = [rng.between(10, 40) for _ in range(5)]
    paints = (*colours, lighter(colours[1], 0.12), "#c7d0d9")
    drawn, at, whole = "", 0.0, 2 * math.pi * 70
    for share, paint in zip(shares, paints, strict=True):
        part = whole * share / sum(shares)
        drawn += (
            f'<circle cx="140" cy="168" r="70" fill="none" stroke="{paint}" stroke-width="42" '
            f'stroke-dasharray="{part - 3:.1f} {whole:.1f}" stroke-dashoffset="{-at:.1f}"/>'
        )
        at += part
    return drawn + "".join(
        box(paint, 264, 104 + 28 * n, (14, 14), 4) + box("#d4dbe2", 286, 107 + 28 * n, (rng.between(44, 84), 8), 4)
        for n, paint in enumerate(paints)
    )


def street_map(seed: str, width: int, height: int) -> str:
    """Draw a map: streets, water and parks around a pin."""
    rng = Rng("map", seed)
    wide = min(620.0, max(220.0, 300 * width / height))
    far = int(wide) + 40
    parks = "".join(
        path(
            "#c5e3b4",
            f"M{x} {y}"
            f"l{rng.between(50, 90)} {rng.between(-14, 14)} {rng.between(-10, 20)} {rng.between(40, 70)}"
            f"-{rng.between(50, 90)} 12z",
        )
        for x, y in ((rng.between(0, far), rng.between(0, 240)) for _ in range(4))
    )
    bend = rng.between(20, 280)
    water = stroke(
        "#a9d3ee",
        rng.between(26, 46),
        f"M-20 {bend}"
        f"q{wide * 0.3:.0f} {rng.between(-90, 90)} {wide * 0.6:.0f} {rng.between(-20, 20)}"
        f"t{wide * 0.6:.0f} {rng.between(-60, 60)}",
    )
    minor = "".join(f"M{x} -10l{rng.between(-30, 30)} 320" for x in range(rng.between(0, 20), far, rng.between(26, 36)))
    minor += "".join(
        f"M-10 {y}l{far} {rng.between(-26, 26)}" for y in range(rng.between(0, 20), 310, rng.between(28, 40))
    )
    major = (
        f"M-10 {rng.between(60, 240)}L{far} {rng.between(60, 240)}"
        f"M{rng.between(40, int(wide) - 40)} -10L{rng.between(40, int(wide) - 40)} 310"
    )
    blocks = "".join(
        box("#e2ddd2", rng.between(0, far), rng.between(0, 290), (rng.between(10, 22), rng.between(8, 16)), 1)
        for _ in range(22)
    )
    x, y = wide / 2 + rng.between(-20, 20), 150 + rng.between(-14, 14)
    pin = (
        oval("#3a2a22", x, y + 2, 12, 4, 'opacity=".25"')
        + path("#e0382f", f"M{x:g} {y:g}q-24-30-24-46a24 24 0 1 1 48 0q0 16-24 46z")
        + oval("#ffffff", x, y - 46, 9)
    )
    drawn = (
        box("#f3efe7", 0, 0, (wide, 300))
        + parks
        + water
        + blocks
        + stroke("#ffffff", 5, minor)
        + stroke("#ffffff", 13, major)
        + stroke("#fbdc8f", 9, major)
        + pin
    )
    return filled("", drawn, width, height, f"0 0 {wide:g} 300")


def screenshot(option: str, seed: str, width: int, height: int) -> str:
    """Draw a mock application window."""
    rng = Rng("screenshot", seed)
    kind = option or rng.pick(SCREENS)
    palette = PALETTES[rng.pick(tuple(PALETTES))]
    a = palette.accent
    side = (
        box("#f1f3f6", 20, 46, (84, 234))
        + box(mix(a, "#ffffff", 0.8), 26, 101, (72, 20), 4)
        + box(a, 32, 60, (40, 9), 4)
        + "".join(box("#bcc5cf", 32, 88 + 20 * n, (rng.between(36, 60), 7), 3) for n in range(7))
    )
    top = (
        box("#ffffff", 20, 20, (360, 260), 10, 'stroke="#d3dae1"')
        + path("#e6eaef", "M30 20h340q10 0 10 10v16h-360v-16q0-10 10-10z")
        + "".join(oval(c, 34 + 12 * n, 33, 4) for n, c in enumerate(("#ec6a5e", "#f4bf4f", "#61c554")))
        + box("#ffffff", 110, 27, (180, 12), 6)
    )
    body = {"table": _rows, "form": _fields, "chart": _panels, "chat": _bubbles, "error": _error}[kind](a, rng)
    return filled(
        shade("ground", mix(a, "#ffffff", 0.75), mix(palette.second, "#ffffff", 0.7), angle="d"),
        box("ground", 0, 0, (400, 300)) + top + side + body,
        width,
        height,
    )


def _rows(a: str, rng: Rng) -> str:
    rows = "".join(
        oval(rng.pick((a, "#61b87a", "#e2a33c")), 124, 96 + 24 * n, 5)
        + box("#c4ccd5", 138, 92 + 24 * n, (rng.between(60, 120), 8), 4)
        + box("#e0e5ea", 290, 92 + 24 * n, (rng.between(30, 70), 8), 4)
        for n in range(8)
    )
    return (
        box("#8f9aa6", 118, 62, (90, 10), 5)
        + box(a, 316, 58, (50, 18), 6)
        + stroke("#edf0f3", 1.2, "".join(f"M116 {84 + 24 * n}h252" for n in range(9)))
        + rows
    )


def _fields(a: str, rng: Rng) -> str:
    fields = "".join(
        box("#b9c2cc", 124, 84 + 42 * n, (rng.between(40, 80), 7), 3)
        + box("#ffffff", 124, 96 + 42 * n, (220, 20), 5, 'stroke="#cfd6de"')
        + box("#dde3e9", 132, 103 + 42 * n, (rng.between(50, 140), 6), 3)
        for n in range(4)
    )
    return box("#8f9aa6", 124, 62, (110, 10), 5) + fields + box(a, 124, 256, (70, 16), 6)


def _panels(a: str, rng: Rng) -> str:
    cards = "".join(
        box("#ffffff", 116 + 86 * n, 60, (80, 46), 6, 'stroke="#dde3e9"')
        + box("#cfd6de", 124 + 86 * n, 70, (36, 6), 3)
        + box(a, 124 + 86 * n, 84, (28, 11), 4)
        for n in range(3)
    )
    line = "M126 240" + "".join(f"l26 {rng.between(-28, 14)}" for _ in range(8))
    return (
        cards
        + box("#ffffff", 116, 116, (252, 152), 6, 'stroke="#dde3e9"')
        + stroke("#edf0f3", 1.2, "M126 150h232M126 180h232M126 210h232M126 240h232")
        + group(stroke(a, 3.5, line), "translate(0 -10)")
    )


def _bubbles(a: str, rng: Rng) -> str:
    drawn = ""
    for n in range(5):
        mine = rng.chance(0.5)
        w = rng.between(90, 160)
        x = 362 - w if mine else 140
        drawn += (
            box(a if mine else "#e9edf1", x, 62 + 40 * n, (w, 30), 12)
            + box("#ffffff" if mine else "#b9c2cc", x + 12, 70 + 40 * n, (w - 40, 5), 2, 'opacity=".8"')
            + box("#ffffff" if mine else "#b9c2cc", x + 12, 80 + 40 * n, (w - 60, 5), 2, 'opacity=".8"')
        )
        drawn += "" if mine else oval("#c4ccd5", 126, 78 + 40 * n, 9)
    return drawn


def _error(a: str, rng: Rng) -> str:
    return (
        _rows(a, rng)
        + box("#1d2630", 116, 56, (254, 216), 0, 'opacity=".35"')
        + box("#ffffff", 146, 108, (194, 104), 10)
        + oval("#d94a3d", 172, 136, 13)
        + stroke("#ffffff", 3, "M167 131l10 10M177 131l-10 10")
        + box("#8f9aa6", 194, 126, (100, 9), 4)
        + box("#d4dbe2", 194, 144, (124, 6), 3)
        + box("#d4dbe2", 194, 156, (90, 6), 3)
        + box(a, 270, 182, (56, 18), 6)
    )
