"""A run of the tests names a failure when it happens."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("workers", ["0", "2"])
def test_a_failure_is_named_before_the_run_ends(workers: str, tmp_path: Path):
    (tmp_path / "test_it.py").write_text("def test_one():\n    assert 1 == 2\n\ndef test_other():\n    pass\n")
    command = [sys.executable, "-m", "pytest", "-p", "conftest", "--numprocesses", workers, str(tmp_path)]
    told = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    while_running, ended, _ = told.stdout.partition("= FAILURES =")
    assert ended
    [line] = [line for line in while_running.splitlines() if line.startswith("FAILED")]
    assert line.endswith("test_it.py::test_one (call): assert 1 == 2")
