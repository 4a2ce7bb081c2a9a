"""Takes every step of a tour and looks again afterwards: was the picture of the step one of a finished page?"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter

import anyio
import anyio.to_thread
import msgspec
from PIL import Image

from webgym.errors import WebGymError
from webgym.records.base import Record
from webgym.records.observation import Observation
from webgym.records.session import Look
from webgym.stages import Browser, Session
from webgym_bench.settle.conditions import Conditions
from webgym_bench.settle.pictures import Verdict, opened, verdict_on
from webgym_bench.settle.tour import Move, Walk

AFTER_SECONDS = 3.0
"""When a finished page is looked at again."""
AGAIN_SECONDS = (0.3, 0.7, 1.5, 3.0)
"""When it is looked at after that, if it differs. Uneven, or what moves in this rhythm would seem to stand still."""
_AT_ONCE = Look(screenshot="png", settle_seconds=0.0)


class Checked(Record, frozen=True):
    """One step and what came of it."""

    system: str
    walk: int
    step: int
    kind: str
    action: str
    seconds: float = 0.0
    """Until the picture was here."""
    verdict: str = ""
    url: str = ""
    settled: bool = True
    astray: bool = False
    """Whether it led to another page than when it was recorded."""
    failure: str = ""
    """The error raised instead of an observation."""


@dataclass(frozen=True)
class Check:
    """Checks one system."""

    system: str
    browser: Browser
    conditions: Conditions
    folder: Path | None
    """Where the pictures of unfinished pages go."""
    done: Callable[[], None]
    """Called after every step."""

    async def walk(self, number: int, walk: Walk) -> list[Checked]:
        """Take all steps of a walk in a session of their own. A failure ends it."""
        made: list[Checked] = []
        try:
            async with self.browser.open(self.conditions.spec) as session:
                before: _Look | None = None
                for step, move in enumerate(walk.moves):
                    one = Checked(self.system, number, step, walk.kind, type(move.action).__name__.lower())
                    made.append(one)
                    made[-1], before = await self._step(session, one, move, before)
                    self.done()
        except WebGymError as error:
            failed = made[-1] if made else Checked(self.system, number, 0, walk.kind, "open")
            made[-1:] = [msgspec.structs.replace(failed, failure=f"{error.code}: {error}")]
        return made

    async def _step(self, session: Session, one: Checked, move: Move, before: _Look | None) -> tuple[Checked, _Look]:
        began = perf_counter()
        shown = await _look(session, move, self.conditions.checked)
        seconds = perf_counter() - began
        await anyio.sleep(AFTER_SECONDS)
        later = [await _look(session, None, _AT_ONCE)]
        earlier = before.picture if before and before.seen.url == shown.seen.url else None
        verdict = await _verdict(earlier, shown, later)
        for pause in AGAIN_SECONDS if verdict is not Verdict.SAME else ():
            await anyio.sleep(pause)
            later.append(await _look(session, None, _AT_ONCE))
            verdict = await _verdict(earlier, shown, later)
            if verdict is Verdict.MOVING:
                break
        checked = msgspec.structs.replace(
            one,
            seconds=round(seconds, 4),
            verdict=verdict.value,
            url=shown.seen.url,
            settled=shown.seen.settled,
            astray=not later[-1].seen.url.split("?")[0].split("#")[0].endswith(move.path),
        )
        if self.folder and verdict not in (Verdict.SAME, Verdict.MOVING):
            await anyio.to_thread.run_sync(_keep, self.folder, checked, shown, later[-1])
        return checked, later[-1]


@dataclass(frozen=True)
class _Look:
    seen: Observation
    picture: Image.Image


async def _look(session: Session, move: Move | None, look: Look) -> _Look:
    capture = await session.step(move.action if move else None, look)
    shown = capture.observation.screenshot
    if shown is None:
        return _Look(capture.observation, Image.new("RGB", (1, 1)))
    return _Look(capture.observation, await anyio.to_thread.run_sync(opened, capture.blobs[shown.address]))


async def _verdict(before: Image.Image | None, shown: _Look, later: Sequence[_Look]) -> Verdict:
    return await anyio.to_thread.run_sync(verdict_on, before, shown.picture, [one.picture for one in later])


def _keep(folder: Path, one: Checked, shown: _Look, later: _Look) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    name = f"{one.system}-{one.walk:03}-{one.step:02}-{one.verdict}".replace(" ", "-")
    shown.picture.save(folder / f"{name}-at-once.png")
    later.picture.save(folder / f"{name}-later.png")
