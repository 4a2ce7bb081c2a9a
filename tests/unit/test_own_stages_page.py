"""What docs/own-stages.md shows is accepted, and the stand-ins that it names are there."""

from __future__ import annotations

import importlib
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from tests.child_environment import child_environment

from webgym.testing import conformance

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs/own-stages.md").read_text("utf-8")
BLOCKS = re.findall(r"^```python\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)


def test_every_suite_is_listed():
    listed = re.findall(r"^\| `(\w+_CHECKS)`", PAGE, re.MULTILINE)
    assert sorted(listed) == sorted(name for name in conformance.__all__ if name.endswith("_CHECKS"))


def test_every_stand_in_that_is_named_is_there():
    rows = PAGE.split("## Stand-ins", 1)[1].split("|---|---|", 1)[1]
    named = re.findall(r"`(\w+)\.(\w+)`", rows)
    assert len(named) >= 10
    for module, name in named:
        assert hasattr(importlib.import_module(f"webgym.testing.{module}"), name), f"{module}.{name}"


@pytest.mark.timeout(120)
def test_the_checks_shown_pass(tmp_path):
    for number, block in enumerate(BLOCKS):
        (tmp_path / f"test_own_{number}.py").write_text(block, "utf-8")
    command = [sys.executable, "-m", "pytest", "-q", "-c", os.devnull, "--rootdir", ".", "-p", "no:cacheprovider", "."]
    environment = child_environment()
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
    stages = conformance.POLICY_CHECKS, conformance.JUDGE_CHECKS, conformance.TRAINER_CHECKS
    suites = *stages, conformance.LOSS_CHECKS, conformance.ADVANTAGE_CHECKS
    assert f"{sum(map(len, suites))} passed" in done.stdout
