"""What a run is, for those who look at its curve."""

from __future__ import annotations

from webgym.records.base import Record


class About(Record, frozen=True, omit_defaults=False):
    """What stays the same for as long as a run lasts."""

    run: str
    planned: int | None = None
    """Iterations it is to have; None if nobody knows."""
    facts: dict[str, str] = {}
    """Anything else worth showing, such as `{"model": "qwen3-vl-2b"}`."""
