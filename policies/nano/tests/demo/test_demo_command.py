"""`webgym demo` before anything starts."""

from __future__ import annotations

import importlib.metadata
import importlib.util
import re

import pytest
from typer.testing import CliRunner

from webgym.cli import packages, setup
from webgym.cli.main import app
from webgym.errors import ConfigError, ModelError

run = CliRunner().invoke


class Done:
    returncode = 0


def test_what_learning_needs_is_installed_without_a_clone_and_the_command_begins_again(monkeypatch):
    version = importlib.metadata.version
    calls = []

    def lacking(name: str) -> str:
        if name in {"torch", "tokenizers"}:
            raise importlib.metadata.PackageNotFoundError(name)
        return version(name)

    def again(program: str, arguments: list[str]) -> None:
        calls.append([program, *arguments])
        raise SystemExit(0)

    monkeypatch.setattr(importlib.metadata, "version", lacking)
    monkeypatch.setattr(packages, "install_cpu_build", calls.append)
    monkeypatch.setattr(packages.subprocess, "run", lambda command, **_: calls.append(command) or Done)
    monkeypatch.setattr(setup.os, "execv", again)
    monkeypatch.setattr(setup.sys, "argv", ["webgym", "demo", "--minutes", "1"])
    assert run(app, ["demo", "--minutes", "1"]).exit_code == 0
    torch, pip, began = calls
    assert re.split("[<>=]", torch)[0] == "torch"
    assert pip[1:4] == ["-m", "pip", "install"]
    assert [re.split("[<>=]", one)[0] for one in pip[4:]] == ["tokenizers", "torch"]
    assert began[2:] == ["-m", "webgym", "demo", "--minutes", "1"]


def test_without_pip_it_says_what_to_install(monkeypatch):
    monkeypatch.setattr(packages, "is_installed", lambda requirement: requirement != "pip")
    monkeypatch.setattr(packages, "_missing", lambda extra: ["torch>=2.9"] if extra == "train" else [])
    failed = run(app, ["demo"]).exception
    assert isinstance(failed, ConfigError)
    assert "torch>=2.9" in str(failed)


@pytest.mark.parametrize(("model", "error"), [("nowhere", ModelError), ("", ConfigError)])
def test_a_model_that_is_not_there_is_told_before_a_folder_is_made(monkeypatch, tmp_path, model, error):
    monkeypatch.setattr("webgym.cli.setup.ensure_ready", lambda **_: None)
    failed = run(app, ["demo", "--model", model, "--out", str(tmp_path / "run")]).exception
    assert isinstance(failed, error)
    assert not (tmp_path / "run").exists()
