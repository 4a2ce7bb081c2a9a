"""What can be said about a training run, and what is refused."""

from __future__ import annotations

import pytest

from webgym.errors import ConfigError
from webgym.pipeline.runs.load import config_from_as, load_config_as, to_toml
from webgym.pipeline.train.config import TrainConfig
from webgym.train.recipe import GroupSource, ReplaySource


def loaded(*overrides: str) -> TrainConfig:
    return load_config_as(TrainConfig, None, overrides)


def test_a_recipe_is_taken_by_name_and_changed_where_asked():
    recipe = loaded("train.recipe=asyncwebrl-grpo", "train.lr=0", "train.source.groups=4", "train.loss.clip_high=0.3")
    whole = recipe.train.whole()
    assert (whole.optimizer.lr, whole.loss.clip_high, whole.loss.clip_low, whole.loss.dual_clip) == (0, 0.3, 0.2, 3.0)
    assert isinstance(whole.source, GroupSource)
    assert (whole.source.groups, whole.source.members, whole.source.k) == (4, 8, 10.0)
    assert isinstance(loaded("train.recipe=webgym-fbc").train.whole().source, ReplaySource)


def test_another_source_starts_from_its_own_defaults():
    whole = loaded("train.source.use=replay", "train.source.steps=7").train.whole()
    assert whole.source == ReplaySource(steps=7)


@pytest.mark.parametrize(
    ("override", "said"),
    [
        ("train.recipe=ppo", "there is no recipe 'ppo'"),
        ("train.source.groups=0", "groups"),
        ("train.source.steps=5", "steps"),
        ("train.lr=-1", "train.lr"),
        ("control=placebo", "control"),
        ("trainer.presicion=float32", "presicion"),
        ("evaluate.tasks.split=nowhere", "evaluate.tasks.split"),
    ],
)
def test_what_cannot_be_is_named(override, said):
    with pytest.raises(ConfigError, match=said):
        loaded(override)


def test_a_configuration_means_the_same_when_it_is_read_back():
    config = loaded("train.lr=1e-4", "train.updates.epochs=2", "trainer.lora.rank=8", "evaluate.tasks.count=3")
    assert config_from_as(TrainConfig, to_toml(config)) == config


def test_an_evaluation_has_tasks_and_limits_of_its_own():
    config = loaded("tasks.split=train", "limits.easy=3", "evaluate.tasks.count=5", "evaluate.limits.easy=9")
    evaluation = config.evaluation()
    assert (evaluation.tasks.split, evaluation.tasks.count, evaluation.limits.easy) == ("test", 5, 9)
    assert (config.tasks.split, config.limits.easy) == ("train", 3)
