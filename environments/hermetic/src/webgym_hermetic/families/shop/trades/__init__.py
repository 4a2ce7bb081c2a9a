"""The trades that shops are in, from the files beside this one."""

from __future__ import annotations

from functools import cache

from webgym_hermetic.families.shop.trades.trade import Trade
from webgym_hermetic.kit.data import read_table

TRADES = (
    "furniture", "outdoor", "electronics", "kitchen", "fashion", "books", "toys", "garden", "music", "sports",
)  # fmt: skip


@cache
def trade_of(name: str) -> Trade:
    """Return one of `TRADES`."""
    return read_table(f"{__name__}.{name}", Trade)
