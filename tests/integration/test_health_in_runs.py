"""A run on a task set records task health by itself, and the next draw uses it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from tests.child_environment import child_environment

from webgym.cli.failures import ExitCode
from webgym.run.config import TasksConfig
from webgym.run.task_sets.health import record_run
from webgym.run.tasks import tasks_for
from webgym.tasks.health.database import HealthDatabase
from webgym.tasks.sets import save_set, set_of
from webgym.tasks.websites import site_of
from webgym_hermetic.rows import hermetic_rows

pytestmark = [pytest.mark.chromium, pytest.mark.timeout(300)]
ROOT = Path(__file__).parents[2]


def test_a_website_that_blocks_a_run_is_left_out_of_the_next_with_no_command_in_between(tmp_path: Path):
    save_set(set_of("h", hermetic_rows(2, 1, families=["shop"])), tmp_path / "h")
    tasks = TasksConfig(use="set", file=f"{tmp_path / 'h'}:all", health=str(tmp_path / "health.db"), quarantine=True)
    first, other = tasks_for(tasks, 0)
    done = subprocess.run(
        [
            *(sys.executable, "-m", "webgym", "rollout", "agent.use=noop", "limits.easy=2", "limits.medium=2"),
            *("limits.hard=2", "tasks.use=set", f"tasks.file='{tasks.file}'", f"tasks.health='{tasks.health}'"),
            *("tasks.count=1", "tasks.repeats=4", "faults.blocked_rate=1", "browser.sessions=2"),
            *("browser.width=640", "browser.height=480", "monitor.serve=false", f"store.root='{tmp_path}'", "name=run"),
        ],
        check=False,
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=240,
        env=child_environment(),
    )
    assert done.returncode == ExitCode.FAILURES, done.stdout + done.stderr  # no attempt had a result
    database = HealthDatabase(Path(tasks.health))
    [rates] = database.rates("site")
    assert (rates.name, rates.attempts, rates.blocked) == (site_of(first.website), 4, 4)
    assert record_run(database, tmp_path / "run") == 0  # by hand there is nothing to add
    database.close()
    assert tasks_for(tasks, 0) == [other]
    assert tasks_for(tasks.model_copy(update={"quarantine": False}), 0) == [first, other]
