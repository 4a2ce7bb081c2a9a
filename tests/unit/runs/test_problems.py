"""Settings that do not exist: which was probably meant."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

from webgym.cli.fleet_options import read_fleet
from webgym.cli.main import app
from webgym.errors import ConfigError
from webgym.interop.gym.config import read_config
from webgym.run.load import load_config, load_config_as
from webgym.run.train_config import TrainConfig

EVAL = "`webgym eval --print-config` shows all"
TRAIN = "`webgym train --print-config` shows all"


@pytest.mark.parametrize(
    ("override", "told"),
    [
        ("tasks.cuont=3", f"there is no setting tasks.cuont; did you mean tasks.count? {EVAL}"),
        ("task.count=3", f"there is no setting task; did you mean tasks? {EVAL}"),
        ("pool.gates.opne=[1, 2]", f"there is no setting pool.gates.opne; did you mean pool.gates.open? {EVAL}"),
        ("tasks.zzz=3", f"there is no setting tasks.zzz; {EVAL}"),
        (
            "model={servers=['http://127.0.0.1:8000/v1'], model='m', temprature=1}",
            f"there is no setting model.temprature; did you mean model.temperature? {EVAL}",
        ),
    ],
)
def test_a_misspelt_setting_of_a_run_is_told_with_the_one_that_was_meant(override: str, told: str):
    with pytest.raises(ConfigError) as raised:
        load_config(None, [override])
    assert str(raised.value).endswith(f"\n  {told}")


@pytest.mark.parametrize(
    ("override", "told"),
    [
        ("trainer.presicion=float32", "trainer.presicion; did you mean trainer.precision?"),
        ("train.recipie=rloo", "train.recipie; did you mean train.recipe?"),
        ("train.source.gruops=3", "train.source.gruops; did you mean train.source.groups?"),
        ("train.loss.correction.hihg=3", "train.loss.correction.hihg; did you mean train.loss.correction.high?"),
    ],
)
def test_a_misspelt_setting_of_training_or_its_recipe_likewise(override: str, told: str):
    with pytest.raises(ConfigError) as raised:
        load_config_as(TrainConfig, None, [override])
    assert str(raised.value).endswith(f"there is no setting {told} {TRAIN}")


def test_what_is_wrong_otherwise_is_told_as_before():
    with pytest.raises(ConfigError, match=r"tasks\.count: Input should be"):
        load_config(None, ["tasks.count=-1"])


def test_a_misspelt_setting_in_a_fleets_file_is_told_with_the_one_that_was_meant(tmp_path: Path):
    file = tmp_path / "fleet.toml"
    file.write_text("[node.chromium]\nrecycle_after_session = 3\n")
    with pytest.raises(ConfigError) as raised:
        read_fleet(file, {})
    meant = "node.chromium.recycle_after_sessions"
    assert str(raised.value) == f"{file}: there is no setting {meant[:-1]}; did you mean {meant}?"


def test_a_misspelt_option_of_an_environment_is_told_with_the_one_that_was_meant():
    with pytest.raises(ConfigError) as raised:
        read_config({"max_stepz": 3})
    assert str(raised.value) == "there is no setting max_stepz; did you mean max_steps?"


def test_a_misspelt_setting_of_nanos_learning_is_told_with_the_one_that_was_meant(tmp_path: Path):
    told = CliRunner().invoke(app, ["nano", "learn", str(tmp_path), str(tmp_path / "out"), "optimizer.muonlr=3"])
    meant = "did you mean optimizer.muon_lr? `--print-settings` shows all"
    assert f"there is no setting optimizer.muonlr; {meant}" in f"{told.exception} {told.output}"
