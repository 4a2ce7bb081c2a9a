"""Description of a run, shown with its curve."""

from __future__ import annotations

from webgym.records.base import Record


class About(Record, frozen=True, omit_defaults=False):
    """Constant facts about a run."""

    run: str
    planned: int | None = None
    """Planned number of iterations; None if unknown."""
    facts: dict[str, str] = {}
    """Anything else worth showing, such as `{"model": "qwen3-vl-2b"}`."""
