"""Landscape scenes."""

from __future__ import annotations

from webgym.rng import Rng
from webgym_hermetic.kit.pictures.pen import box, group, oval, path, stroke
from webgym_hermetic.kit.pictures.scenery import (
    HIGH,
    Light,
    hills,
    house,
    level,
    palm,
    peaks,
    pines,
    sea,
    sky,
    trees,
)


def mountains(wide: float, light: Light, rng: Rng) -> str:
    far, far_shade, far_snow = peaks(wide, rng, 200, 110, 70)
    near, near_shade, near_snow = peaks(wide, rng, 226, 130, 100)
    return (
        sky(wide, light, rng, 170)
        + path(light.on("#6f87a3", 0.5), far)
        + path(light.on("#4f6685", 0.45), far_shade)
        + path(light.on("#ffffff", 0.25), far_snow)
        + path(light.on("#59708a", 0.18), near)
        + path(light.on("#3e536c", 0.15), near_shade)
        + path(light.on("#ffffff", 0.06), near_snow)
        + path(light.on("#4d7a57", 0.12), hills(wide, rng, 240, 14))
        + path(light.on("#2c5740", 0.05), pines(rng, -10, wide + 10, 262, 40, 15))
        + path(light.on("#3c6b45"), hills(wide, rng, 266, 8, 1))
        + path(
            light.on("#1d4032"), pines(rng, -10, wide * 0.34, 310, 74, 26) + pines(rng, wide * 0.8, wide, 310, 60, 22)
        )
    )


def lake(wide: float, light: Light, rng: Rng) -> str:
    outline, shaded, snow = peaks(wide, rng, 170, 110, 80)
    range_ = (
        path(light.on("#5f7b96", 0.3), outline)
        + path(light.on("#42597a", 0.28), shaded)
        + path(light.on("#ffffff", 0.1), snow)
    )
    return (
        sky(wide, light, rng, 160)
        + range_
        + path(light.on("#2f5a45", 0.1), pines(rng, -5, wide, 178, 26, 9))
        + sea(wide, 176, light, rng)
        + group(range_, "matrix(1 0 0 -.5 0 262)", 'opacity=".22"')
        + path(light.on("#7a5b3f"), f"M{wide * 0.56:.0f} 300l{wide * 0.05:.0f}-70h16l{wide * 0.09:.0f} 70z")
        + stroke(
            light.on("#4e3825"),
            1.5,
            "".join(f"M{wide * 0.56 + 60:.0f} {y}h-50" for y in (238, 250, 264, 282)),
            'opacity=".6"',
        )
        + path(light.on("#1d4032"), pines(rng, -6, wide * 0.2, 306, 80, 24))
    )


def beach(wide: float, light: Light, rng: Rng) -> str:
    shades = ("#d9463e", "#f0b13c", "#2f87b5", "#f5f1e6")
    umbrellas = "".join(
        stroke("#ffffff", 2.5, f"M{x} 262l4-34")
        + path(light.on(rng.pick(shades)), f"M{x - 22} 234q24-34 50 0z")
        + path(light.on("#ffffff"), f"M{x - 5} 230q7-26 16 0z", 'opacity=".7"')
        for x in range(int(wide * 0.28), int(wide * 0.8), 84)
    )
    return (
        sky(wide, light, rng, 150)
        + path(light.on("#5c8a86", 0.45), f"M{wide * 0.55:.0f} 152q{wide * 0.16:.0f}-46 {wide * 0.45:.0f}-30v34z")
        + sea(wide, 150, light, rng, 250)
        + path(light.on("#f0dcb2"), f"M0 222q{wide * 0.3:.0f} 26 {wide * 0.6:.0f} 6t{wide * 0.4:.0f}-2v74h-{wide:g}z")
        + stroke("#ffffff", 4, f"M0 221q{wide * 0.3:.0f} 26 {wide * 0.6:.0f} 6t{wide * 0.4:.0f}-2", 'opacity=".75"')
        + path(light.on("#dcc08c"), f"M0 280q{wide * 0.5:.0f}-20 {wide:g} 4v16h-{wide:g}z", 'opacity=".6"')
        + umbrellas
        + palm(wide * 0.06, 300, 150, light, 26)
        + palm(wide * 0.95, 300, 120, light, -22)
    )


def island(wide: float, light: Light, rng: Rng) -> str:
    middle = wide * (0.4 + 0.2 * rng.unit())
    return (
        sky(wide, light, rng, 165)
        + sea(wide, 165, light, rng)
        + path(light.on("#4b8763", 0.3), f"M{middle - 110:.0f} 186q40-74 96-58 50-40 96 56z")
        + path(light.on("#2f6d4a", 0.12), f"M{middle - 120:.0f} 190q60-40 130-26 60-14 116 26z")
        + oval(light.on("#f2e0b6"), middle, 194, 138, 11)
        + palm(middle - 70, 192, 74, light, -12)
        + palm(middle - 46, 194, 92, light, 16)
        + palm(middle + 66, 193, 66, light, 12)
        + path(light.on("#f8f4ea"), f"M{wide * 0.8:.0f} 222v-44q26 22 28 44z")
        + path(light.on("#9c4a34"), f"M{wide * 0.8 - 16:.0f} 226h56q-6 14-18 14h-24q-12 0-14-14z")
        + stroke("#ffffff", 2, f"M{wide * 0.8 - 24:.0f} 242h74", 'opacity=".6"')
    )


