"""Elements of scenes: light, sky, hills, trees, houses, water."""

from __future__ import annotations

import math
from dataclasses import dataclass

from webgym.rng import Rng
from webgym_hermetic.kit.colour import mix
from webgym_hermetic.kit.pictures.canvas import glow, shade
from webgym_hermetic.kit.pictures.pen import box, oval, path, stroke

HIGH = 300


@dataclass(frozen=True, slots=True)
class Light:
    """The light and sky colours of a time of day."""

    name: str
    top: str
    bottom: str
    sun: str
    haze: str
    tint: str
    strength: float
    lamps: bool = False
    """Whether windows are lit."""

    def on(self, colour: str, distance: float = 0.0) -> str:
        """Return a colour as it appears in this light, at a distance from 0 (near) to 1 (far, hidden by haze)."""
        return mix(mix(colour, self.tint, self.strength), self.haze, distance)


DAY = Light("day", "#3f8fd6", "#cfe7f5", "#fffbe8", "#cfe2ee", "#ffffff", 0.0)
MORNING = Light("morning", "#7db9e3", "#fdebd2", "#fff6d6", "#ecdfd0", "#ffe0b4", 0.12)
GOLDEN = Light("golden", "#5b8fc4", "#fddca6", "#fff3c9", "#efd0a8", "#ffb45e", 0.2)
DUSK = Light("dusk", "#3d4384", "#fb9f78", "#ffdda6", "#d08e92", "#5f4684", 0.34, lamps=True)
CLOUDY = Light("cloudy", "#93aabd", "#e4eaed", "#f4f4ee", "#d3dce1", "#8698a8", 0.14)
NIGHT = Light("night", "#0b1430", "#34477a", "#f3f1dd", "#2b3b66", "#131f45", 0.62, lamps=True)
TIMES = (DAY, DAY, MORNING, GOLDEN, DUSK, CLOUDY)


def skies(light: Light) -> str:
    """Return the gradients `sky`, `water` and `halo`."""
    return (
        shade("sky", light.top, f"{mix(light.top, light.bottom, 0.55)} 45", light.bottom, angle="y")
        + shade("water", mix(light.bottom, "#2f7fa6", 0.45), mix(light.top, "#14506e", 0.55), angle="y")
        + glow("halo", light.sun, light.sun, opacity=(0.75, 0))
    )


def sky(wide: float, light: Light, rng: Rng, horizon: float = 190) -> str:
    x, y = wide * (0.15 + 0.7 * rng.unit()), horizon * (0.25 + 0.35 * rng.unit())
    if light in (DUSK, GOLDEN):
        y = horizon * (0.62 + 0.25 * rng.unit())
    drawn = box("sky", 0, 0, (wide, HIGH))
    if light is NIGHT:
        stars = "".join(f"M{rng.between(0, int(wide))} {rng.between(0, int(horizon * 0.8))}h.1" for _ in range(28))
        drawn += stroke("#ffffff", 1.4, stars, 'opacity=".75"')
    if light is not CLOUDY:
        size = 15 if light is NIGHT else 19
        drawn += oval("halo", x, y, size * 4.5) + oval(light.sun, x, y, size)
    for _ in range(rng.between(2, 4) + (3 if light is CLOUDY else 0)):
        drawn += cloud(rng.between(0, int(wide)), rng.between(20, int(horizon * 0.62)), 0.6 + 0.9 * rng.unit(), light)
    return drawn


def cloud(x: float, y: float, size: float, light: Light) -> str:
    s = size
    shape = (
        f"M{x:g} {y:g}h{-62 * s:.0f}a{10 * s:.0f} {10 * s:.0f} 0 0 1 {4 * s:.0f}-{19 * s:.0f}"
        f"a{19 * s:.0f} {19 * s:.0f} 0 0 1 {35 * s:.0f}-{5 * s:.0f}a{13 * s:.0f} {13 * s:.0f} 0 0 "
        f"1 {21 * s:.0f} {9 * s:.0f}"
        f"a{8 * s:.0f} {8 * s:.0f} 0 0 1 {2 * s:.0f} {15 * s:.0f}z"
    )
    return path(
        mix("#ffffff", light.bottom if light is not NIGHT else light.haze, 0.35 if light is not NIGHT else 0.9),
        shape,
        'opacity=".8"',
    )


