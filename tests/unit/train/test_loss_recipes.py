"""Recipes: the published ones, and what is refused."""

from __future__ import annotations

import math
import subprocess
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from webgym.errors import ConfigError
from webgym.train.recipe import (
    PRESETS,
    Correction,
    GroupSource,
    LossSettings,
    Optimizer,
    Recipe,
    ReplaySource,
    Updates,
    plan_updates,
    recipe_named,
)


def test_filtered_cloning_is_as_published():
    recipe = recipe_named("webgym-fbc")
    assert recipe.source == ReplaySource(tasks=1024, iterations=4, power=2.0, steps=1800)
    assert recipe.loss.use == "logprob"
    assert not recipe.loss.needs_behaviour
    assert not recipe.loss.needs_proximal
    assert (recipe.optimizer.lr, recipe.optimizer.schedule, recipe.updates.epochs) == (1e-6, "constant", 2)


def test_asynchronous_grpo_is_as_published():
    recipe = recipe_named("asyncwebrl-grpo")
    source = recipe.source
    assert isinstance(source, GroupSource)
    assert (source.groups, source.members, source.estimator) == (16, 8, "grpo")
    assert (source.aggregation, source.k, source.max_lag) == ("constant", 10.0, 2)
    assert (recipe.loss.clip_low, recipe.loss.clip_high, recipe.loss.dual_clip) == (0.2, 0.2, 3.0)
    assert recipe.loss.correction == Correction(use="mask", high=5.0)
    assert recipe.loss.kl == 0
    assert recipe.loss.needs_behaviour
    assert recipe.loss.needs_proximal
    assert (recipe.updates.minibatches, recipe.updates.epochs, recipe.optimizer.lr) == (2, 3, 5e-6)


@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("grpo-1-over-tau", {"aggregation": "per_trajectory"}),
        ("rloo", {"estimator": "rloo"}),
        ("dr-grpo", {"estimator": "dr_grpo"}),
    ],
)
def test_the_others_differ_from_it_in_one_thing(name, change):
    base = recipe_named("asyncwebrl-grpo").model_dump()
    assert recipe_named(name).model_dump() == base | {"source": base["source"] | change}


def test_recipes_survive_json():
    for recipe in PRESETS.values():
        assert Recipe.model_validate_json(recipe.model_dump_json()) == recipe


def test_a_recipe_that_there_is_not_is_refused_with_those_that_there_are():
    with pytest.raises(ConfigError, match="asyncwebrl-grpo"):
        recipe_named("ppo")


@pytest.mark.parametrize(
    "wrong",
    [
        {"anchor": "behaviour", "correction": {"use": "mask"}},
        {"dual_clip": 1.1},
        {"dual_clip": 1.0, "clip_high": None},
        {"clip_low": 1.5},
        {"clip_high": math.inf},
        {"kl": -0.1},
        {"correction": {"use": "mask", "low": 5, "high": 5}},
        {"clip": 0.2},
    ],
)
def test_losses_that_cannot_work_are_refused(wrong):
    with pytest.raises(ValidationError):
        LossSettings.model_validate(wrong)


def test_what_a_loss_needs_follows_from_its_settings():
    assert LossSettings(anchor="behaviour").needs_behaviour
    assert not LossSettings(anchor="behaviour").needs_proximal
    assert LossSettings().needs_proximal
    assert not LossSettings().needs_behaviour
    assert LossSettings(surrogate="logprob", correction=Correction(use="clamp")).needs_proximal


@settings(deadline=None, max_examples=80)
@given(
    count=st.integers(0, 60),
    minibatches=st.integers(1, 9),
    rows=st.integers(0, 20),
    epochs=st.integers(1, 4),
    seed=st.integers(0, 99),
)
def test_every_epoch_sees_each_row_once(count, minibatches, rows, epochs, seed):
    updates = Updates(minibatches=minibatches, rows=rows, epochs=epochs)
    plan = plan_updates(count, updates, seed)
    assert plan == plan_updates(count, updates, seed)
    for epoch in range(epochs):
        parts = [one for one in plan if one.epoch == epoch]
        assert sorted(row for one in parts for row in one.rows) == list(range(count))
        assert all(one.scale == len(parts) and one.rows for one in parts)
        if rows:
            assert all(len(one.rows) <= rows for one in parts)
        sizes = [len(one.rows) for one in parts]
        assert not sizes or max(sizes) - min(sizes) <= 1


def test_two_minibatches_and_three_epochs_are_six_steps_and_epochs_differ_in_order():
    plan = plan_updates(10, Updates(minibatches=2, epochs=3), seed=1)
    assert [one.epoch for one in plan] == [0, 0, 1, 1, 2, 2]
    assert len({one.rows for one in plan}) == 6


def test_the_learning_rate_rises_then_falls_to_its_floor():
    course = Optimizer(lr=1.0, schedule="cosine", floor=0.1, steps=110, warmup=10)
    assert [course.lr_at(step) for step in (0, 4, 9)] == pytest.approx([0.1, 0.5, 1.0])
    assert course.lr_at(10) == 1.0
    assert course.lr_at(60) == pytest.approx(0.55)
    assert course.lr_at(110) == course.lr_at(10_000) == pytest.approx(0.1)
    assert Optimizer(lr=0.5).lr_at(10_000) == 0.5


def test_the_learning_rate_may_fall_until_the_run_ends():
    course = Optimizer(lr=1.0, schedule="cosine", steps=0, warmup=10, floor=0)
    assert course.lr_at(4, 0.1) == pytest.approx(0.5)
    assert [course.lr_at(500, done) for done in (0, 0.5, 1, 1.1)] == pytest.approx([1.0, 0.5, 0, 0])


def test_recipes_are_read_without_torch():
    code = "import sys; import webgym.train.recipe; sys.exit('torch' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_batches_are_made_without_torch_and_numpy():
    code = (
        "import sys, webgym.buffer.batches, webgym.buffer.replay\n"
        "sys.exit(bool({'torch', 'numpy'} & sys.modules.keys()))"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
