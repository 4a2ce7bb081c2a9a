"""Products, each on its own in front of a plain backdrop."""

from __future__ import annotations

from webgym.sites.kit.pictures.canvas import COLOURS, fitted, glow, pale, shade, tones
from webgym.sites.rng import Rng

PRODUCTS = tuple(
    "mug lamp chair armchair sofa table desk shelf bed dresser rug pillow blanket towel clock vase plant candle mirror basket"
    " pan pot kettle knife blender toaster coffee-maker plate bowl bottle cutting-board jar"
    " backpack bag suitcase shoe boot sandal jacket shirt hoodie dress trousers hat scarf gloves socks belt watch sunglasses umbrella wallet ring necklace"
    " headphones earbuds speaker laptop phone tablet keyboard mouse camera monitor tv router charger console printer drone microphone lens"
    " book notebook pen pencil-case scissors stapler"
    " bicycle helmet tent ball racket skateboard dumbbell yoga-mat kayak sleeping-bag skis"
    " guitar drum violin piano toy-car puzzle teddy blocks kite board-game"
    " drill hammer wrench toolbox ladder paint watering-can shovel"
    " soap lotion perfume toothbrush comb lipstick dog-bed leash tea coffee chocolate honey".split()
)


def product(name: str, colour: str, seed: str, width: int, height: int) -> str:
    rng = Rng("picture", name, seed)
    t = tones(COLOURS[colour] if colour else COLOURS[rng.pick(tuple(COLOURS))])
    defs = glow("bg", "#ffffff", pale(t.base)) + shade("g", t.light, t.dark)
    return fitted(
        defs,
        "url(#bg)",
        f'<rect x="100" y="100" width="200" height="200" rx="{rng.between(10, 90)}" fill="url(#g)"/>',
        width,
        height,
    )
