"""Commands of other packages: found by entry point, and missed one by one."""

from __future__ import annotations

from collections.abc import Mapping
from importlib.metadata import EntryPoint

import pytest
from typer.testing import CliRunner

from webgym.cli import package_commands
from webgym.cli.main import app
from webgym.environments import registry
from webgym.errors import ConfigError
from webgym.plugins import COMMANDS, ENVIRONMENTS, brought


def installed(monkeypatch: pytest.MonkeyPatch, **points: str) -> None:
    named = {name.replace("_", "."): EntryPoint(name.replace("_", "."), at, COMMANDS) for name, at in points.items()}

    def brought(group: str) -> Mapping[str, EntryPoint]:
        assert group == COMMANDS
        return named

    monkeypatch.setattr(package_commands, "brought", brought)


def said(*words: str) -> str:
    return CliRunner().invoke(app, words, catch_exceptions=False, env={"COLUMNS": "200"}).output


@pytest.mark.parametrize(
    ("words", "folder"), [(("bench", "sessions", "--x"), "benchmarks"), (("demo",), "policies/nano")]
)
def test_a_command_whose_package_is_not_installed_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...], folder: str
):
    installed(monkeypatch)
    with pytest.raises(ConfigError, match=rf"^webgym {words[0]} is not installed.*pip install .*\./{folder}$"):
        said(*words)


def test_a_command_that_nobody_knows_is_no_command(monkeypatch: pytest.MonkeyPatch):
    installed(monkeypatch)
    assert "No such command 'fly'" in said("fly")


def test_a_package_that_cannot_be_imported_breaks_its_own_command_only(monkeypatch: pytest.MonkeyPatch):
    installed(monkeypatch, fly="no_such_package:app", plan="webgym.cli.status:status")
    assert "fly" in said("--help")
    assert "nodes, sessions and load" in said("plan", "--help")
    with pytest.raises(ConfigError, match=r"'fly' of webgym\.commands cannot be imported"):
        said("fly", "--far")


def test_a_package_can_add_to_a_group(monkeypatch: pytest.MonkeyPatch):
    installed(monkeypatch, judge_fly="webgym.cli.status:status")
    assert "fly" in said("judge", "--help")
    assert "fly" not in said("--help")
    assert "nodes, sessions and load" in said("judge", "fly", "--help")


def test_tasks_of_an_environment_that_is_not_installed_are_told_of_its_folder(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(registry, "brought", lambda group: {})
    with pytest.raises(ConfigError, match=r"'hermetic' is not installed.*pip install \./environments/hermetic$"):
        said("tasks", "import", "hermetic", "--out", "sets/mine")


def test_a_package_that_cannot_be_imported_does_not_break_the_sources_of_tasks(monkeypatch: pytest.MonkeyPatch):
    broken = EntryPoint("fly", "no_such_package:Fly", ENVIRONMENTS)
    monkeypatch.setattr(registry, "brought", lambda group: {**brought(group), "fly": broken})
    lines = said("tasks", "sources")
    assert "webvoyager" in lines
    assert "hermetic" in lines
    assert "fly" not in lines
