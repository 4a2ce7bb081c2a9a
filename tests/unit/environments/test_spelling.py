"""Short forms of settings, and their names of earlier versions."""

from __future__ import annotations

import pytest

from webgym.run.config import RunConfig, TasksConfig
from webgym.run.load import config_from, load_config, load_config_as, to_toml
from webgym.run.train_config import TrainConfig


def test_an_environment_may_be_named_in_short(tmp_path):
    file = tmp_path / "mine.toml"
    file.write_text('env = "live"\n[tasks]\ncount = 3\n')
    for config in (
        load_config(None, ["env=live"]),
        load_config(None, [{"env": "live"}]),
        load_config(None, ["env.use=live"]),
        load_config(file),
        load_config(None, [], {"env": "live"}),
    ):
        assert (config.env.use, config.env.options) == ("live", {})
    options = load_config(None, ["env=live", "env.options.file=app.toml", "env.options.instances=4"]).env
    assert (options.use, options.options) == ("live", {"file": "app.toml", "instances": 4})
    assert config_from(to_toml(load_config(file))) == load_config(file)


def test_what_a_caller_gives_is_not_changed():
    given = {"env": "live", "weather": {"error_rate": 0.5}}
    assert load_config(None, [given]).faults.error_rate == 0.5
    assert given == {"env": "live", "weather": {"error_rate": 0.5}}


@pytest.mark.parametrize("spelling", ["weather", "faults"])
def test_faults_are_known_by_their_former_name(spelling: str):
    config = load_config_as(TrainConfig, None, [f"{spelling}.error_rate=0.5", f"evaluate.{spelling}.error_rate=0.25"])
    assert (config.faults.error_rate, config.evaluate.faults.error_rate) == (0.5, 0.25)
    stored = f"[{spelling}]\nlatency_seconds = 2.0\n"
    assert config_from(stored).faults.latency_seconds == 2
    assert "weather" not in to_toml(config)


def test_tasks_of_the_environment_are_known_by_their_former_name():
    assert load_config(None, ["tasks.use=hermetic"]).tasks == TasksConfig()
    assert config_from("[tasks]\nuse = 'hermetic'\n") == RunConfig()
