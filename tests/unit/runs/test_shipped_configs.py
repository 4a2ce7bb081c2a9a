"""What ships as a configuration is found by its name."""

from __future__ import annotations

from pathlib import Path

import pytest

from webgym.errors import ConfigError
from webgym.pipeline.runs.load import load_config
from webgym.pipeline.runs.shipped_configs import find_config


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
    with pytest.raises(ConfigError, match="train-nano"):
        load_config(Path("train-nana"))
    with pytest.raises(ConfigError, match="cannot be read"):
        load_config(Path("nowhere/train-nano.toml"))
