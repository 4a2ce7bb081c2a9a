"""Configurations: files, overrides, and messages that say what to change."""

from __future__ import annotations

import pytest

from webgym.errors import ConfigError
from webgym.run.config import RunConfig
from webgym.run.load import config_from, load_config, to_toml


def test_overrides_beat_the_file_which_beats_the_base(tmp_path):
    file = tmp_path / "run.toml"
    file.write_text('seed = 3\n[tasks]\ncount = 7\nsplit = "validation"\n')
    config = load_config(file, ["tasks.count=9"], {"tasks": {"split": "train", "repeats": 4}})
    assert (config.seed, config.tasks.count, config.tasks.split, config.tasks.repeats) == (3, 9, "validation", 4)


@pytest.mark.parametrize(
    ("override", "expected"),
    [
        ("agent.use=oracle", "oracle"),
        ("agent.use='oracle'", "oracle"),
        ('agent.use="examples.own_policy:Scroller"', "examples.own_policy:Scroller"),
        ("agent.use=examples.own_policy:Scroller", "examples.own_policy:Scroller"),
    ],
)
def test_words_need_no_quotes(override, expected):
    assert load_config(None, [override]).agent.use == expected


def test_lists_and_numbers_are_written_as_in_toml():
    config = load_config(None, ["tasks.levels=['easy', 'hard']", "limits.seconds=2.5"])
    assert (config.tasks.levels, config.limits.seconds) == (("easy", "hard"), 2.5)


@pytest.mark.parametrize(
    ("override", "named"),
    [
        ("tasks.cuont=5", "tasks.cuont"),
        ("tasks.count=many", "tasks.count"),
        ("no equals sign", "tasks.count=50"),
        ("limits.easy=0", "limits.easy"),
    ],
)
def test_a_setting_that_cannot_be_is_named(override, named):
    with pytest.raises(ConfigError, match=named.replace(".", r"\.")):
        load_config(None, [override])


def test_a_file_that_is_not_there_or_not_toml_is_named(tmp_path):
    with pytest.raises(ConfigError, match=r"missing\.toml"):
        load_config(tmp_path / "missing.toml")
    (tmp_path / "bad.toml").write_text("tasks = [")
    with pytest.raises(ConfigError, match="not TOML"):
        load_config(tmp_path / "bad.toml")
    (tmp_path / "latin.toml").write_bytes('name = "größer"'.encode("latin-1"))
    with pytest.raises(ConfigError, match="not TOML"):
        load_config(tmp_path / "latin.toml")


def test_a_configuration_reads_back_as_it_was_written():
    config = load_config(
        None, ["model.servers=['http://127.0.0.1:8000/v1']", "model.model='Qwen/Qwen3-VL-8B-Instruct'", "seed=4"]
    )
    assert config_from(to_toml(config)) == config
    assert config_from(to_toml(RunConfig())) == RunConfig()
