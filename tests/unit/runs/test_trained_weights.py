"""Weights of a training run are shown the web as they were in training, wherever they are named."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest
from tests.unit.store.making import META

from webgym.cli.attempt import _policy_settings  # pyright: ignore[reportPrivateUsage]
from webgym.pipeline.runs.load import load_config, load_config_as, to_toml
from webgym.pipeline.train.config import TrainConfig
from webgym.store.meta import RunKind, save_meta

SETTINGS = ("policy.model=nano", "limits.easy=17", "evaluate.limits.easy=19", "policy.temperature=0.7")


@pytest.fixture
def trained(tmp_path: Path) -> Path:
    return saved(tmp_path / "runs" / "one", "train")


def saved(run: Path, kind: RunKind) -> Path:
    weights = run / "policies" / "v00020"
    weights.mkdir(parents=True)
    config = to_toml(load_config_as(TrainConfig, overrides=SETTINGS))
    save_meta(run, msgspec.structs.replace(META, config=config, kind=kind))
    return weights


def test_an_evaluation_of_them_needs_no_other_setting(trained: Path):
    found = load_config(overrides=[f"policy.model='{trained}'"])
    nano = load_config(overrides=["policy.model=nano"])
    assert found.agent == nano.agent
    assert (found.browser.width, found.browser.height) == (nano.browser.width, nano.browser.height)
    assert (found.policy.max_tokens, found.policy.length) == (nano.policy.max_tokens, nano.policy.length)
    assert found.limits.easy == 19
    assert found.policy.temperature == load_config().policy.temperature


def test_what_is_said_counts_for_more(trained: Path):
    found = load_config(overrides=[f"policy.model='{trained}'", "agent.past_steps=2", "limits.easy=5"])
    assert (found.agent.past_steps, found.agent.dialect, found.limits.easy) == (2, "nano", 5)


def test_training_goes_on_from_them_with_the_limits_of_both(trained: Path):
    found = load_config_as(TrainConfig, overrides=[f"policy.model='{trained}'"])
    assert (found.limits.easy, found.evaluate.limits.easy) == (17, 19)


def test_other_folders_bring_no_settings(tmp_path: Path):
    plain = load_config()
    (tmp_path / "policies" / "mine").mkdir(parents=True)
    for folder in (tmp_path / "policies" / "mine", tmp_path, saved(tmp_path / "two", "eval")):
        assert load_config(overrides=[f"policy.model='{folder}'"]).agent == plain.agent


def test_a_try_takes_a_folder_for_its_policy(trained: Path):
    assert _policy_settings(str(trained), "") == [f"policy.model='{trained}'", "policy.temperature=0"]
