"""A report of a training run: one file that shows everything, anywhere, without a network."""

from __future__ import annotations

import base64
import hashlib
import html
import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import msgspec

from webgym.curves.about import About
from webgym.curves.app import PAGE, Curve
from webgym.curves.bundle import bundle
from webgym.curves.file import in_order, readable
from webgym.curves.pictures import data_url
from webgym.records.base import Record
from webgym.records.curve import Iteration
from webgym.records.trajectory import OutcomeKind
from webgym.store.statistics import Interval

_STYLES = ("theme.css", "curves.css", "report.css")
_SHELL = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>{title}</title>
<style>{style}</style>
</head>
<body>
<header class="top">
  <h1 id="run"></h1>
  <span class="grow"></span>
  <button id="theme" class="plain" type="button">Dark</button>
</header>
<main id="curves"></main>
<noscript>This report draws its charts with JavaScript; it loads nothing from elsewhere.</noscript>
<script type="application/json" id="data">{data}</script>
<script>{script}</script>
</body>
</html>
"""


@dataclass(frozen=True, slots=True)
class Example:
    """An attempt worth showing."""

    title: str
    outcome: OutcomeKind
    steps: Sequence[tuple[bytes | None, str]]
    """What the agent saw (JPEG, PNG or WebP; None if that was not kept), and what it did, in words."""
    note: str = ""
    """Anything to add, such as when it was or why it failed."""


class _Shown(Record, frozen=True, omit_defaults=False):
    title: str
    outcome: str
    note: str
    steps: tuple[tuple[str, str], ...]


class _Report(Record, frozen=True, omit_defaults=False):
    about: About
    iterations: tuple[Iteration, ...]
    difference: Interval | None
    examples: tuple[_Shown, ...]
    beside: Curve | None


def write_report(
    path: Path,
    iterations: Sequence[Iteration],
    about: About,
    examples: Sequence[Example] = (),
    *,
    difference: Interval | None = None,
    beside: Curve | None = None,
) -> None:
    """Write the report, or replace it.

    `difference` is the paired one of the last evaluation to the first; `beside` is another run, shown next to it.
    """
    report = _Report(
        about=about,
        iterations=tuple(readable(one) for one in in_order(iterations)),
        difference=difference,
        examples=tuple(_shown(one) for one in examples),
        beside=beside and Curve(beside.about, tuple(readable(one) for one in in_order(beside.iterations))),
    )
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_name(f".{path.name}.{os.getpid()}")
    draft.write_text(_html(report), "utf-8")
    draft.replace(path)


def _html(report: _Report) -> str:
    style = "\n".join((PAGE / name).read_text("utf-8") for name in _STYLES)
    script = bundle(PAGE, "report.js")
    # Nothing but these two may run or style, and nothing may be loaded, whatever the data says.
    policy = (
        f"default-src 'none'; script-src {_hash(script)}; style-src {_hash(style)}; img-src data:; base-uri 'none'; "
        "form-action 'none'; require-trusted-types-for 'script'; trusted-types 'none'"
    )
    # A `<` within JSON can only be inside of a string.
    data = msgspec.json.encode(report).decode().replace("<", "\\u003c")
    title = html.escape(f"{report.about.run} · learning")
    return _SHELL.format(policy=policy, title=title, style=style, data=data, script=script)


def _hash(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def _shown(example: Example) -> _Shown:
    steps = tuple((data_url(picture) if picture else "", action) for picture, action in example.steps)
    return _Shown(example.title, example.outcome, example.note, steps)
