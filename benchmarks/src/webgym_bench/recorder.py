"""Records a run at low cost while it is timed, and checks its screenshots afterwards."""

from __future__ import annotations

from dataclasses import dataclass, field
from time import perf_counter
from urllib.parse import urlsplit

import msgspec

from webgym.errors import WebGymError
from webgym.records.observation import ActionFailure, Capture, Effect, NoChange, PageChange
from webgym_bench.log import EpisodeRecord, StepRecord
from webgym_bench.screenshot_file import ScreenshotFile, Slot
from webgym_bench.script import Move
from webgym_bench.step_counter import read_step


@dataclass
class Recorder:
    """Collects the records of a run, in order of completion."""

    system: str
    screenshots: ScreenshotFile
    began: float = field(default_factory=perf_counter)
    steps: list[StepRecord] = field(default_factory=list[StepRecord])
    episodes: list[EpisodeRecord] = field(default_factory=list[EpisodeRecord])
    _slots: list[Slot | None] = field(default_factory=list["Slot | None"])

    def step(self, slot: int, visit: int, move: Move, start: float, result: Capture | WebGymError) -> None:
        """Record a step that began at `start`, with its observation or its error."""
        record = StepRecord(
            self.system,
            visit,
            slot,
            move.step,
            move.name,
            started=start - self.began,
            seconds=perf_counter() - start,
        )
        if isinstance(result, WebGymError):
            self._add(msgspec.structs.replace(record, failure=result.code, detail=str(result)), b"")
            return
        seen = result.observation
        screenshot = result.blobs.get(seen.screenshot.address, b"") if seen.screenshot else b""
        self._add(
            msgspec.structs.replace(
                record,
                title=seen.title,
                url=seen.url,
                size=len(screenshot),
                effect=_name(seen.effect),
                settled=seen.settled,
                wrong=_wrong(seen.title, seen.url, move),
                timings=seen.timings,
            ),
            screenshot,
        )

    def checked(self) -> list[StepRecord]:
        """Return the steps, with `pixels` added to `wrong` where the screenshot is missing or shows another state."""
        return [self._check(record, slot) for record, slot in zip(self.steps, self._slots, strict=True)]

    def _add(self, record: StepRecord, screenshot: bytes) -> None:
        self.steps.append(record)
        self._slots.append(self.screenshots.keep(screenshot) if screenshot else None)

    def _check(self, record: StepRecord, slot: Slot | None) -> StepRecord:
        if record.failure or (slot is not None and read_step(self.screenshots.read(slot)) == record.step):
            return record
        return msgspec.structs.replace(record, wrong=(*record.wrong, "pixels"))


def _wrong(title: str, url: str, move: Move) -> tuple[str, ...]:
    wrong: list[str] = []
    if title != move.title:
        wrong.append("title")
    if urlsplit(url).path != move.path:
        wrong.append("url")
    return tuple(wrong)


def _name(effect: Effect | None) -> str:
    match effect:
        case PageChange():
            return "changed"
        case NoChange():
            return "unchanged"
        case ActionFailure(reason=reason):
            return f"failed: {reason.value}"
        case None:
            return ""
