"""The report as a file."""

from __future__ import annotations

import base64
import hashlib
import html
import os
from collections.abc import Sequence
from importlib.resources import files
from pathlib import Path

from webgym.judge.calibration.figures import Calibration
from webgym.judge.calibration.gate import Passed
from webgym.judge.calibration.page import parts
from webgym.judge.calibration.page.markup import joined

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
<main>{body}</main>
</body>
</html>
"""


def write_page(path: Path, found: Calibration, passed: Sequence[Passed] = ()) -> None:
    """Write the report, or replace it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_name(f".{path.name}.{os.getpid()}")
    draft.write_text(page(found, passed), "utf-8")
    draft.replace(path)


def page(found: Calibration, passed: Sequence[Passed] = ()) -> str:
    """The whole report as HTML. It loads nothing and runs nothing, whatever the data says."""
    style = (files("webgym.judge.calibration.page") / "page.css").read_text("utf-8")
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    policy = f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"
    body = joined(
        parts.head(found),
        parts.gates(passed),
        parts.tiles(found),
        parts.agreements(found),
        parts.abstention(found),
        parts.attacks(found),
        parts.costs(found),
        parts.wrong(found),
    )
    title = html.escape(f"{found.judge} · calibration")
    return _SHELL.format(policy=policy, title=title, style=style, body=body.text)
