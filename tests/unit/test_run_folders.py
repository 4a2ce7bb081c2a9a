"""The folders of fleets on one machine: of its own for each, and none left behind."""

from __future__ import annotations

import tempfile
import threading
import time
from pathlib import Path

import pytest

from webgym.browser.server.processes import RunFolder


@pytest.fixture(autouse=True)
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return tmp_path


def test_the_folder_of_a_fleet_that_was_killed_is_removed_at_the_next_start(temporary: Path):
    killed = RunFolder()
    [base] = temporary.iterdir()
    left = base / "run-of-a-fleet-that-was-killed"
    left.mkdir()
    living = RunFolder()
    assert not left.exists()
    assert killed.path.exists()  # its lock is held, so it lives
    for folder in (killed, living):
        folder.remove()


def test_a_fleet_that_starts_at_the_same_time_does_not_take_the_folder_for_one_left_behind(monkeypatch):
    others: list[RunFolder] = []
    starting = threading.Thread(target=lambda: others.append(RunFolder()))
    make = tempfile.mkdtemp

    def slowly(**options: str) -> str:
        made = make(**options)
        if not starting.ident:
            starting.start()
            time.sleep(0.3)
        return made

    monkeypatch.setattr(tempfile, "mkdtemp", slowly)
    first = RunFolder()
    starting.join()
    assert first.path.exists()
    assert others[0].path.exists()
    for folder in (first, *others):
        folder.remove()
