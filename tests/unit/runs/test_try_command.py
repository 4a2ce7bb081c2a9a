"""What `webgym try` says when it cannot do as asked, or was not let finish."""

from __future__ import annotations

import io
from pathlib import Path
from types import SimpleNamespace

import pytest
from rich.console import Console
from tests.unit.store.making import META
from typer.testing import CliRunner

from webgym.cli.attempt import _task_settings  # pyright: ignore[reportPrivateUsage]
from webgym.cli.main import app
from webgym.cli.run_options import carry_out, choose
from webgym.errors import ConfigError, SiteUnknown
from webgym.run import commands
from webgym.run.config import EnvironmentConfig, RunConfig, TasksConfig
from webgym.run.tasks import tasks_for
from webgym.store.meta import RunKind, save_meta
from webgym_hermetic.catalogue import site_named


def ended(kind: RunKind, folder: Path, monkeypatch: pytest.MonkeyPatch, *, complete: bool = True, lost: int = 0) -> str:
    async def result(*_: object) -> object:
        save_meta(folder / "one", META)
        summary = SimpleNamespace(outcomes={"infrastructure": lost})
        return SimpleNamespace(complete=complete, interrupted=not complete, summary=summary)

    monkeypatch.setattr(commands, "carry_out", result)
    (folder / "one").mkdir()
    chosen = choose(kind, RunConfig, None, [f"store.root='{folder}'", "name=one"])
    said = io.StringIO()
    carry_out(chosen, Console(file=said, soft_wrap=True))
    return said.getvalue()


def test_an_interrupted_try_names_no_command_that_does_not_exist(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    assert "--resume" not in ended("try", tmp_path, monkeypatch, complete=False, lost=3)


@pytest.mark.parametrize("kind", ["rollout", "eval"])
def test_an_interrupted_run_says_how_to_go_on(kind: RunKind, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    said = ended(kind, tmp_path, monkeypatch, complete=False)
    assert f"to resume: webgym {kind} --resume {tmp_path / 'one'}" in said


@pytest.mark.parametrize("kind", ["rollout", "eval"])
def test_a_run_that_lost_attempts_says_how_to_try_them_again(
    kind: RunKind, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    said = ended(kind, tmp_path, monkeypatch, lost=3)
    assert f"to try the 3 again that were lost to infrastructure: webgym {kind} --resume {tmp_path / 'one'}" in said
    (tmp_path / "other").mkdir()
    assert "--resume" not in ended(kind, tmp_path / "other", monkeypatch)


def test_a_try_of_a_name_that_is_taken_is_not_told_to_go_on(tmp_path: Path):
    (tmp_path / "one").mkdir()
    (tmp_path / "one" / "something").write_text("")
    with pytest.raises(ConfigError, match=r"already exists: choose another name=$"):
        choose("try", RunConfig, None, [f"store.root='{tmp_path}'", "name=one"])


def test_an_instruction_without_a_place_to_start_is_told_of_the_option():
    with pytest.raises(ConfigError, match=r"no task 'find hours': a free-text instruction needs --url"):
        CliRunner().invoke(app, ["try", "find hours"], catch_exceptions=False)


@pytest.mark.parametrize("task", ["shop-6-999", "shop-6-1000", "dalehavenmercantile-999"])
def test_a_task_that_its_site_does_not_have_is_told_with_how_to_list_those_it_has(task: str):
    with pytest.raises(SiteUnknown, match=rf"^there is no task '{task}'; `webgym sites show shop-6 --tasks 100` lists"):
        CliRunner().invoke(app, ["try", task], catch_exceptions=False)


@pytest.mark.parametrize("task", ["shop-6-003", "shop-6-3", "dalehavenmercantile-003"])
def test_a_task_is_named_by_its_site_and_number_in_any_way(task: str):
    assert _task_settings(task, "", EnvironmentConfig())["tasks"]["task_ids"] == ("dalehavenmercantile-003",)


def test_a_site_beyond_the_catalogue_can_be_tried_too():
    tasks = TasksConfig(**_task_settings("shop-60", "", EnvironmentConfig())["tasks"])
    assert [task.website for task in tasks_for(tasks, 0)] == [f"http://{site_named('shop-60').name}.localhost/"]


@pytest.mark.parametrize("url", ["http://127.0.0.1:9/v1", "http://[x/v1"])
def test_a_server_that_is_not_there_is_told_at_once(url: str, tmp_path: Path):
    ran = CliRunner().invoke(app, ["try", "shop-6", f"store.root={tmp_path}", "--policy", url, "--model", "x"])
    assert isinstance(ran.exception, ConfigError)
    assert f"no model server answers at {url}: start it, or correct --policy" in str(ran.exception)
    assert not list(tmp_path.iterdir())


def test_an_address_of_ones_own_needs_somebody_who_tries(tmp_path: Path):
    ran = CliRunner().invoke(app, ["try", "find hours", f"store.root={tmp_path}", "--url", "https://example.org"])
    assert isinstance(ran.exception, ConfigError)
    assert "only an environment has an oracle: choose a policy with --policy" in str(ran.exception)
    assert not list(tmp_path.iterdir())
