"""How wishes are worded."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from webgym_hermetic.kit.data import Table, read_table


class TravelTexts(Table, frozen=True):
    """Texts that tasks ask to be written."""

    requests: tuple[str, ...]
    messages: tuple[tuple[str, str], ...]
    """Topic and text."""
    review_titles: tuple[str, ...]
    review_texts: tuple[str, ...]


@cache
def travel_texts() -> TravelTexts:
    return read_table(__name__, TravelTexts)


RATE_PHRASES = {
    "saver": "room only and non-refundable",
    "flex": "room only with free cancellation",
    "breakfast": "with breakfast included",
    "half": "with half board",
}
EXTRA_PHRASES = {
    "parking": "a parking space",
    "transfer": "the transfer",
    "insurance": "the insurance",
    "late": "late check-out",
    "cot": "a baby cot",
    "priority": "priority boarding",
    "sms": "text message updates",
}
ARRIVAL_PHRASES = {
    "14-16": "between 2 pm and 4 pm",
    "16-18": "between 4 pm and 6 pm",
    "18-20": "between 6 pm and 8 pm",
    "20-22": "between 8 pm and 10 pm",
    "late": "after 10 pm",
}
SEAT_PHRASES = {"window": "a window seat", "aisle": "an aisle seat", "table": "a seat with extra legroom"}


def and_join(items: Sequence[str]) -> str:
    """`a, b and c`."""
    return items[0] if len(items) == 1 else f"{', '.join(items[:-1])} and {items[-1]}"
