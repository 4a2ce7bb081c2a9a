"""What kinds of runs differ in by default is said by their configurations, whoever makes them."""

from __future__ import annotations

import pytest

from webgym.rollout.limits import Limits
from webgym.run.config import RolloutConfig, RunConfig, TasksConfig
from webgym.run.load import load_config_as
from webgym.run.train_config import TrainConfig

TRAINING = [RolloutConfig, TrainConfig]


def horizons(config: RunConfig) -> tuple[int, int, int]:
    return config.limits.easy, config.limits.medium, config.limits.hard


@pytest.mark.parametrize("kind", TRAINING)
@pytest.mark.parametrize("made", [lambda kind: kind(), load_config_as])
def test_rollouts_and_training_are_on_training_sites_with_the_horizons_of_training(kind, made):
    config = made(kind)
    assert (config.tasks.split, config.tasks.quarantine, horizons(config)) == ("train", True, (10, 20, 30))


def test_evaluations_are_on_test_sites_with_the_horizons_of_tests():
    for config in (RunConfig(), TrainConfig().evaluation()):
        assert (config.tasks.split, config.tasks.quarantine, horizons(config)) == ("test", False, (30, 50, 70))


@pytest.mark.parametrize("kind", TRAINING)
def test_what_is_said_about_a_part_leaves_the_rest_of_it_as_it_was(kind):
    config = load_config_as(kind, None, ["tasks.count=7", "limits.hard=99"])
    assert (config.tasks.count, config.tasks.split, horizons(config)) == (7, "train", (10, 20, 99))
    config = load_config_as(kind, None, ["tasks.split=validation", "tasks.quarantine=false"])
    assert (config.tasks.split, config.tasks.quarantine) == ("validation", False)


def test_what_a_program_makes_itself_is_taken_as_it_is():
    config = TrainConfig(tasks=TasksConfig(count=3), limits=Limits())
    assert (config.tasks.split, horizons(config)) == ("test", (30, 50, 70))


def test_settings_of_a_program_come_before_those_that_are_typed():
    config = load_config_as(RunConfig, None, [{"tasks": {"count": 3, "repeats": 2}}, "tasks.count=4"])
    assert (config.tasks.count, config.tasks.repeats) == (4, 2)
