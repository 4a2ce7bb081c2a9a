"""Ten tasks on each real application, eight attempts at once: solvers succeed, and doing nothing does not."""

from __future__ import annotations

import os
from collections import Counter
from pathlib import Path

import pytest
from webgym.run.commands import run_eval
from webgym.store.read import open_run

HERE = Path(__file__).parent
APPLICATIONS = os.environ["WEBAPPS"].split()
TASKS, SESSIONS = 10, 8


def outcomes(application: str, agent: str, folder: Path) -> Counter[str]:
    made = run_eval(
        env={
            "use": "webgym_webapp.environment:WebappEnvironment",
            "options": {"file": str(HERE / application / "app.toml"), "instances": SESSIONS},
        },
        agent={"use": agent},
        judge={"use": "exact"},
        browser={"sessions": SESSIONS},
        limits={"easy": 60},
        monitor={"serve": False},
        store={"root": str(folder)},
    )
    return Counter(row.outcome for row in open_run(made.folder).rows())


@pytest.mark.parametrize("application", APPLICATIONS)
def check_that_solvers_succeed(application: str, tmp_path: Path):
    assert outcomes(application, "oracle", tmp_path) == {"success": TASKS}


@pytest.mark.parametrize("application", APPLICATIONS)
def check_that_doing_nothing_does_not(application: str, tmp_path: Path):
    assert set(outcomes(application, "noop", tmp_path)) <= {"failure", "truncated"}