def hills(wide: float, rng: Rng, y: float, swell: float, waves: float = 2.0) -> str:
    """Return the outline of rolling hills, closed at the lower edge."""
    phases = [rng.unit() * math.tau for _ in range(3)]
    points = [f"M-5 {HIGH + 5}"]
    count = 26
    for n in range(count + 1):
        at = n / count
        height = sum(math.sin(at * math.tau * waves * k / 2 + phases[k - 1]) / k for k in (1, 2, 3))
        points.append(f"L{(wide + 10) * at - 5:.0f} {y - swell * height / 1.5:.0f}")
    return "".join(points) + f"V{HIGH + 5}z"


def level(wide: float, y: float) -> str:
    return f"M0 {y:g}H{wide:g}V{HIGH}H0z"


def peaks(wide: float, rng: Rng, y: float, rise: float, step: int = 60) -> tuple[str, str, str]:
    """Return the outline, the shaded sides and the snow caps of a mountain range."""
    outline, shaded, snow = f"M-20 {HIGH}L-20 {y:g}", "", ""
    x = -20.0
    while x < wide + 20:
        half, up = step * (0.7 + 0.6 * rng.unit()), rise * (0.45 + 0.55 * rng.unit())
        top_x, top_y, foot = x + half, y - up, y - rise * 0.18 * rng.unit()
        kink = (x + half * 0.55, y - up * (0.42 + 0.1 * rng.unit()))
        outline += (
            f"L{kink[0]:.0f} {kink[1]:.0f}L{top_x:.0f} {top_y:.0f}"
            f"L{top_x + half * 0.5:.0f} {y - up * 0.45:.0f}L{top_x + half:.0f} {foot:.0f}"
        )
        shaded += (
            f"M{top_x:.0f} {top_y:.0f}L{top_x + half * 0.5:.0f} {y - up * 0.45:.0f}"
            f"L{top_x + half:.0f} {foot:.0f}V{y + 60:.0f}H{top_x - 4:.0f}"
            f"L{top_x + 8:.0f} {y - up * 0.4:.0f}L{top_x - 6:.0f} {y - up * 0.62:.0f}z"
        )
        if up > rise * 0.62:
            d = up * 0.3
            snow += (
                f"M{top_x:.0f} {top_y:.0f}l{half * 0.27:.0f} {d:.0f}-{half * 0.1:.0f}-{d * 0.25:.0f}"
                f"-{half * 0.1:.0f} {d * 0.35:.0f}-{half * 0.12:.0f}-{d * 0.3:.0f}-{half * 0.13:.0f} {d * 0.25:.0f}z"
            )
        x = top_x + half
    return outline + f"L{wide + 20:g} {HIGH}z", shaded, snow


def pines(rng: Rng, left: float, right: float, y: float, height: float, gap: float = 14) -> str:
    """Return a row of conifers as one path."""
    shape = ""
    x = left
    while x < right:
        h = height * (0.6 + 0.5 * rng.unit())
        w = h * 0.24
        shape += (
            f"M{x:.0f} {y - h:.0f}l{w:.0f} {h * 0.55:.0f}h-{w * 0.45:.0f}l{w * 0.75:.0f} {h * 0.55:.0f}h"
            f"-{2 * w * 1.3:.0f}l{w * 0.75:.0f}-{h * 0.55:.0f}h-{w * 0.45:.0f}z"
        )
        x += gap * (0.6 + 0.9 * rng.unit())
    return shape


