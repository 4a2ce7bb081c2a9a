"""What can be said about a training run, and what is refused."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest
from typer.testing import CliRunner

from webgym.cli.main import app
from webgym.errors import ConfigError
from webgym.run.load import config_from_as, load_config_as, to_toml
from webgym.run.train_config import TrainConfig
from webgym.train.recipe import GroupSource, ReplaySource

CONFIGS = Path(__file__).parents[3] / "configs"


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
    ],
)
def test_what_cannot_be_is_named(override, said):
    with pytest.raises(ConfigError, match=said):
        loaded(override)


def test_a_configuration_means_the_same_when_it_is_read_back():
    config = loaded("train.lr=1e-4", "train.updates.epochs=2", "trainer.lora.rank=8", "evaluate.tasks.count=3")
    again = config_from_as(TrainConfig, to_toml(config))
    assert again == config.spelled_out()
    assert again.train.whole() == config.train.whole()


def printed(*arguments: str) -> str:
    told = CliRunner().invoke(app, ["train", "--print-config", *arguments])
    assert told.exit_code == 0, told.output
    return told.stdout


def test_the_recipes_values_are_printed_with_what_is_different_here():
    shown = tomllib.loads(printed("train.updates.epochs=7", "train.lr=1e-4"))["train"]
    assert (shown["optimizer"]["lr"], shown["optimizer"]["schedule"]) == (1e-4, "cosine")
    assert (shown["source"]["groups"], shown["source"]["members"]) == (16, 8)
    assert (shown["loss"]["clip_low"], shown["loss"]["clip_high"], shown["loss"]["correction"]["use"]) == (
        0.2,
        0.2,
        "mask",
    )
    assert shown["updates"] == {"minibatches": 2, "rows": 0, "epochs": 7}


@pytest.mark.parametrize("file", sorted(CONFIGS.glob("train-*.toml")), ids=lambda file: file.stem)
def test_what_is_printed_leads_to_the_same_run_as_a_file(tmp_path: Path, file: Path):
    text = printed("--config", str(file))
    given_back = tmp_path / "printed.toml"
    given_back.write_text(text)
    assert printed("--config", str(given_back)) == text
    first, again = (load_config_as(TrainConfig, one) for one in (file, given_back))
    assert again.train.whole() == first.train.whole()
    assert again == first.spelled_out()
    assert again.model_dump(exclude={"train"}) == first.model_dump(exclude={"train"})


def test_what_is_printed_can_be_changed_as_any_file(tmp_path: Path):
    (tmp_path / "printed.toml").write_text(printed("train.recipe=webgym-fbc"))
    changed = load_config_as(
        TrainConfig, tmp_path / "printed.toml", ["train.source.steps=5", "train.optimizer.lr=1e-3"]
    )
    whole = changed.train.whole()
    assert (whole.source, whole.optimizer.lr) == (ReplaySource(steps=5), 1e-3)


def test_an_evaluation_has_tasks_and_limits_of_its_own():
    config = loaded("tasks.split=train", "limits.easy=3", "evaluate.tasks.count=5", "evaluate.limits.easy=9")
    evaluation = config.evaluation()
    assert (evaluation.tasks.split, evaluation.tasks.count, evaluation.limits.easy) == ("test", 5, 9)
    assert (config.tasks.split, config.limits.easy) == ("train", 3)


def test_the_weather_of_training_is_not_that_of_evaluations():
    config = loaded("faults.latency_seconds=2", "evaluate.faults.error_rate=0.1")
    evaluation = config.evaluation()
    assert (config.faults.latency_seconds, config.faults.error_rate) == (2, 0)
    assert (evaluation.faults.latency_seconds, evaluation.faults.error_rate) == (0, 0.1)
