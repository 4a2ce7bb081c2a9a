"""What has to be known of a checkpoint's tokens."""

from __future__ import annotations

from webgym.records.base import Record


class Vocabulary(Record, frozen=True):
    """Those that stand for pictures."""

    image: int
    """Stands for a part of a picture."""
    never: tuple[int, ...] = ()
    """End a reply, and cannot be learned to say: after them a picture would have to follow, which no trainer can
    compute."""
