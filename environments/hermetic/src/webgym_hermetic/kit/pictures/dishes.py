"""Dishes on a table, seen from above."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial

from webgym.rng import Rng
from webgym_hermetic.kit.colour import lighter
from webgym_hermetic.kit.pictures.canvas import filled, glow, shade
from webgym_hermetic.kit.pictures.drawing import drawing
from webgym_hermetic.kit.pictures.pen import box, group, oval, path, stroke


def _around(rng: Rng, count: int, radius: float) -> list[tuple[float, float]]:
    """Return points spread evenly over a disc in the middle."""
    turn = rng.unit() * math.tau
    places: list[tuple[float, float]] = []
    for n in range(count):
        r = radius * math.sqrt((n + 0.5) / count)
        places.append((200 + r * math.cos(turn + 2.39996 * n), 150 + r * math.sin(turn + 2.39996 * n)))
    return places


def _leaf(x: float, y: float, angle: float, colour: str, size: float = 1) -> str:
    return group(
        path(colour, "M0 0q12-14 30-6 4 14-12 16-12 2-18-10z"),
        f"translate({x:.0f} {y:.0f}) rotate({angle:.0f}) scale({size:g})",
    )


def pizza(rng: Rng) -> str:
    tops = "".join(oval("#b3261e", x, y, 14) + oval("#cf4a37", x - 2, y - 2, 10) for x, y in _around(rng, 10, 82))
    olives = "".join(
        f'<circle cx="{x:.0f}" cy="{y:.0f}" r="5" fill="none" stroke="#33332b" stroke-width="4"/>'
        for x, y in _around(rng, 7, 70)
    )
    basil = "".join(_leaf(x, y, rng.between(0, 359), "#3f8a3a", 0.8) for x, y in _around(rng, 6, 66))
    return (
        oval("#c98a45", 200, 150, 122)
        + oval("#e0aa5e", 200, 150, 116)
        + oval("#c8402c", 200, 150, 102)
        + oval("#f2cf72", 200, 150, 97)
        + tops
        + olives
        + basil
        + stroke("#b98240", 2.5, "M84 150h232M142 50l116 200M258 50l-116 200", 'opacity=".5"')
    )


def salad(rng: Rng) -> str:
    leaves = "".join(
        _leaf(x - 12, y, rng.between(0, 359), rng.pick(("#5aa845", "#7cc25a", "#3f8a3f", "#a4d16f")), 1.9)
        for x, y in _around(rng, 26, 78)
    )
    tomatoes = "".join(oval("#d8392c", x, y, 13) + oval("#f07a62", x - 3, y - 3, 5) for x, y in _around(rng, 7, 72))
    cucumber = "".join(oval("#5d9a48", x, y, 13) + oval("#d5ecb5", x, y, 10) for x, y in _around(rng, 6, 66))
    return (
        oval("#8a5d3c", 200, 150, 120)
        + oval("#a8744b", 200, 150, 112)
        + oval("#2f6d34", 200, 150, 100)
        + leaves
        + tomatoes
        + cucumber
        + stroke("#f4eccd", 4, "".join(f"M{x:.0f} {y:.0f}l8 3" for x, y in _around(rng, 10, 76)))
    )


def burger(rng: Rng) -> str:
    seeds = "".join(
        oval("#fbeecb", x, y, 4, 2.6)
        for x, y in ((150, 96), (176, 82), (204, 76), (230, 84), (254, 98), (186, 102), (220, 104))
    )
    fries = "".join(
        group(
            box("#f0c14b", 0, 0, (9, 74), 2),
            f"translate({300 + 8 * n} {150 + rng.between(-14, 14)}) rotate({rng.between(-20, 24)})",
        )
        for n in range(8)
    )
    return (
        oval("shadow", 206, 234, 150, 22)
        + fries
        + path("#c83a2f", "M296 190h76l-10 54h-56z")
        + path("#c98a4a", "M98 208h196v16q0 20-24 20h-148q-24 0-24-20z")
        + path("#5a3420", "M92 182h208q8 26-10 28h-188q-18-2-10-28z")
        + path("#f3b932", "M96 176h200l-30 24-24-14-30 20-30-18-40 10z")
        + path("#d8402f", "M100 162h192v12q-96 12-192 0z")
        + path("#6db04a", "M88 156q18 20 36 2 18 18 38 2 18 18 38 0 20 18 38 0 20 16 38-2 14 14 28-4v-8h-216z")
        + path("bun", "M96 150q0-88 100-88t100 88q-100 12-200 0z")
        + seeds
    )


def pasta(rng: Rng) -> str:
    strands = "".join(
        f"M{x:.0f} {y:.0f}q{rng.between(-40, 40)} {rng.between(-30, 30)} {rng.between(-50, 50)} {rng.between(-30, 30)}"
        for x, y in _around(rng, 34, 70)
    )
    basil = "".join(_leaf(x, y, rng.between(0, 359), "#3f8a3a") for x, y in _around(rng, 4, 30))
    meat = "".join(oval(rng.pick(("#8a3a22", "#a84a2a")), x, y, rng.between(7, 13)) for x, y in _around(rng, 13, 44))
    return (
        _plate()
        + oval("#e9bf5f", 200, 150, 84)
        + stroke("#f5d67f", 5, strands)
        + stroke("#d9a845", 1.2, strands)
        + oval("#b8402a", 200, 148, 50, 0, 'opacity=".85"')
        + meat
        + basil
    )


def soup(rng: Rng) -> str:
    colour = rng.pick(("#e08a2e", "#c8442f", "#d9b54a", "#7fa34a"))
    herbs = "".join(_leaf(x, y, rng.between(0, 359), "#4f9a45", 0.6) for x, y in _around(rng, 8, 52))
    return (
        _plate()
        + oval("#f9f6ef", 200, 150, 98)
        + oval("#d9d3c6", 200, 152, 90)
        + oval(colour, 200, 154, 86)
        + oval(lighter(colour, 0.07), 192, 146, 66)
        + stroke("#fff4e0", 8, "M150 150q20-36 56-24t44 30-46 34-50-22 30-24", 'opacity=".85"')
        + herbs
    )


def sushi(rng: Rng) -> str:
    rolls = "".join(
        oval("#1f2a24", x, y, 30)
        + oval("#fbfaf4", x, y, 25)
        + oval(rng.pick(("#f28a5f", "#e2574a", "#8fbf5a")), x, y, 11)
        for x, y in ((110, 104), (178, 104), (246, 104))
    )
    nigiri = "".join(
        box("#fbfaf4", x, 176, (74, 40), 18)
        + path(rng.pick(("#f4845a", "#e4605a", "#f2b29a")), f"M{x - 4} 182q40-22 82 0l-4 20q-36-14-74 0z")
        + stroke("#fde0d0", 3, f"M{x + 12} 176l10 18M{x + 32} 172l8 20M{x + 52} 174l6 20")
        for x in (88, 178)
    )
    return (
        box("#2b2f33", 60, 58, (280, 184), 10)
        + box("#3a3f45", 66, 64, (268, 172), 8)
        + rolls
        + nigiri
        + oval("#9ccc65", 300, 110, 15, 12)
        + path("#f6b8a8", "M278 178q20-16 40 0 8 20-14 26-24 0-26-26z")
        + stroke("#8a5d3c", 6, "M40 270l320-16M40 282l320-20")
    )


def cake(rng: Rng) -> str:
    cream, sponge = rng.pick((("#fbe9ee", "#e9b07a"), ("#f8f1e2", "#7a4a2e"), ("#f5e6f7", "#e6c48a")))
    return (
        oval("shadow", 200, 246, 150, 20)
        + oval("#ffffff", 200, 238, 140, 22)
        + path(sponge, "M96 130l186-34 34 40v84l-220 14z")
        + path(lighter(sponge, -0.08), "M282 96l34 40v84l-34-24z", 'opacity=".6"')
        + path(cream, "M96 160l220-14v14l-220 16zM96 196l220-12v14l-220 14z")
        + path(
            cream,
            "M92 130q4-14 20-16l166-32q12 0 18 8l26 36q4 14-10 12l-20 4q-4 26-14 2l-30 2q-6 40-16 "
            "2l-30 2q-6 26-14 2l-28 2q-6 36-16 2z",
        )
        + "".join(
            oval("#d7263d", x, y, 12)
            + path("#3f8a3a", f"M{x - 6} {y - 10}l6 4 6-6 2 6z")
            + oval("#ffffff", x - 4, y - 4, 3, 0, 'opacity=".7"')
            for x, y in ((150, 104), (206, 92), (262, 84))
        )
    )


def tacos(rng: Rng) -> str:
    def taco(x: float, y: float, a: float) -> str:
        fill = "".join(
            oval(
                rng.pick(("#7fbf55", "#d8402f", "#f3d05a", "#8a4a2a", "#f6f0e0")),
                -56 + 9 * n,
                -18 - 26 * math.sin(math.pi * n / 12) + rng.between(-5, 5),
                9,
            )
            for n in range(13)
        )
        return group(
            fill
            + path("#e6b04f", "M-72 24q0-62 72-62t72 62q-72 14-144 0z")
            + path("#f2c873", "M-66 22q2-52 66-52t66 52q-66 10-132 0z")
            + "".join(oval("#c98f3a", dx, dy, 3) for dx, dy in ((-30, 4), (-6, -12), (24, 0), (40, 12), (0, 10))),
            f"translate({x:g} {y:g}) rotate({a:g})",
        )

    return (
        box("#6d4a33", 50, 66, (300, 190), 16)
        + box("#85603f", 56, 72, (288, 178), 12)
        + taco(140, 140, -12)
        + taco(262, 132, 10)
        + taco(200, 206, 0)
        + path("#8cc152", "M320 214a20 20 0 0 1 0 36z")
        + oval("#c8402c", 84, 218, 22)
        + oval("#e0614a", 84, 216, 17)
    )


def curry(rng: Rng) -> str:
    chunks = "".join(
        oval(rng.pick(("#e3b35c", "#f1cf8a", "#c8642f", "#8fae4a")), x, y, rng.between(8, 15), rng.between(7, 12))
        for x, y in _around(rng, 12, 54)
    )
    grains = "".join(f"M{x:.0f} {y:.0f}l5 {rng.between(-3, 3)}" for x, y in _around(rng, 40, 40))
    return (
        _plate()
        + oval("#2f3238", 200, 150, 100)
        + oval("#c8762a", 200, 152, 90)
        + oval("#d98a35", 196, 148, 80)
        + group(chunks, "translate(22 0)")
        + path("#fbf8ef", "M118 190q-20-70 44-106 34 30 22 76-20 34-66 30z")
        + group(stroke("#e2dccb", 3, grains), "translate(-46 -14) scale(.98)")
        + "".join(_leaf(x, y, rng.between(0, 359), "#4f9a45", 0.8) for x, y in _around(rng, 6, 60))
    )


def fruit(rng: Rng) -> str:
    apples = "".join(
        oval(c, x, y, 36)
        + oval("#ffffff", x - 12, y - 14, 7, 10, 'opacity=".5"')
        + stroke("#5a3d25", 4, f"M{x} {y - 32}q2-12 8-14")
        for x, y, c in ((150, 120, "#c9302c"), (236, 112, "#7fb23f"), (194, 96, "#d94a35"))
    )
    oranges = "".join(
        oval("#f0932b", x, y, 32) + oval("#fbc27a", x - 10, y - 10, 9) for x, y in ((114, 142), (276, 142))
    )
    grapes = "".join(
        oval(rng.pick(("#6b3f8a", "#7d4f9e")), 196 + 13 * dx, 140 + 11 * dy, 10)
        for dy in range(4)
        for dx in range(-2 + dy // 2, 3 - dy // 2)
    )
    return (
        oval("shadow", 200, 250, 120, 16)
        + apples
        + oranges
        + path("#f5d04a", "M232 150q60 10 92-52 10 6 6 18-24 72-98 62z")
        + grapes
        + path("bowl", "M66 152q134 30 268 0-8 92-96 94h-76q-88-2-96-94z")
        + path("#ffffff", "M88 172q10 44 50 62-30-28-34-58z", 'opacity=".35"')
    )


def _plate() -> str:
    return (
        oval("shadow", 206, 164, 140, 130)
        + oval("#fdfcf9", 200, 150, 126)
        + oval("#e9e5dc", 200, 150, 100)
        + oval("#faf8f3", 200, 150, 97)
    )


DISHES: dict[str, Callable[[Rng], str]] = {
    "pizza": pizza,
    "salad": salad,
    "burger": burger,
    "pasta": pasta,
    "soup": soup,
    "sushi": sushi,
    "cake": cake,
    "pancakes": partial(drawing, "dishes/pancakes", {}),
    "tacos": tacos,
    "curry": curry,
    "bread": partial(drawing, "dishes/bread", {}),
    "fruit": fruit,
}


def dish(name: str, seed: str, width: int, height: int) -> str:
    rng = Rng("food", name, seed)
    top, low = rng.pick(
        (
            ("#d9c2a2", "#bfa17a"),
            ("#5b5048", "#3d352f"),
            ("#e9edee", "#cdd5d8"),
            ("#7b8f8a", "#5d706c"),
            ("#c9a06e", "#a87c4b"),
        )
    )
    planks = stroke(low, 2, "M0 60h400M0 136h400M0 212h400M120 0v60M300 60v76M80 136v76M250 212v88", 'opacity=".5"')
    defs = (
        shade("table", top, low, angle="d")
        + shade("bun", "#e8b265", "#b9742f", angle="y")
        + shade("crust", "#d99a4a", "#8a4f1f", angle="y")
        + shade("wood", "#b98552", "#8a5d38", angle="y")
        + shade("bowl", "#f5f2ea", "#c3bcae", angle="y")
        + glow("shadow", "#1a1208", "#1a1208 60", "#1a1208", opacity=(0.4, 0.25, 0))
    )
    return filled(defs, box("table", 0, 0, (400, 300)) + planks + DISHES[name](rng), width, height)