def forest(wide: float, light: Light, rng: Rng) -> str:
    trunks = ""
    for layer, (colour, gap, thick) in enumerate((("#5d7a66", 26, 7), ("#3f5d49", 46, 12), ("#2a3d30", 92, 20))):
        x = rng.between(-10, 20)
        shape = ""
        while x < wide + 20:
            w = thick * (0.7 + 0.6 * rng.unit())
            shape += f"M{x:.0f} 0h{w:.0f}l{w * 0.3:.0f} {236 + 24 * layer}h-{w * 1.6:.0f}z"
            x += int(gap * (0.6 + 0.8 * rng.unit()))
        trunks += path(light.on(colour, (0.6, 0.3, 0.0)[layer]), shape)
        trunks += path(
            light.on(("#7fa878", "#558a58", "#2f5f3b")[layer], (0.5, 0.25, 0.0)[layer]),
            hills(wide, rng, (226, 248, 278)[layer], 8, 3),
        )
    crown = "".join(
        oval(
            light.on(rng.pick(("#6fa05c", "#4f8a50", "#86b264")), 0.15),
            rng.between(0, int(wide)),
            rng.between(-8, 30),
            rng.between(34, 60),
            rng.between(22, 34),
            'opacity=".8"',
        )
        for _ in range(int(wide / 34))
    )
    beams = path(
        light.sun, f"M{wide * 0.6:.0f} 0l-90 300h-50l110-300zM{wide * 0.74:.0f} 0l-60 300h-70l100-300z", 'opacity=".2"'
    )
    return box("sky", 0, 0, (wide, HIGH)) + path(light.on("#8fb08a", 0.6), level(wide, 120)) + trunks + crown + beams


def desert(wide: float, light: Light, rng: Rng) -> str:
    def cactus(x: float, y: float, s: float) -> str:
        return stroke(
            light.on("#4c7a4a"),
            9 * s,
            f"M{x:g} {y:g}v-{52 * s:.0f}M{x:g} {y - 20 * s:.0f}h{14 * s:.0f}v-{16 * s:.0f}"
            f"M{x:g} {y - 12 * s:.0f}h-{13 * s:.0f}v-{20 * s:.0f}",
        )

    return (
        sky(wide, light, rng, 180)
        + path(
            light.on("#b5705a", 0.45),
            f"M{wide * 0.1:.0f} 200v-44h{wide * 0.12:.0f}l10 44zM{wide * 0.3:.0f} 200l14-60h{wide * 0.16:.0f}l18 60z",
        )
        + path(light.on("#e3a765", 0.25), hills(wide, rng, 196, 12, 1.5))
        + path(light.on("#d8924c", 0.1), hills(wide, rng, 222, 20, 1))
        + path(
            light.on("#c67c3c"),
            f"M0 300v-30q{wide * 0.3:.0f}-60 {wide * 0.55:.0f}-22-{wide * 0.1:.0f} 24-{wide * 0.06:.0f} 52z",
        )
        + path(
            light.on("#e8b06a"),
            f"M{wide * 0.3:.0f} 300q{wide * 0.06:.0f}-50 {wide * 0.25:.0f}-52 {wide * 0.3:.0f} "
            f"4 {wide * 0.5:.0f} 40v12z",
        )
        + cactus(wide * (0.66 + 0.2 * rng.unit()), 262, 1)
        + cactus(wide * (0.1 + 0.12 * rng.unit()), 280, 1.3)
        + cactus(wide * 0.52, 232, 0.5)
    )


def snow(wide: float, light: Light, rng: Rng) -> str:
    outline, shaded, _ = peaks(wide, rng, 190, 110, 80)
    cabin = wide * (0.5 + 0.2 * rng.unit())
    firs = pines(rng, -6, wide * 0.36, 296, 90, 30) + pines(rng, wide * 0.84, wide, 300, 80, 26)
    flakes = "".join(f"M{rng.between(0, int(wide))} {rng.between(0, 300)}h.1" for _ in range(36))
    return (
        sky(wide, light, rng, 160)
        + path(light.on("#e8eef5", 0.3), outline)
        + path(light.on("#a9bdd4", 0.3), shaded)
        + path(light.on("#5a7d78", 0.3), pines(rng, -5, wide, 210, 30, 13))
        + path(light.on("#eef3f8", 0.05), hills(wide, rng, 214, 10))
        + box(light.on("#6d4a33"), cabin, 212, (76, 36))
        + path(light.on("#fbfdff"), f"M{cabin - 12:.0f} 214l50-38 50 38z")
        + path("#ffd676", f"M{cabin + 12:.0f} 222h14v14h-14zM{cabin + 48:.0f} 222h14v14h-14z")
        + path(light.on("#f8fbfe"), hills(wide, rng, 252, 9, 1))
        + path(light.on("#2f5a50"), firs)
        + group(path("#ffffff", firs), "translate(0 -5)", 'opacity=".35"')
        + stroke("#ffffff", 2.6, flakes, 'opacity=".8"')
    )


