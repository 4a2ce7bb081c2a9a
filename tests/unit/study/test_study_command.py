"""`webgym study run`: which arms it runs, and what it says of those that wait."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from rich.console import Console

from webgym.cli.study.run import _chosen, _print
from webgym.errors import ConfigError
from webgym.study.progress import RunProgress, State, StudyResult


@pytest.mark.parametrize("told", ["async", "sync,async,", ",", "Sync"])
def test_an_arm_that_the_study_does_not_have_is_refused(told):
    with pytest.raises(ConfigError, match=r"--arms: the study has no arm .*; its arms are sync, other"):
        _chosen(told, ["sync", "other"])


def test_no_arms_are_all_arms():
    assert _chosen("", ["sync", "async"]) == frozenset()
    assert _chosen("async", ["sync", "async"]) == {"async"}


@pytest.mark.parametrize(
    ("sync", "waits", "chosen", "said"),
    [
        ("done", "waiting", "sync", "the other arms wait: run the same command without --arms"),
        ("stopped", "waiting", "sync", "to resume: run the same command again"),
        ("done", "failed", "", "to resume: run the same command again"),
        ("done", "done", "", "study: runs/study.json"),
    ],
)
def test_what_to_run_next_is_said_as_it_is(sync: State, waits: State, chosen: str, said: str):
    runs = tuple(RunProgress(arm, 0, f"{arm}-0", state, 0, 2) for arm, state in (("sync", sync), ("async", waits)))
    done = sync == waits == "done"
    heard = io.StringIO()
    result = StudyResult(name="mine", complete=done, runs=runs, compared=None)
    _print(result, Path("runs"), Console(file=heard, width=200), frozenset([chosen]) if chosen else frozenset())
    lines = [line.strip() for line in heard.getvalue().splitlines()]
    assert said in lines
    assert sum(line.startswith(("to resume", "the other arms")) for line in lines) == (not done)
