"""Writing the report to a file."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.resources import files
from pathlib import Path

from webgym.files import write_whole
from webgym.judge.calibration.figures import Calibration
from webgym.judge.calibration.gate import GateResult
from webgym.judge.calibration.page import parts
from webgym.judge.calibration.page.markup import joined
from webgym.serving.standalone import standalone_page


def write_page(path: Path, found: Calibration, passed: Sequence[GateResult] = ()) -> None:
    """Write the report, replacing an earlier one."""
    path.parent.mkdir(parents=True, exist_ok=True)
    write_whole(path, page(found, passed))


def page(found: Calibration, passed: Sequence[GateResult] = ()) -> str:
    """Render the whole report as HTML. It loads no resources and runs no scripts, whatever the data contains."""
    style = (files("webgym.judge.calibration.page") / "page.css").read_text("utf-8")
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
    return standalone_page(f"{found.judge} · calibration", style, f"<main>{body.text}</main>")
