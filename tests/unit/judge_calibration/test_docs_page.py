"""What docs/judge-calibration.md names, exists."""

from __future__ import annotations

import re
from pathlib import Path

from webgym.judge.attacks.suite import ATTACKS
from webgym.judge.calibration.gate import COSTS, RATES, read_gate
from webgym.judge.calibration.imports.formats import FORMATS

_PAGE = (Path(__file__).parents[3] / "docs" / "judge-calibration.md").read_text("utf-8")


def _first_cells(heading: str) -> list[str]:
    return re.findall(r"^\| `([^`]+)` \|", _PAGE.split(f"| {heading} |", 1)[1].split("\n\n", 1)[0], re.MULTILINE)


def test_every_attack_format_and_figure_is_documented():
    assert _first_cells("Attack") == [attack.name for attack in ATTACKS]
    assert _first_cells("Format") == list(FORMATS)
    assert _first_cells("Figure") == list(RATES)
    assert all(f"`{name}`" in _PAGE for name in COSTS)


def test_every_gate_in_the_page_is_one():
    gates = re.findall(r"--gate '([^']+)'", _PAGE) + re.findall(r"`([\w.]+<=[0-9.]+)`", _PAGE)
    assert len(gates) >= 4
    for gate in gates:
        read_gate(gate)
