"""Scenes of towns and buildings."""

from __future__ import annotations

from webgym.rng import Rng
from webgym_hermetic.kit.colour import mix
from webgym_hermetic.kit.pictures.pen import box, group, oval, path, stroke
from webgym_hermetic.kit.pictures.scenery import (
    HIGH,
    Light,
    hills,
    houses,
    level,
    peaks,
    sea,
    sky,
    trees,
)


def _skyline(wide: float, rng: Rng, base: float, tall: float) -> str:
    shape, x = f"M-10 {HIGH}", -10
    while x < wide:
        w = rng.between(20, 42)
        shape += f"V{base - tall * (0.3 + 0.7 * rng.unit()):.0f}h{w}"
        x += w
    return shape + f"V{HIGH}z"


def _towers(wide: float, light: Light, rng: Rng, base: float, tall: float, distance: float) -> str:
    walls: dict[str, str] = {}
    windows: dict[str, str] = {}
    x = -10
    while x < wide:
        w, h = rng.between(28, 50), tall * (0.35 + 0.65 * rng.unit())
        colour = light.on(rng.pick(("#6b7c8f", "#8a8f98", "#586a80", "#a08f80", "#4b5d73")), distance)
        top = base - h
        caps = (
            "",
            "",
            f"M{x + w / 2:g} {top:.0f}v-22h1.5v22z",
            f"M{x + 6} {top:.0f}v-9h{w - 12}v9z",
            f"M{x} {top:.0f}l{w}-14v16z",
        )
        walls[colour] = walls.get(colour, "") + f"M{x} {HIGH}V{top:.0f}h{w}V{HIGH}z{rng.pick(caps)}"
        if h > 30:
            dashes = rng.pick(("4 7", "5 5 4 9", "3 6 3 13"))
            columns = "".join(f"M{x + 7 + 10 * k} {top + 10:.0f}v{h - 12:.0f}" for k in range((w - 6) // 10))
            windows[dashes] = windows.get(dashes, "") + columns
        x += w + rng.pick((0, 2, 6))
    glass = "#ffe2a0" if light.lamps else mix(light.bottom, "#ffffff", 0.3)
    look = f'stroke="{glass}" stroke-width="4.5" opacity="{0.85 if light.lamps else 0.45}"'
    return "".join(path(*pair) for pair in walls.items()) + "".join(
        f'<path d="{columns}" {look} stroke-dasharray="{dashes}"/>' for dashes, columns in windows.items()
    )


def city(wide: float, light: Light, rng: Rng) -> str:
    front = rng.chance(0.5)
    ground = (
        sea(wide, 238, light, rng)
        if front
        else box(light.on("#5d666e"), 0, 240, (wide, 60))
        + stroke("#f3efe4", 2.5, f"M0 272h{wide:g}", 'stroke-dasharray="18 14" opacity=".8"')
    )
    return (
        sky(wide, light, rng, 170)
        + path(light.on("#74808c", 0.62), _skyline(wide, rng, 220, 120))
        + _towers(wide, light, rng, 232, 150, 0.36)
        + _towers(wide, light, rng, 240, 104, 0.08)
        + ground
        + path(light.on("#3e6b48"), trees(rng, 0, wide, 246, 11, 30))
    )


def harbour(wide: float, light: Light, rng: Rng) -> str:
    row: list[tuple[float, float, float, float]] = []
    x = -6
    while x < wide:
        w = rng.between(32, 48)
        row.append((x, 206, w, rng.between(54, 84)))
        x += w
    boats = ""
    for n in range(max(3, int(wide / 130))):
        bx, by = wide * (n + 0.3 + 0.4 * rng.unit()) / max(3, int(wide / 130)), rng.between(232, 272)
        hull = light.on(rng.pick(("#f4f1ea", "#c24a3a", "#2d5f8a", "#2f7d6d")))
        boats += (
            stroke(light.on("#6b543c"), 2, f"M{bx:.0f} {by}v-62")
            + path(
                light.on("#f7f3e8"),
                f"M{bx + 3:.0f} {by - 6}v-52q24 24 26 52zM{bx - 3:.0f} {by - 6}v-40q-18 18-20 40z",
                'opacity=".95"',
            )
            + path(hull, f"M{bx - 30:.0f} {by}h66q-6 16-16 16h-36q-10 0-14-16z")
            + stroke("#ffffff", 1.5, f"M{bx - 30:.0f} {by + 18}h62", 'opacity=".5"')
        )
    return (
        sky(wide, light, rng, 150)
        + path(light.on("#5d8a6c", 0.4), hills(wide, rng, 140, 22))
        + houses(row, light, rng)
        + box(light.on("#a59a8a"), 0, 204, (wide, 12))
        + sea(wide, 216, light, rng)
        + boats
    )


def village(wide: float, light: Light, rng: Rng) -> str:
    rows = ""
    spread = max(1.0, wide / 400)
    for y, size, gap in ((200, 28, 40), (226, 36, 52), (252, 44, 70)):
        x = wide * 0.12 + rng.between(0, 20)
        row: list[tuple[float, float, float, float]] = []
        while x < wide * 0.86:
            row.append((x, y + rng.between(-5, 5), size * (0.9 + 0.4 * rng.unit()), size * 0.8))
            x += gap * spread * (0.8 + 0.6 * rng.unit())
        rows += houses(row, light, rng) + path(light.on("#4f7d4a"), trees(rng, 0, wide, y + 8, 9, 52 * spread))
    tower = wide * (0.42 + 0.16 * rng.unit())
    spire = (
        box(light.on("#eadcc4"), tower, 128, (22, 70))
        + path(light.on("#8e4436"), f"M{tower - 4:.0f} 130l15-44 15 44z")
        + oval(light.on("#5a5148"), tower + 11, 146, 5)
    )
    return (
        sky(wide, light, rng, 150)
        + path(light.on("#6f8fae", 0.5), peaks(wide, rng, 170, 60, 70)[0])
        + path(light.on("#7da366", 0.25), hills(wide, rng, 178, 14))
        + spire
        + rows
        + path(light.on("#5f8f4c"), hills(wide, rng, 274, 7, 1))
    )


def airport(wide: float, light: Light, rng: Rng) -> str:
    plane = (
        path("#f7f9fb", "M0 0q10-14 40-15h120q26 4 34 15-8 8-34 10h-130q-24-2-30-10z")
        + path(light.on(rng.pick(("#c8372f", "#1f6fb2", "#e08a1e", "#137a6b"))), "M6-6l-16-38h24l26 30z")
        + path(light.on("#c9d2da"), "M76 2l-34 34h20l60-34zM20-6l-24 4h16z")
        + path("#4d6478", "".join(f"M{x}-8h3v4h-3z" for x in range(62, 158, 8)))
    )
    glass = "#ffe2a0" if light.lamps else light.on("#9cc3d8")
    return (
        sky(wide, light, rng, 180)
        + path(light.on("#7f98a8", 0.5), hills(wide, rng, 190, 8))
        + path(light.on("#d5dce1", 0.1), f"M{wide * 0.06:.0f} 220v-34q{wide * 0.25:.0f}-26 {wide * 0.5:.0f} 0v34z")
        + box(glass, wide * 0.09, 194, (wide * 0.44, 16))
        + path(light.on("#e6ebee", 0.1), f"M{wide * 0.7:.0f} 220v-76h14v76zM{wide * 0.7 - 10:.0f} 148l4-22h26l4 22z")
        + path(light.on("#7f9f5e"), level(wide, 218))
        + path(light.on("#5c6269"), f"M0 236h{wide:g}v44h-{wide:g}z")
        + stroke("#f4f4f0", 3, f"M0 258h{wide:g}", 'stroke-dasharray="26 20"')
        + group(
            plane, f"translate({wide * (0.3 + 0.2 * rng.unit()):.0f} {rng.between(84, 118)}) rotate(-12) scale(.95)"
        )
        + group(plane, f"translate({wide * 0.12:.0f} 246) scale(.62)")
    )


def temple(wide: float, light: Light, rng: Rng) -> str:
    left = wide / 2 - 110
    stone = light.on("#e6d6b8")
    columns = "".join(
        box("pillar", left + 18 + 29 * n, 138, (15, 76)) + box(stone, left + 15 + 29 * n, 132, (21, 7))
        for n in range(7)
    )
    return (
        sky(wide, light, rng, 170)
        + path(light.on("#7f9ab0", 0.5), hills(wide, rng, 176, 20))
        + path(light.on("#a9a870", 0.25), hills(wide, rng, 206, 12))
        + box(light.on("#6b5b4a", 0.1), left + 22, 136, (184, 78))
        + columns
        + path(
            stone,
            f"M{left:.0f} 132v-16h226v16zM{left - 4:.0f} 114l117-46 117 46zM{left - 8:.0f} 222v-9h242v9z"
            f"M{left - 18:.0f} 232v-10h262v10z",
        )
        + path(light.on("#c9b48d"), f"M{left + 22:.0f} 110l91-34 91 34z")
        + path(light.on("#b8a565"), hills(wide, rng, 244, 7, 1))
        + path(light.on("#4f7448"), trees(rng, 0, wide * 0.2, 262, 18, 38) + trees(rng, wide * 0.84, wide, 264, 18, 38))
        + path(
            light.on("#d6c294"), f"M{wide * 0.4:.0f} 300l{wide * 0.07:.0f}-66h{wide * 0.06:.0f}l{wide * 0.09:.0f} 66z"
        )
    )
