"""Whether a stored run is live, over, or was stopped before its end."""

from __future__ import annotations

import json
import os
import time
from pathlib import Path

import msgspec
import pytest
from policies.nano.tests.demo.test_demo_outcome import iteration, tried
from tests.unit.store.making import META

from webgym.curves.file import append
from webgym.run.training.about import about_run, forget_end, keep_end, keep_planned
from webgym.run.training.folders import Folders
from webgym.store.lock import LOCK_FILE, RunLock
from webgym.store.meta import save_meta


@pytest.fixture
def folders(tmp_path: Path) -> Folders:
    """A run of three iterations of 40 that nobody writes."""
    config = 'iterations = 40\npolicy.model = "nowhere"\ntasks.count = 2\nevaluate.tasks.count = 2\nevaluate.every = 2'
    save_meta(tmp_path, msgspec.structs.replace(META, kind="train", config=config))
    made = Folders(tmp_path)
    keep_planned(made, 40)
    for number in range(4):
        append(made.curve, iteration(number, train=tried(2, 8)))
    return made


def state(folders: Folders) -> str:
    return about_run(folders.run).state


def written_elsewhere(folders: Folders, seconds_ago: float) -> None:
    (folders.run / LOCK_FILE).write_text(json.dumps({"pid": 1, "host": "another-machine", "since": 1.0}))
    then = time.time() - seconds_ago
    os.utime(folders.curve, (then, then))


def test_a_run_that_somebody_writes_is_running_and_one_whose_process_died_was_stopped(folders):
    lock = RunLock(folders.run)
    lock.take()
    assert state(folders) == "running"
    lock.release()
    assert state(folders) == "stopped"


def test_a_run_on_another_machine_was_stopped_once_it_is_silent(folders):
    written_elsewhere(folders, 60)
    assert state(folders) == "running"
    written_elsewhere(folders, 3600)
    assert state(folders) == "stopped"


def test_a_run_that_came_to_its_own_end_ended_whatever_was_planned(folders):
    keep_end(folders, whole=True)
    assert state(folders) == "ended"
    forget_end(folders)  # it is resumed
    assert state(folders) == "stopped"


def test_a_part_of_a_run_is_not_its_end(folders):
    keep_end(folders, whole=False)
    assert state(folders) == "stopped"


def test_the_last_planned_iteration_is_an_end_without_any_mark(folders):
    keep_planned(folders, 3)
    assert state(folders) == "ended"


def test_an_older_demo_without_a_mark_ended_with_its_second_evaluation(folders):
    meta = msgspec.structs.replace(META, kind="train", config='iterations = 40\npolicy.model = "x"\nevaluate.every = 0')
    save_meta(folders.run, meta)
    assert state(folders) == "stopped"
    append(folders.curve, iteration(3, train=tried(2, 8), evaluation=tried(20, 80)))
    assert state(folders) == "ended"


def test_a_length_that_is_decided_on_the_way_is_not_told_as_a_plan(folders):
    keep_planned(folders, None)
    assert about_run(folders.run).planned is None
