"""What the demo trains with."""

from __future__ import annotations

import pytest

from webgym.errors import ConfigError
from webgym.train.recipe import GroupSource
from webgym_nano.demo.settings import demo_config


def test_it_is_a_training_run_on_training_sites_tested_on_tasks_of_unseen_ones(tmp_path):
    config = demo_config(tmp_path / "run")
    assert config.policy.model == "nano"
    assert config.tasks.split == "train"
    assert config.evaluate.tasks.use == "nano"
    assert config.evaluate.every == 0
    assert isinstance(config.train.whole().source, GroupSource)


def test_another_model_is_shown_the_web_in_the_same_way(tmp_path):
    nano, other = demo_config(tmp_path / "run"), demo_config(tmp_path / "run", model="/some/folder")
    assert other.policy.model == "/some/folder"
    assert (other.agent, other.browser, other.limits) == (nano.agent, nano.browser, nano.limits)
    assert (nano.agent.dialect, nano.agent.prompt, nano.browser.width) == ("nano", "nano-1", 448)


def test_it_trains_within_the_memory_of_a_small_machine(tmp_path):
    """A picture of nano's size is 560 patches: eight of them in a pass."""
    settings = demo_config(tmp_path / "run").trainer
    assert settings.patches == 8 * 560
    assert settings.precision == "float32"


def test_settings_and_seed_can_be_given(tmp_path):
    config = demo_config(tmp_path / "run", seed=3, overrides=("train.lr=2e-4", "limits.easy=5"))
    assert (config.seed, config.train.lr, config.limits.easy) == (3, 2e-4, 5)


def test_a_folder_in_use_is_refused(tmp_path):
    (tmp_path / "something").write_text("")
    with pytest.raises(ConfigError, match="--out"):
        demo_config(tmp_path)