def vineyard(wide: float, light: Light, rng: Rng) -> str:
    vanish = wide * (0.4 + 0.2 * rng.unit())
    rows = "".join(
        path(
            light.on(("#5d8f3c", "#477a34")[n % 2], 0.04),
            f"M{vanish + n * 5 - 1:.0f} 206L{vanish + n * 66 - 20:.0f} 304h24L{vanish + n * 5 + 2:.0f} 206z",
        )
        for n in range(-int(wide / 44), int(wide / 44))
    )
    farm = wide * (0.64 + 0.14 * rng.unit())
    cypress = "".join(oval(light.on("#2c5a3a", 0.1), farm + dx, 172, 5, 24) for dx in (-44, -30, 86, 100))
    return (
        sky(wide, light, rng, 150)
        + path(light.on("#7f9fb8", 0.5), hills(wide, rng, 156, 16))
        + path(light.on("#8fae62", 0.3), hills(wide, rng, 180, 14))
        + path(light.on("#a3b765", 0.12), hills(wide, rng, 198, 5, 1))
        + cypress
        + house(farm, 200, (52, 30), light, rng)
        + path(light.on("#b79a6a"), level(wide, 206))
        + rows
    )


def countryside(wide: float, light: Light, rng: Rng) -> str:
    barn = wide * (0.55 + 0.25 * rng.unit())
    return (
        sky(wide, light, rng, 150)
        + path(light.on("#8fb0a0", 0.45), hills(wide, rng, 160, 14))
        + path(light.on("#a9c26a", 0.22), hills(wide, rng, 182, 14))
        + path(light.on("#4c7d4a", 0.15), trees(rng, 0, wide, 190, 10, 16))
        + path(light.on("#d9c565", 0.1), hills(wide, rng, 206, 10, 1))
        + box(light.on("#b0453a"), barn, 186, (58, 34))
        + path(light.on("#7d3229"), f"M{barn - 5:.0f} 188l14-20h40l14 20z")
        + path(light.on("#f5efe2"), f"M{barn + 20:.0f} 220v-22h18v22z")
        + path(light.on("#7fb04f"), hills(wide, rng, 234, 10, 1.5))
        + path(
            light.on("#e3d3ab"),
            f"M{wide * 0.36:.0f} 300q{wide * 0.1:.0f}-40 {wide * 0.02:.0f}-66 6-8 14 "
            f"0 {wide * 0.14:.0f} 30 {wide * 0.06:.0f} 66z",
        )
        + path(light.on("#3c6b3f"), trees(rng, 0, wide * 0.3, 280, 26, 70) + trees(rng, wide * 0.8, wide, 276, 22, 60))
        + stroke(
            light.on("#f4eddc"),
            2.5,
            f"M0 288h{wide * 0.34:.0f}M0 278h{wide * 0.34:.0f}"
            + "".join(f"M{x} 270v26" for x in range(8, int(wide * 0.34), 26)),
        )
    )


def river(wide: float, light: Light, rng: Rng) -> str:
    middle = wide * (0.42 + 0.16 * rng.unit())
    bridge = "".join(f"M{middle - 96 + 48 * n:.0f} 226v-10q24-30 48 0v10h-8v-6q-16-20-32 0v6z" for n in range(4))
    return (
        sky(wide, light, rng, 150)
        + path(light.on("#6f8fae", 0.5), peaks(wide, rng, 170, 70, 80)[0])
        + path(light.on("#5f8f5c", 0.28), hills(wide, rng, 182, 16))
        + path(light.on("#79a85a", 0.08), level(wide, 200))
        + path(
            "water",
            f"M{middle - 20:.0f} 200q30 16-10 34t-{wide * 0.2:.0f} "
            f"66h{wide * 0.55:.0f}q0-44-{wide * 0.12:.0f}-64t-40-36z",
        )
        + path(light.on("#b8a58c"), bridge + f"M{middle - 110:.0f} 204h224v7h-224z")
        + path(
            light.on("#3f7045"), trees(rng, 0, wide * 0.28, 262, 17, 34) + trees(rng, wide * 0.82, wide, 262, 17, 30)
        )
        + path(
            light.on("#4f8548"),
            f"M0 300v-26q{wide * 0.12:.0f}-8 {wide * 0.2:.0f} 26zM{wide:g} "
            f"300v-26q-{wide * 0.1:.0f}-4-{wide * 0.14:.0f} 26z",
        )
    )
