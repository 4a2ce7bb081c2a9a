"""The raw log of a run: one record per step and per episode, as JSON Lines."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

import msgspec

from webgym.records.base import Record, Variant
from webgym.records.observation import Timings

LOG_VERSION = 1


class StepRecord(Variant, frozen=True, tag="step"):
    """One step as measured by the client."""

    system: str
    visit: int
    slot: int
    """Index of the concurrent session."""
    step: int
    move: str
    started: float
    """Seconds since the recorder started."""
    seconds: float
    failure: str = ""
    """Code of the error raised instead of an observation; empty on success."""
    detail: str = ""
    """Message of the error."""
    title: str = ""
    url: str = ""
    size: int = 0
    """Size of the screenshot in bytes."""
    effect: str = ""
    settled: bool = True
    wrong: tuple[str, ...] = ()
    """Which of `title`, `url` and `pixels` did not show the state this step leads to."""
    timings: Timings = Timings()


class EpisodeRecord(Variant, frozen=True, tag="episode"):
    """One episode: opening and closing its session."""

    system: str
    visit: int
    slot: int
    open_seconds: float = 0.0
    close_seconds: float = 0.0
    failure: str = ""
    """Code of the error raised by opening or closing the session, or by the episode's deadline; empty on success."""
    detail: str = ""
    """Message of the error."""


LogRecord = StepRecord | EpisodeRecord


def write_log(path: Path, conditions: object, records: Iterable[Sequence[Record]]) -> None:
    """Write the conditions, then all records."""
    encoder = msgspec.json.Encoder()
    head = {"kind": "conditions", "version": LOG_VERSION, "conditions": conditions}
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("wb") as file:
        file.write(encoder.encode(head) + b"\n")
        for batch in records:
            file.writelines(encoder.encode(record) + b"\n" for record in batch)
