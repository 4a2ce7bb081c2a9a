"""Procedural SVG pictures, drawn from a seed in place of photographs and illustrations."""

from __future__ import annotations

import difflib
from collections.abc import Callable

from webgym_hermetic.kit.pictures.canvas import COLOURS
from webgym_hermetic.kit.pictures.diagrams import CHARTS, SCREENS, chart, screenshot, street_map
from webgym_hermetic.kit.pictures.dishes import DISHES, dish
from webgym_hermetic.kit.pictures.marks import abstract, logo
from webgym_hermetic.kit.pictures.news import STORIES, story
from webgym_hermetic.kit.pictures.people import avatar, portrait
from webgym_hermetic.kit.pictures.products import PRODUCTS, product
from webgym_hermetic.kit.pictures.rooms import ROOMS, room
from webgym_hermetic.kit.pictures.scenes import SCENES, scene

__all__ = ["COLOURS", "KINDS", "PRODUCTS", "render"]

KINDS = (
    *(f"product:{name}" for name in PRODUCTS),
    *(f"scene:{name}" for name in SCENES),
    *(f"room:{name}" for name in ROOMS),
    *(f"food:{name}" for name in DISHES),
    "avatar",
    "portrait",
    "logo",
    "abstract",
    "map",
    "chart",
    *(f"chart:{name}" for name in CHARTS),
    "screenshot",
    *(f"screenshot:{name}" for name in SCREENS),
    *(f"{subject}:{name}".rstrip(":") for subject, kinds in STORIES.items() for name in dict.fromkeys(("", *kinds))),
)
"""All kinds. Some take an option after another colon: a colour for products, a palette or colour for logos."""
_Draw = Callable[[str, str, int, int], str]
_NAMED: dict[str, _Draw] = {"scene": scene, "room": room, "food": dish, "chart": chart, "screenshot": screenshot}
_PLAIN: dict[str, Callable[[str, int, int], str]] = {"avatar": avatar, "portrait": portrait, "map": street_map}
_COLOURED: dict[str, _Draw] = {"logo": logo, "abstract": abstract}


def render(kind: str, seed: str, width: int, height: int) -> str:
    """Render a picture as SVG.

    Raises:
        KeyError: There is no such kind, or no such colour.
    """
    subject, _, option = kind.partition(":")
    if subject in _COLOURED:
        return _COLOURED[subject](option, seed, width, height)
    if subject == "product":
        name, _, colour = option.partition(":")
        _known(f"product:{name}")
        return product(name, colour, seed, width, height)
    if subject == "portrait":
        return portrait(f"{option}/{seed}", width, height)
    _known(kind)
    if subject in STORIES:
        return story(subject, option, seed, width, height)
    if subject in _PLAIN:
        return _PLAIN[subject](seed, width, height)
    return _NAMED[subject](option, seed, width, height)


def _known(kind: str) -> None:
    if kind not in KINDS:
        close = difflib.get_close_matches(kind, KINDS, n=5, cutoff=0.4)
        raise KeyError(f"no picture of kind {kind!r}; similar kinds: {', '.join(close) or 'none'}")
