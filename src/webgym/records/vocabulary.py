"""The special tokens of a checkpoint that training needs to know."""

from __future__ import annotations

from webgym.records.base import Record


class ImageTokens(Record, frozen=True):
    """Ids of the image tokens."""

    image: int
    """The placeholder for one patch of a picture."""
    never: tuple[int, ...] = ()
    """Tokens that end a reply and are never trained on: they announce a picture, and a reply has none."""
