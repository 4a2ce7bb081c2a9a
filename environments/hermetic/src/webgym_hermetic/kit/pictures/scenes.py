"""Landscapes and townscapes, drawn 300 units high and as wide as the aspect ratio requires."""

from __future__ import annotations

from collections.abc import Callable

from webgym.rng import Rng
from webgym_hermetic.kit.pictures.canvas import filled, shade
from webgym_hermetic.kit.pictures.pen import group
from webgym_hermetic.kit.pictures.scenery import (
    CLOUDY,
    DAY,
    DUSK,
    GOLDEN,
    HIGH,
    MORNING,
    NIGHT,
    TIMES,
    Light,
    skies,
)
from webgym_hermetic.kit.pictures.scenes_nature import (
    beach,
    countryside,
    desert,
    forest,
    island,
    lake,
    mountains,
    river,
    snow,
    vineyard,
)
from webgym_hermetic.kit.pictures.scenes_town import airport, city, harbour, temple, village

Scene = Callable[[float, Light, Rng], str]


SCENES: dict[str, tuple[Scene, tuple[Light, ...]]] = {
    "mountains": (mountains, TIMES),
    "beach": (beach, (DAY, DAY, MORNING, GOLDEN, DUSK)),
    "city": (city, TIMES),
    "forest": (forest, (DAY, MORNING, GOLDEN, CLOUDY)),
    "desert": (desert, (DAY, MORNING, GOLDEN, DUSK)),
    "harbour": (harbour, TIMES),
    "village": (village, TIMES),
    "lake": (lake, TIMES),
    "night-city": (city, (NIGHT,)),
    "snow": (snow, (DAY, CLOUDY, DUSK, NIGHT)),
    "island": (island, (DAY, DAY, MORNING, GOLDEN, DUSK)),
    "vineyard": (vineyard, (DAY, MORNING, GOLDEN, DUSK)),
    "countryside": (countryside, (DAY, MORNING, GOLDEN, CLOUDY)),
    "airport": (airport, TIMES),
    "river": (river, (DAY, MORNING, GOLDEN, CLOUDY)),
    "temple": (temple, (DAY, MORNING, GOLDEN, DUSK)),
}


def scene(name: str, seed: str, width: int, height: int) -> str:
    """Draw a scene at a time of day picked by the seed."""
    draw, times = SCENES[name]
    rng = Rng("scene", name, seed)
    light = rng.pick(times)
    wide = min(580.0, max(220.0, HIGH * width / height))
    shown = min(HIGH, wide * height / width)
    pillar = shade("pillar", light.on("#f4e8cf"), light.on("#c3ae86"))
    drawing = draw(wide, light, rng)
    if rng.chance(0.5):
        drawing = group(drawing, f"translate({wide:g}) scale(-1 1)")
    return filled(skies(light) + pillar, drawing, width, height, f"0 {(HIGH - shown) * 0.8:.0f} {wide:g} {shown:.0f}")
