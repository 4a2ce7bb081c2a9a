"""The configurations that ship say what was published."""

from __future__ import annotations

from pathlib import Path

import pytest

from webgym.records.observation import Viewport
from webgym.run.load import load_config_as
from webgym.run.train_config import TrainConfig
from webgym.train.recipe import GroupSource, ReplaySource
from webgym_nano.lessons.agent_settings import SETTINGS, VIEWPORT

CONFIGS = Path(__file__).parents[3] / "configs"


def loaded(name: str) -> TrainConfig:
    return load_config_as(TrainConfig, CONFIGS / f"{name}.toml")


@pytest.mark.parametrize("path", sorted(CONFIGS.glob("train-*.toml")), ids=lambda path: path.stem)
def test_every_one_of_them_can_be_used(path):
    config = load_config_as(TrainConfig, path)
    assert config.tasks.split == "train"
    assert config.evaluate.tasks.split != "train"
    assert config.policy.model


def test_webgyms_recipe_is_the_published_one():
    config = loaded("train-webgym-8b")
    recipe = config.train.whole()
    assert recipe.source == ReplaySource(tasks=1_024, iterations=4, power=2.0, steps=1_800)
    assert (recipe.optimizer.lr, recipe.updates.epochs, recipe.loss.use) == (1e-6, 2, "logprob")
    assert (config.limits.easy, config.limits.medium, config.limits.hard) == (10, 20, 30)


def test_asyncwebrls_recipe_is_the_published_one():
    recipe = loaded("train-asyncwebrl-8b").train.whole()
    assert isinstance(recipe.source, GroupSource)
    source = recipe.source
    assert (source.groups, source.members, source.k, source.max_lag, source.aggregation) == (16, 8, 10, 2, "constant")
    loss = recipe.loss
    assert (loss.clip_low, loss.clip_high, loss.dual_clip, loss.correction.high) == (0.2, 0.2, 3.0, 5.0)
    assert (recipe.updates.minibatches, recipe.updates.epochs, recipe.optimizer.lr) == (2, 3, 5e-6)


def test_nano_learns_the_same_asynchronously_for_comparison():
    alone, beside = loaded("train-nano"), loaded("train-nano-async")
    assert (alone.train.mode, beside.train.mode) == ("sync", "async")
    assert alone.train.whole() == beside.train.whole()
    assert alone.evaluate == beside.evaluate


def test_nano_is_shown_the_web_as_it_was_taught():
    config = loaded("train-nano")
    mine = {name: getattr(config.agent, name) for name in ("dialect", "prompt", "rounds", "max_images", "past_steps")}
    assert mine == {name: getattr(SETTINGS, name) for name in mine}
    assert (config.agent.screenshot, config.agent.quality) == (SETTINGS.screenshot, SETTINGS.quality)
    assert Viewport(config.browser.width, config.browser.height) == VIEWPORT
