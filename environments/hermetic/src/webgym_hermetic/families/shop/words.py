"""Names of models and titles, and what a shop writes about its goods."""

from __future__ import annotations

from functools import cache

from webgym_hermetic.kit.data import Table, read_table


class ShopWords(Table, frozen=True):
    """Names of models and titles, and what is written about goods."""

    models: dict[str, tuple[tuple[str, str], ...]]
    """Pools of names, by what a trade calls its models after. Names in a pair are easily mixed up."""
    title_first: tuple[str, ...]
    title_last: tuple[tuple[str, str], ...]
    blurbs: tuple[str, ...]
    praise: tuple[tuple[str, str], ...]
    mixed: tuple[tuple[str, str], ...]
    blame: tuple[tuple[str, str], ...]
    paint: dict[str, str]
    """How the colours of the trades are drawn."""


@cache
def shop_words() -> ShopWords:
    return read_table(__name__, ShopWords)
