"""`webgym demo` before anything starts."""

from __future__ import annotations

import importlib.util

import pytest
from typer.testing import CliRunner

from webgym.cli.main import app
from webgym.errors import ConfigError, ModelError

run = CliRunner().invoke


def without(monkeypatch, *missing: str) -> None:
    find = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda name, *rest: None if name in missing else find(name, *rest))


def test_without_torch_it_says_how_to_get_it(monkeypatch):
    without(monkeypatch, "torch", "transformers")
    failed = run(app, ["demo"]).exception
    assert isinstance(failed, ConfigError)
    assert "torch, transformers" in str(failed)
    assert "pip install '.[train]'" in str(failed)


@pytest.mark.parametrize(("model", "error"), [("nowhere", ModelError), ("", ConfigError)])
def test_a_model_that_is_not_there_is_told_before_a_folder_is_made(monkeypatch, tmp_path, model, error):
    monkeypatch.setattr("webgym.cli.setup.ensure_ready", lambda: None)
    failed = run(app, ["demo", "--model", model, "--out", str(tmp_path / "run")]).exception
    assert isinstance(failed, error)
    assert not (tmp_path / "run").exists()
