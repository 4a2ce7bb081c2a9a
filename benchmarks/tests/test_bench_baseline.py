"""`webgym bench sessions --baseline`: a ratio says what the published sequence ran on."""

from __future__ import annotations

from pathlib import Path

import pytest

from webgym.errors import ConfigError
from webgym_bench.baseline_browser import published_executable
from webgym_bench.conditions import Conditions
from webgym_bench.figures import figures
from webgym_bench.processes import Memory, Usage
from webgym_bench.report import table
from webgym_bench.sessions import Plan, Report


def program(folder: Path, name: str) -> str:
    path = folder / name
    path.write_text("#!/bin/sh\n")
    path.chmod(0o755)
    return str(path)


@pytest.fixture
def shell(tmp_path, monkeypatch):
    made = program(tmp_path, "chromium-headless-shell")
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("WEBGYM_CHROMIUM", made)
    return made


def test_the_baseline_runs_on_a_full_chromium_if_there_is_one_and_on_none_that_was_not_chosen(shell, tmp_path):
    assert published_executable("auto") == shell
    with pytest.raises(ConfigError, match="apt-get install chromium"):
        published_executable("full")
    full = program(tmp_path, "chromium")
    assert (published_executable("auto"), published_executable("full")) == (full, full)
    assert published_executable("shell") == shell


@pytest.mark.parametrize(("chosen", "named"), [("full", "full Chromium"), ("shell", "the headless shell")])
def test_a_ratio_names_the_browser_of_the_baseline(shell, tmp_path, chosen, named):
    program(tmp_path, "chromium")
    nothing = figures([], [], Usage({}, 0, 0), Memory(0, 0, 0), 1.0, 1)
    plan = Plan(Conditions(baseline_browser=chosen), against=("published",))
    report = Report(plan, {}, nothing, None, {"published": nothing}, speedups=(2.0,))
    assert report.as_json()["speedup_over"] == named
    assert str(table(report).caption) == f"2.00x the steps per second of the published sequence on {named}"
