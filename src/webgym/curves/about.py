"""Description of a run, shown with its curve."""

from __future__ import annotations

from typing import Literal

from webgym.records.base import Record

RunState = Literal["running", "ended", "stopped"]
"""`stopped`: interrupted or killed before its end."""


class RunFacts(Record, frozen=True, omit_defaults=False):
    """Constant facts about a run."""

    run: str
    planned: int | None = None
    """Planned number of iterations; None if unknown, as when the run ends after a given time."""
    facts: dict[str, str] = {}
    """Anything else worth showing, such as `{"model": "qwen3-vl-2b"}`."""
    state: RunState = "running"
