"""The kinds of community there are, from the files beside this one."""

from __future__ import annotations

from functools import cache

from webgym_hermetic.families.forum.communities.bank import Bank, Duel, Measure, Topic, Trouble
from webgym_hermetic.kit.data import read_table

BANKS = (
    "gardening", "cycling", "brewing", "photography", "retro", "parenting",
    "neighbourhood", "woodworking", "astronomy", "boardgames", "cooking", "printing",
)  # fmt: skip

__all__ = ["BANKS", "Bank", "Duel", "Measure", "Topic", "Trouble", "bank_of"]


@cache
def bank_of(name: str) -> Bank:
    """Return one of `BANKS`."""
    return read_table(f"{__name__}.{name}", Bank)
