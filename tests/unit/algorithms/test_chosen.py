"""How a loss and an estimator are chosen in a configuration, and what is said of those that cannot be."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest
from typer.testing import CliRunner

from webgym.algorithms.advantages.chosen import estimator_of
from webgym.algorithms.registry import ESTIMATORS, LOSSES
from webgym.algorithms.settings import Correction, LossSettings
from webgym.buffer.advantages import DroppedGroup, GroupAdvantages, score
from webgym.cli.main import app
from webgym.errors import ConfigError
from webgym.run.load import config_from_as, load_config_as, to_toml
from webgym.run.training.algorithms import check_algorithms, modules_of
from webgym.run.training.config import TrainConfig
from webgym.train.recipe import GroupSource, Recipe

OWN = "tests.unit.algorithms.own"


def whole(*overrides: str) -> Recipe:
    return load_config_as(TrainConfig, None, overrides).train.whole()


def test_another_loss_keeps_what_all_have_and_starts_from_its_own_bounds():
    loss = whole("train.loss.use=gspo", "train.loss.negative=0.5").loss
    assert loss == LossSettings(use="gspo", correction=Correction(use="mask", high=5.0), negative=0.5)
    assert (loss.clip_low, loss.clip_high, loss.dual_clip) == (3e-4, 4e-4, None)
    assert whole("train.loss.use=cispo", "train.loss.clip_high=2").loss.of_its_own == {"clip_low": None, "clip_high": 2}


@pytest.mark.parametrize(("old", "use"), [("ratio", "ppo"), ("logprob", "logprob")])
def test_the_former_spelling_means_what_it_meant(old, use):
    for recipe in ("asyncwebrl-grpo", "webgym-fbc"):
        named = whole(f"train.recipe={recipe}").loss
        assert whole(f"train.recipe={recipe}", f"train.loss.surrogate={old}").loss == named.model_copy(
            update={"use": use}
        )
    assert LossSettings(surrogate=old) == LossSettings(use=use)


@pytest.mark.parametrize(
    "overrides",
    [
        ("train.loss.use=cispo",),
        ("train.recipe=dapo",),
        ("train.recipe=gigpo", "train.source.estimator_options.discount=0.9"),
        (f"train.loss.use={OWN}:pull", "train.loss.options.strength=2", f"train.source.estimator={OWN}:centred"),
    ],
)
def test_a_choice_means_the_same_when_it_is_read_back(overrides):
    config = load_config_as(TrainConfig, None, overrides)
    again = config_from_as(TrainConfig, to_toml(config))
    assert again.train.whole() == config.train.whole()
    assert Recipe.model_validate_json(config.train.whole().model_dump_json()) == config.train.whole()


@pytest.mark.parametrize(
    ("override", "said"),
    [
        ("train.loss.use=gsop", "train.loss.use: 'gsop' is not built in; did you mean gspo? There are ppo, logprob"),
        ("train.source.estimator=gropo", "train.source.estimator: 'gropo' is not built in; did you mean grpo?"),
        ("train.loss.surrogate=ratoi", "'ratoi' is not built in"),
        ("train.loss.use=gspo train.loss.dual_clip=3", "gspo has no dual_clip"),
        (f"train.loss.use={OWN}:pull train.loss.clip_high=0.3", "pull has no clip_high"),
        ("train.loss.options.strength=2", "options are for a loss of your own: ppo has none"),
        ("train.loss.use=ppo train.loss.surrogate=ratio", "former name"),
        ("train.loss.use=cispo train.loss.anchor=behaviour", "its own correction"),
    ],
)
def test_what_cannot_be_is_said_when_the_configuration_is_read(override, said):
    with pytest.raises(ConfigError, match=re.escape(said)):
        whole(*override.split())


@pytest.mark.parametrize(
    ("overrides", "said"),
    [
        ("train.loss.use=nowhere.at.all:pull", "cannot be imported: No module named 'nowhere'"),
        (f"train.loss.use={OWN}:push", "cannot be imported: module"),
        (
            f"train.loss.use={OWN}:pull train.loss.options.weakness=1",
            "expected is a function that is called as f(tokens",
        ),
        (f"train.loss.use={OWN}:without_arguments", "takes (): too many positional arguments; expected"),
        (f"train.loss.use={OWN}:Class", "is a class; expected is a function"),
        (f"train.loss.use={OWN}:OWN", "cannot be imported"),
        (f"train.loss.use={OWN}:summed", "gave a tensor of shape (): expected is a tensor with the loss of each"),
        (f"train.loss.use={OWN}:without_gradient", "has no gradient"),
        (f"train.loss.use={OWN}:broken", "fails for made-up tokens: ZeroDivisionError('oh no')"),
        (f"train.source.estimator={OWN}:median", "cannot be imported"),
        (f"train.source.estimator={OWN}:centred train.source.estimator_options.size=1", "called as f(members, size=…)"),
        ("train.source.estimator_options.size=1", "train.source.estimator = 'grpo' takes (members"),
        (f"train.source.estimator={OWN}:one_too_few", "for 3 members: expected is one for each"),
        (f"train.source.estimator={OWN}:not_finite", "not finite"),
        (f"train.source.estimator={OWN}:of_no_number", "expected is for each member one number"),
        (f"train.source.estimator={OWN}:whole_instead_of_steps", "expected is for each member the advantage of each"),
    ],
)
def test_what_is_not_as_expected_is_said_before_anything_is_started(overrides, said):
    recipe = whole(*overrides.split())
    with pytest.raises(ConfigError, match=re.escape(said)):
        check_algorithms(recipe)


def test_what_is_as_expected_passes_and_the_trainer_looks_where_the_run_does(monkeypatch):
    recipe = whole(
        f"train.loss.use={OWN}:pull", "train.loss.options.strength=2", f"train.source.estimator={OWN}:centred"
    )
    check_algorithms(recipe)
    monkeypatch.syspath_prepend("/somewhere")
    assert "/somewhere" in modules_of(recipe)
    assert modules_of(whole()) == ()


def test_options_reach_the_estimator():
    source = GroupSource(estimator=f"{OWN}:centred", estimator_options={"scale": 3.0})
    assert score((1.0, None, 0.0), source.advantages) == GroupAdvantages((1.5, None, -1.5))


def test_a_group_without_any_advantage_is_dropped():
    assert score((1.0, 0.0), f"{OWN}:nothing") == DroppedGroup("no_signal")
    assert score((0.0, 0.0), "reward") == GroupAdvantages((0.0, 0.0))


def test_a_built_in_estimator_is_the_same_by_its_path():
    path = "webgym.algorithms.advantages.reward:reward"
    assert score((0.0, None), path) == score((0.0, None), "reward") == GroupAdvantages((0.0, None))
    assert estimator_of(path).estimate is estimator_of("reward").estimate


def test_a_loss_of_ones_own_is_given_the_logprobs_of_all_policies():
    loss = LossSettings(use=f"{OWN}:pull")
    assert (loss.needs_behaviour, loss.needs_proximal) == (True, True)


def test_the_help_names_what_is_built_in():
    told = CliRunner().invoke(app, ["train", "--help"], env={"COLUMNS": "200"})
    assert all(name in told.stdout for name in (*LOSSES, *ESTIMATORS))


def test_a_configuration_is_checked_without_torch():
    code = (
        "import sys; from webgym.train.recipe import PRESETS\n"
        "from webgym.run.training.algorithms import check_algorithms\n"
        "for one in PRESETS.values(): check_algorithms(one)\n"
        "import webgym.testing.conformance; sys.exit('torch' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
