"""Drawings from the SVG files in `drawings/`.

A file holds one element a line. Colours in braces are slots: `{dark}`, or `url(#{legs})` for a gradient. What a slot
takes that is drawn by lot stands in a data attribute of the root: `data-legs="wood coal"`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from importlib.resources import files

from webgym.rng import Rng

_DRAWINGS = files("webgym_hermetic.kit") / "drawings"
_DRAWN_BY_LOT = re.compile(r'data-(\w+)="([^"]*)"')


def drawing(name: str, colours: Mapping[str, str], rng: Rng) -> str:
    """Return the elements of a file, with its slots filled."""
    lots, elements = _read(name)
    drawn = {slot: rng.pick(options) for slot, options in lots}
    return elements.format_map({**colours, **{slot: colours.get(option, option) for slot, option in drawn.items()}})


@cache
def _read(name: str) -> tuple[tuple[tuple[str, tuple[str, ...]], ...], str]:
    root, *elements, _ = (_DRAWINGS / f"{name}.svg").read_text(encoding="utf-8").splitlines()
    lots = tuple((slot, tuple(options.split())) for slot, options in _DRAWN_BY_LOT.findall(root))
    return lots, "".join(element.strip() for element in elements)
