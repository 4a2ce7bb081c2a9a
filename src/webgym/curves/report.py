"""A training report as one self-contained HTML file."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import msgspec

from webgym.curves.about import RunFacts
from webgym.curves.app import PAGE, Curve
from webgym.curves.bundle import bundle
from webgym.curves.file import in_order, readable
from webgym.curves.pictures import BLANK, inlined
from webgym.files import write_whole
from webgym.records.base import Record
from webgym.records.curve import Iteration
from webgym.records.trajectory import OutcomeKind
from webgym.serving.standalone import standalone_page
from webgym.store.statistics import Interval

_STYLES = ("theme.css", "curves.css", "report.css")
_BODY = """<header class="top">
  <h1 id="run"></h1>
  <span class="grow"></span>
  <button id="theme" class="plain" type="button">Dark</button>
</header>
<main id="curves"></main>
<noscript>This report needs JavaScript to draw its charts. It loads nothing from other servers.</noscript>
<script type="application/json" id="data">{data}</script>"""


PicturePoint = tuple[float, float]
"""A point of a picture, as fractions of its width and height."""


@dataclass(frozen=True, slots=True)
class ExampleStep:
    """One step of an example."""

    picture: bytes | None
    """JPEG, PNG or WebP; None if not kept."""
    words: str
    """What the agent did."""
    detail: str = ""
    at: PicturePoint | None = None
    """Where it acted: a ring is drawn there."""
    path: tuple[PicturePoint, PicturePoint] | None = None
    """Where it dragged or scrolled, from and to: an arrow."""


@dataclass(frozen=True, slots=True)
class ReportExample:
    """An attempt to show in the report."""

    title: str
    outcome: OutcomeKind
    steps: Sequence[ExampleStep]
    note: str = ""
    """A remark, such as when the attempt ran or why it failed."""


class _ShownStep(Record, frozen=True, omit_defaults=False):
    picture: str
    """A data URL; empty if there is none."""
    ratio: float
    """Of its width to its height."""
    words: str
    detail: str
    at: PicturePoint | None
    path: tuple[PicturePoint, PicturePoint] | None


class _ShownExample(Record, frozen=True, omit_defaults=False):
    title: str
    outcome: str
    note: str
    steps: tuple[_ShownStep, ...]


class _Report(Record, frozen=True, omit_defaults=False):
    about: RunFacts
    iterations: tuple[Iteration, ...]
    difference: Interval | None
    examples: tuple[_ShownExample, ...]
    beside: Curve | None


def write_report(
    path: Path,
    iterations: Sequence[Iteration],
    about: RunFacts,
    examples: Sequence[ReportExample] = (),
    *,
    difference: Interval | None = None,
    beside: Curve | None = None,
) -> None:
    """Write or replace the report.

    `difference` is the paired difference between the last and the first evaluation; `beside` is another run to show
    next to this one.
    """
    report = _Report(
        about=about,
        iterations=tuple(readable(iteration) for iteration in in_order(iterations)),
        difference=difference,
        examples=tuple(_shown(example) for example in examples),
        beside=beside and Curve(beside.about, tuple(readable(iteration) for iteration in in_order(beside.iterations))),
    )
    path.parent.mkdir(parents=True, exist_ok=True)
    write_whole(path, _html(report))


def _html(report: _Report) -> str:
    style = "\n".join((PAGE / name).read_text("utf-8") for name in _STYLES)
    # In JSON, `<` occurs only inside strings, so escaping it is safe and keeps `</script>` out.
    data = msgspec.json.encode(report).decode().replace("<", "\\u003c")
    body = _BODY.format(data=data)
    return standalone_page(f"{report.about.run} · learning", style, body, bundle(PAGE, "report.js"))


def _shown(example: ReportExample) -> _ShownExample:
    return _ShownExample(
        example.title, example.outcome, example.note, tuple(_shown_step(step) for step in example.steps)
    )


def _shown_step(step: ExampleStep) -> _ShownStep:
    small = inlined(step.picture) if step.picture else BLANK
    return _ShownStep(small.url, small.ratio, step.words, step.detail, step.at, step.path)
