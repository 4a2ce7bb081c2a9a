"""Brand names of websites, unique within a family."""

from __future__ import annotations

from webgym.errors import SiteUnknown
from webgym.rng import Rng

_FIRST = tuple(
    """
    Alder Amber Ash Basalt Bay Birch Blue Bram Bright Brook Calder Cedar Clay Clover Coral Crest Dale Dawn Drift
    Dusk East Elm Ember Fair Fen Fern Field Finch Flax Frost Glen Gold Gray Hart Haven Hazel Heron High Holly
    Iron Ivy Juniper Keel Kestrel Lake Larch Lark Linden Long Maple Marsh Meadow Mill Moss North Oak Orchard
    Otter Pebble Pine Quill Raven Reed Ridge Robin Rowan Sage Salt Silver Slate South Spruce Stone Summit Swift
    Tawny Thistle Thorn Tide Umber Vale Violet West Willow Winter Wren Yarrow
    """.split()
)
_SECOND = tuple(
    """
    bank bell berry bloom bourne bridge brook burn cliff cove craft crest croft dale fall field ford gate grove
    hall haven hill holm land lane leaf ley light line loom march mark mere mill mont moor path peak point port
    reach ridge rise root shore side spring stead stone strand vale view water way well wick wind wood worth
    yard
    """.split()
)
_STEMS = tuple(f"{first}{second}" for first in _FIRST for second in _SECOND if first.lower() != second)
_STRIDE = 7919
"""A prime that does not divide the number of names, so its multiples visit every name once before repeating."""


def brand(family: str, endings: tuple[str, ...], number: int) -> str:
    """Return the brand name of a site: "Brightloom Goods".

    Raises:
        SiteUnknown: The number exceeds the available names.
    """
    count = len(_STEMS) * len(endings)
    if count % _STRIDE == 0 or number >= count:
        raise SiteUnknown(f"there are {count} names for sites of this family; number {number} is too high")
    index = (Rng("brands", family).below(count) + number * _STRIDE) % count
    return f"{_STEMS[index % len(_STEMS)]} {endings[index // len(_STEMS)]}"
