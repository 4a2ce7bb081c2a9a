"""What ships as a configuration is found by its name."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from typer.testing import CliRunner

from webgym.cli.main import app
from webgym.errors import ConfigError
from webgym.run.load import load_config
from webgym.run.shipped_configs import find_config


def test_a_shipped_configuration_is_found_by_its_name_anywhere(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert find_config(Path("train-nano")).name == "train-nano.toml"
    assert find_config(Path("train-nano.toml")) == find_config(Path("train-nano"))
    assert load_config(Path("rollout-train")).tasks.split == "train"


def test_a_file_of_that_name_comes_first(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("rollout-train").write_text("[tasks]\ncount = 3\n")
    assert load_config(Path("rollout-train")).tasks.count == 3


def test_a_name_that_is_none_is_told_with_those_that_are():
    with pytest.raises(ConfigError, match=r"train-nano.*; `webgym configs` says what each is for"):
        load_config(Path("something-else"))
    for typed in ("trian-nano", "train-nana", "trian-nano.toml"):
        with pytest.raises(ConfigError, match=rf"^{typed} does not exist; did you mean train-nano\? `webgym configs`"):
            load_config(Path(typed))
    with pytest.raises(ConfigError, match="cannot be read"):
        load_config(Path("nowhere/train-nano.toml"))


def test_all_are_listed_with_what_they_say_first(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    listed = CliRunner().invoke(app, ["configs"], env={"COLUMNS": "60"})
    assert listed.exit_code == 0
    *lines, empty, how, where = listed.output.splitlines()
    files = sorted((Path(__file__).parents[3] / "configs").glob("*.toml"))
    assert [line.split()[0] for line in lines] == [file.name for file in files]
    for line, file in zip(lines, files, strict=True):
        assert line.split(maxsplit=1)[1] == file.read_text("utf-8").splitlines()[0].removeprefix("# ").removesuffix(":")
    assert (empty, where) == ("", f"folder: {files[0].parent}")
    assert "webgym train --config train-nano" in how
    assert "webgym study run study-nano-async" in how


def test_every_shipped_configuration_begins_with_what_it_is_for():
    for file in (Path(__file__).parents[3] / "configs").glob("*.toml"):
        assert re.match(r"# \S.*\S[.:]\n", file.read_text("utf-8")), file.name
