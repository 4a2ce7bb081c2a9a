"""Pictures drawn from a seed: small SVG files that stand for photographs and illustrations."""

from __future__ import annotations

import difflib

from webgym.sites.kit.pictures.canvas import COLOURS
from webgym.sites.kit.pictures.products import PRODUCTS, product
from webgym.sites.kit.pictures.scenes import SCENES, scene
from webgym.sites.kit.pictures.stub import STUBS, stub

__all__ = ["COLOURS", "KINDS", "PRODUCTS", "render"]

KINDS = (*(f"product:{name}" for name in PRODUCTS), *(f"scene:{name}" for name in SCENES), *STUBS)
"""All kinds. Some take an option after another colon: a colour for products, a palette for logos."""


def render(kind: str, seed: str, width: int, height: int) -> str:
    """The picture as SVG.

    Raises:
        KeyError: There is no such kind.
    """
    family, _, rest = kind.partition(":")
    if family == "product":
        name, _, colour = rest.partition(":")
        if name in PRODUCTS:
            return product(name, colour, seed, width, height)
    if family == "scene" and rest in SCENES:
        return scene(rest, seed, width, height)
    if kind.partition(":")[0] in {k.partition(":")[0] for k in STUBS}:
        return stub(kind, seed, width, height)
    close = difflib.get_close_matches(kind, KINDS, n=5, cutoff=0.4)
    raise KeyError(f"no picture of kind {kind!r}; similar kinds: {', '.join(close) or 'none'}")
