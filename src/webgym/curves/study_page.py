"""A study as one self-contained HTML file: what was compared, what was found, charts, tables and notes."""

from __future__ import annotations

from pathlib import Path

import msgspec

from webgym.curves.app import PAGE
from webgym.curves.bundle import bundle
from webgym.files import write_whole
from webgym.records.base import Record
from webgym.serving.standalone import standalone_page
from webgym.store.statistics import Interval

_STYLES = ("theme.css", "curves.css", "study.css")
_BODY = """<header class="top">
  <h1 id="run"></h1>
  <span class="grow"></span>
  <button id="theme" class="plain" type="button">Dark</button>
</header>
<main id="study"></main>
<noscript>This page needs JavaScript to draw its charts. It loads nothing from other servers.</noscript>
<script type="application/json" id="data">{data}</script>"""


class StudyPoint(Record, frozen=True, omit_defaults=False):
    """Success on unseen tasks after an iteration: the mean over the runs of an arm."""

    iteration: int
    seconds: float
    """Seconds of training until then."""
    success: float
    low: float
    high: float


class StudyRunLine(Record, frozen=True, omit_defaults=False):
    """One run of an arm."""

    name: str
    iterations: int
    before: float | None
    after: float | None


class StudyArm(Record, frozen=True, omit_defaults=False):
    """One arm of a study."""

    name: str
    runs: tuple[StudyRunLine, ...]
    points: tuple[StudyPoint, ...]
    """Empty if its curves lack evaluations before and after training."""
    band: str
    """What the bounds of its points are."""
    rise: Interval | None
    """Over tasks."""
    rise_over_seeds: Interval | None


class StudySetting(Record, frozen=True, omit_defaults=False):
    """A setting in which arms differ."""

    name: str
    values: tuple[str, ...]
    """In the order of the arms."""


class StudyColumn(Record, frozen=True, omit_defaults=False):
    """A column of a table."""

    title: str
    meaning: str = ""
    """What its figures say; empty if the title says it."""


class StudyTable(Record, frozen=True, omit_defaults=False):
    """A table with its explanation."""

    title: str
    caption: str
    columns: tuple[StudyColumn, ...]
    rows: tuple[tuple[str, ...], ...]


class StudyPage(Record, frozen=True, omit_defaults=False):
    """Everything on the page."""

    name: str
    verdict: tuple[str, ...]
    """The most important sentence first."""
    arms: tuple[StudyArm, ...]
    settings: tuple[StudySetting, ...]
    shared: dict[str, str]
    """Some settings that all runs have in common."""
    level: float | None
    tables: tuple[StudyTable, ...]
    notes: tuple[str, ...]
    made: float
    """Unix time in seconds."""
    version: str


def write_study(path: Path, page: StudyPage) -> None:
    """Write or replace the page."""
    style = "\n".join((PAGE / name).read_text("utf-8") for name in _STYLES)
    # In JSON, `<` occurs only inside strings, so escaping it is safe and keeps `</script>` out.
    data = msgspec.json.encode(page).decode().replace("<", "\\u003c")
    path.parent.mkdir(parents=True, exist_ok=True)
    write_whole(path, standalone_page(f"{page.name} · study", style, _BODY.format(data=data), bundle(PAGE, "study.js")))
