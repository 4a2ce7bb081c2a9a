"""Product shots on a plain backdrop."""

from __future__ import annotations

from dataclasses import asdict

from webgym.rng import Rng
from webgym_hermetic.kit.pictures.canvas import COLOURS, Tones, fitted, glow, pale, shade, tones
from webgym_hermetic.kit.pictures.drawing import drawing
from webgym_hermetic.kit.pictures.pen import Drawing, group
from webgym_hermetic.kit.pictures.products_home import HOME
from webgym_hermetic.kit.pictures.products_things import THINGS

PRODUCTS = tuple(
    """
    mug lamp chair armchair sofa table desk shelf bed dresser clock vase plant candle mirror basket
    rug pillow blanket towel
    pan pot kettle knife blender toaster coffee-maker plate bowl bottle cutting-board jar coffee tea chocolate honey
    soap lotion perfume toothbrush comb lipstick
    backpack bag suitcase shoe boot sandal jacket shirt hoodie dress trousers hat scarf gloves socks belt watch
    sunglasses umbrella wallet ring necklace
    headphones earbuds speaker laptop phone tablet keyboard mouse camera lens monitor tv router charger console printer
    drone microphone
    bicycle helmet tent ball racket skateboard dumbbell yoga-mat kayak sleeping-bag skis toy-car puzzle teddy blocks
    kite board-game
    guitar violin drum piano
    book notebook pen pencil-case scissors stapler drill hammer wrench toolbox ladder paint watering-can shovel dog-bed
    leash
    """.split()
)
_COMPUTED: dict[str, Drawing] = {**HOME, **THINGS}
"""Products that are not just a file in `drawings/products`."""
_WOOD = ("brown", "beige")
_NATURAL: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(("table", "desk", "shelf", "dresser", "cutting-board", "basket", "violin", "ladder"), _WOOD),
    **dict.fromkeys(("guitar", "belt", "wallet", "boot", "teddy"), ("brown", "beige", "black", "red")),
    **dict.fromkeys(
        ("monitor", "tv", "router", "printer", "keyboard", "laptop", "lens", "microphone"), ("black", "grey", "white")
    ),
    **dict.fromkeys(
        ("piano", "camera", "mouse", "drone", "speaker", "charger", "earbuds"), ("black", "white", "grey", "navy")
    ),
}
"""Default colours of products that look odd in others; any colour can still be requested."""


def product(name: str, colour: str, seed: str, width: int, height: int) -> str:
    """Draw a product in a colour of `COLOURS`, or in one picked by the seed if empty."""
    rng = Rng("product", name, seed)
    hue = COLOURS[colour or rng.pick(_NATURAL.get(name, tuple(COLOURS)))]
    tone = tones(hue)
    size = 0.99 + 0.09 * rng.unit()
    mirror = -1 if rng.chance(0.4) else 1
    drawn = group(
        _drawn(name, tone, rng), f"translate(200 205) scale({mirror * size:.2f} {size:.2f}) translate(-200 -205)"
    )
    return fitted(_paints(tone) + _backdrop(hue, rng), "url(#backdrop)", drawn, width, height)


def _drawn(name: str, tone: Tones, rng: Rng) -> str:
    if name in _COMPUTED:
        return _COMPUTED[name](tone, rng)
    return drawing(f"products/{name}", asdict(tone), rng)


def _backdrop(hue: str, rng: Rng) -> str:
    if hue == COLOURS["white"]:
        return glow("backdrop", "#dfe3e8", rng.pick(("#b4bcc6", "#bdb8b0", "#aebab4")), at='cx=".5" cy=".42" r=".8"')
    wall = rng.pick(("#e9ebee", "#ece8e2", "#e6e9e6", pale(hue), pale(hue, 0.91)))
    return glow("backdrop", "#ffffff", "#f8f8f8 45", wall, at='cx=".5" cy=".42" r=".75"')


def _paints(t: Tones) -> str:
    """Return the gradients that drawings refer to by name."""
    return "".join(
        (
            glow("shadow", "#101418", "#101418 55", "#101418", opacity=(0.34, 0.16, 0)),
            shade("round", t.dark, f"{t.light} 24", f"{t.base} 58", t.darkest),
            shade("down", t.light, f"{t.base} 45", t.dark, angle="y"),
            shade("lit", t.lightest, f"{t.base} 50", t.dark, angle="d"),
            shade("deep", t.dark, t.darkest, angle="y"),
            glow("ball", t.lightest, f"{t.base} 55", t.darkest, at='cx=".36" cy=".3" r=".75"'),
            shade("metal", "#8f969d", "#f4f6f7 28", "#c4cacf 60", "#7b828a"),
            shade("steel", "#eef1f3", "#b9c0c6 55", "#8b929a", angle="y"),
            shade("wood", "#d3a673", "#b98550", angle="y"),
            shade("walnut", "#8a5d3c", "#5f3d26", angle="y"),
            shade("coal", "#4b4e55", "#1e2024", angle="y"),
            shade("paper", "#ffffff", "#dfe3e7", angle="y"),
            shade("glass", "#dff0f7", "#a9cbdc", angle="d"),
            shade("screen", "#16243f", "#3a4f8a 60", "#8a5a9c", angle="d"),
            shade("gold", "#b98a2f", "#f6dc8c 35", "#d0a03d 65", "#8e6720"),
            shade("leaf", "#6cb35a", "#2e6e3a", angle="d"),
        )
    )
