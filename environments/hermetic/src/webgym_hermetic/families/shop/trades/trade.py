"""What a trade sells: the words from which a shop's catalogue is drawn."""

from __future__ import annotations

from webgym_hermetic.kit.data import Table

Values = tuple[str, ...]


class Kind(Table, frozen=True):
    """A kind of product: what it is called, how it is drawn, what it costs in dollars."""

    name: str
    picture: str
    low: int
    high: int
    lacks: Values = ()
    """What does not apply to it: specs of its shelf, or `option`."""


class Shelf(Table, frozen=True):
    """A category of a trade."""

    name: str
    icon: str
    kinds: tuple[Kind, ...]
    axis: tuple[str, Values]
    """What tells products of one line apart: an attribute and its values, smallest first. No values: colours."""
    specs: tuple[tuple[str, Values], ...]
    uses: Values
    features: Values
    grams: tuple[int, int]
    option: tuple[str, Values] | None = None
    """What has to be chosen when it is bought."""
    titled: bool = False
    """Whether products have titles, as books do, rather than names of models."""


class Trade(Table, frozen=True):
    """A line of business."""

    key: str
    title: str
    slogans: Values
    makers: Values
    maker_label: str
    colours: Values
    materials: Values
    models: str
    """Which pool of model names: `land` or `craft`."""
    shelves: tuple[Shelf, ...]
    services: Values