def trees(rng: Rng, left: float, right: float, y: float, size: float, gap: float) -> str:
    """Return a row of round trees as one path."""
    shape = ""
    x = left
    while x < right:
        r = size * (0.6 + 0.6 * rng.unit())
        shape += (
            f"M{x - r:.0f} {y - r * 0.7:.0f}a{r:.0f} {r:.0f} 0 1 1 {2 * r:.0f} "
            f"0l-{r * 0.8:.0f} {r * 0.5:.0f}v{r * 0.5:.0f}h-{r * 0.4:.0f}v-{r * 0.5:.0f}z"
        )
        x += gap * (0.5 + rng.unit())
    return shape


def palm(x: float, y: float, height: float, light: Light, lean: float = 14) -> str:
    tx, ty = x + lean, y - height
    r = height * 0.42
    leaf = "".join(
        f"M{tx:.0f} {ty:.0f}"
        f"q{dx * r * 0.5:.0f} {dy * r - r * 0.35:.0f} {dx * r:.0f} {dy * r + r * 0.2:.0f}q"
        f"-{0 if dx < 0 else dx * r * 0.45:.0f}-{r * 0.28:.0f} {-dx * r:.0f} {-dy * r - r * 0.2:.0f}z"
        for dx, dy in ((-1, 0.15), (1, 0.15), (-0.85, -0.35), (0.85, -0.35), (-0.55, 0.5), (0.6, 0.5), (0.1, -0.5))
    )
    return stroke(
        light.on("#7b5a3a"),
        height * 0.06,
        f"M{x:g} {y:g}Q{x - lean * 0.3:.0f} {y - height * 0.5:.0f} {tx:.0f} {ty:.0f}",
    ) + path(light.on("#2f7d46"), leaf)


def sea(wide: float, y: float, light: Light, rng: Rng, bottom: float = HIGH) -> str:
    gleams = "".join(
        f"M{rng.between(0, int(wide))} {y + 3 + (bottom - y) * rng.unit():.0f}h{rng.between(12, 44)}" for _ in range(22)
    )
    return box("water", 0, y, (wide, bottom - y)) + stroke(
        mix(light.bottom, "#ffffff", 0.4), 1.3, gleams, 'opacity=".5"'
    )


def house(x: float, y: float, size: tuple[float, float], light: Light, rng: Rng) -> str:
    """Draw a house; `x` and `y` are its left edge and its foot."""
    return houses([(x, y, *size)], light, rng)


def houses(places: list[tuple[float, float, float, float]], light: Light, rng: Rng) -> str:
    """Draw houses that do not overlap, given the left edge, foot, width and height of each."""
    walls: dict[str, str] = {}
    roofs: dict[str, str] = {}
    panes = ""
    for x, y, wide, high in places:
        wall = light.on(rng.pick(("#f3e4cc", "#e9c9a0", "#dfe5e3", "#efd9c4", "#d9a98c", "#f5f0e6")))
        roof = light.on(rng.pick(("#b0523a", "#8e4436", "#6d5a54", "#a8643f")))
        walls[wall] = walls.get(wall, "") + f"M{x:.0f} {y:.0f}v-{high:.0f}h{wide:.0f}v{high:.0f}z"
        ridge = (
            f"M{x - wide * 0.1:.0f} {y - high:.0f}l{wide * 0.6:.0f}"
            f"-{high * 0.45:.0f} {wide * 0.6:.0f} {high * 0.45:.0f}z"
        )
        roofs[roof] = roofs.get(roof, "") + ridge
        panes += "".join(
            f"M{x + wide * a:.0f} {y - high * b:.0f}h{wide * 0.16:.0f}v{high * 0.2:.0f}h-{wide * 0.16:.0f}z"
            for a in (0.18, 0.62)
            for b in (0.78, 0.4)
        )
    glass = "#ffdf8f" if light.lamps else light.on("#5a7286")
    return "".join(path(*pair) for pair in (*walls.items(), *roofs.items(), (glass, panes)))
