"""The raw log of a run: one record per step and per episode, as JSON Lines."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

import msgspec

from webgym.records.base import Record, Variant
from webgym.records.observation import Timings

LOG_VERSION = 1


class StepRecord(Variant, frozen=True, tag="step"):
    """One step as the client saw it."""

    system: str
    visit: int
    slot: int
    """Which of the sessions that run at once."""
    step: int
    move: str
    started: float
    """Seconds since the timed part began."""
    seconds: float
    failure: str = ""
    """Code of the error that was raised instead of an observation."""
    detail: str = ""
    """Its message."""
    title: str = ""
    url: str = ""
    size: int = 0
    """Bytes of the screenshot."""
    effect: str = ""
    settled: bool = True
    wrong: tuple[str, ...] = ()
    """Which of title, url, pixels showed another state than the one this step leads to."""
    timings: Timings = Timings()


class EpisodeRecord(Variant, frozen=True, tag="episode"):
    """Around the steps."""

    system: str
    visit: int
    slot: int
    open_seconds: float = 0.0
    close_seconds: float = 0.0
    failure: str = ""
    """Code of the error with which opening or closing ended."""
    detail: str = ""
    """Its message."""


LogRecord = StepRecord | EpisodeRecord


def write_log(path: Path, conditions: object, records: Iterable[Sequence[Record]]) -> None:
    """The conditions first, then every record."""
    encoder = msgspec.json.Encoder()
    head = {"kind": "conditions", "version": LOG_VERSION, "conditions": conditions}
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("wb") as file:
        file.write(encoder.encode(head) + b"\n")
        for batch in records:
            file.writelines(encoder.encode(record) + b"\n" for record in batch)
