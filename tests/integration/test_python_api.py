"""Runs from Python: the same as those of the command line, without a word; and the page that tells of them is right."""

from __future__ import annotations

import asyncio
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from anyio.from_thread import start_blocking_portal
from tests.fleets import TOKENS, fleet_of

import webgym
from webgym.errors import ConfigError
from webgym.records.trajectory import Attempt, Ending
from webgym.run.commands import waited
from webgym.run.progress import NoProgress
from webgym.store.meta import load_meta

PAGE = Path(__file__).parents[2] / "docs" / "python.md"
EXAMPLES = re.findall(r"^```python\n(.*?)^```$", PAGE.read_text("utf-8"), re.MULTILINE | re.DOTALL)
TASK = {"task_id": "one", "instruction": "look", "website": "https://example.com", "rubric": []}


@pytest.fixture(scope="module")
def fleet() -> Iterator[str]:
    """The address of a fleet without browsers."""
    with start_blocking_portal() as portal, portal.wrap_async_context_manager(fleet_of()) as (made, _):
        yield made.url


@pytest.fixture
def settings(fleet: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    monkeypatch.setenv("WEBGYM_TOKEN", TOKENS.client)
    return {
        "tasks": {"use": "given", "given": [TASK], "repeats": 2},
        "agent": {"use": "noop"},
        "judge": {"use": "none"},
        "browser": {"url": fleet, "sessions": 2},
        "limits": {"easy": 2, "medium": 2, "hard": 2},
        "monitor": {"serve": False},
        "store": {"root": str(tmp_path)},
    }


def test_a_run_is_made_summed_up_and_stored_without_a_word(settings, capfd):
    result = webgym.run_rollout(**settings)
    assert capfd.readouterr().out == ""
    assert (result.complete, result.interrupted, result.summary.submitted) == (True, False, 2)
    assert load_meta(result.folder).kind == "rollout"
    with webgym.load_run(result.folder) as run:
        assert len(list(run.trajectories())) == 2
    again = webgym.run_rollout(resume=result.folder)
    assert (again.complete, again.summary) == (True, result.summary)


def test_who_wants_to_know_is_told(settings):
    class Told(NoProgress):
        def __init__(self) -> None:
            self.ends = 0

        def on_attempt(self, attempt: Attempt, ending: Ending) -> None:
            self.ends += 1

    told = Told()
    webgym.run_eval(progress=told, overrides=["tasks.repeats=1"], **settings)
    assert told.ends == 1


async def in_a_loop(settings: dict[str, Any]) -> tuple[bool, bool]:
    return webgym.run_eval(**settings).complete, (await webgym.run_eval_async(**settings, name="other")).complete


def test_it_works_in_notebooks_and_in_event_loops(settings):
    assert asyncio.run(in_a_loop(settings)) == (True, True)


def test_what_cannot_be_is_told_by_its_own_name(settings, tmp_path: Path):
    with pytest.raises(ConfigError, match=r"tasks\.cuont"):
        webgym.run_eval(tasks={"cuont": 3})
    with pytest.raises(ConfigError, match=r"agent\.use = 'nobody'"):
        webgym.run_eval(**settings | {"agent": {"use": "nobody"}})
    assert not list(tmp_path.iterdir())


def test_training_asks_for_what_it_lacks_before_there_is_a_run(settings, tmp_path: Path):
    with pytest.raises(ConfigError, match="no model given"):
        webgym.run_train(**settings | {"evaluate": {"tasks": {"count": 1}}, "tasks": {"count": 1}})
    assert not list(tmp_path.iterdir())


def test_a_machine_without_a_browser_is_told_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("WEBGYM_CHROMIUM", "/nowhere")
    with pytest.raises(ConfigError, match="webgym setup"):
        webgym.run_eval(agent={"use": "oracle"}, store={"root": str(tmp_path)})
    assert not list(tmp_path.iterdir())


def test_an_error_in_another_threads_loop_is_the_same_error():
    async def fails() -> None:
        raise ConfigError("as it is")

    async def loop() -> None:
        waited(fails)

    with pytest.raises(ConfigError, match="as it is"):
        asyncio.run(loop())


# -- docs/python.md ---------------------------------------------------------------------------------------------------


def run(code: str, folder: Path, **environment: str) -> str:
    command = [sys.executable, "-c", code]
    done = subprocess.run(
        command, cwd=folder, env={**os.environ, **environment}, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize(("number", "says"), [(0, "https://example.com PageChange"), (1, "0\n")])
def test_the_examples_of_sessions_run(number: int, says: str, fleet: str, tmp_path: Path):
    assert len(EXAMPLES) == 3
    assert run(EXAMPLES[number], tmp_path, WEBGYM_URL=fleet, WEBGYM_TOKEN=TOKENS.client).startswith(says)


@pytest.mark.chromium
@pytest.mark.full
def test_the_example_of_runs_runs(tmp_path: Path):
    code = EXAMPLES[2].replace('"count": 6', '"count": 1')
    assert run(code, tmp_path).startswith("100% of 1\n")


def test_all_names_are_on_the_page():
    table = PAGE.read_text("utf-8").split("\n## All names\n")[1]
    assert sorted(re.findall(r"`(\w+)`", table.split("These stay")[0])) == sorted(webgym.__all__)
