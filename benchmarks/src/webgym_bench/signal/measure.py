"""Measures the gradient signal of a stored run, given the weights that sampled it."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import torch

from webgym.algorithms.settings import LossSettings
from webgym.buffer.samples import SampleMaker, runs
from webgym.errors import ConfigError
from webgym.records.base import Record
from webgym.store.read import open_run
from webgym.train.open import open_trainer
from webgym.train.recipe import Recipe
from webgym.train.settings import TrainerSettings
from webgym_bench.signal.gradients import Told, contrasts, mixed_groups
from webgym_bench.signal.share import FEWEST, Contrast, Signal, common_share


@dataclass(frozen=True, slots=True)
class Plan:
    """What to measure."""

    run: Path
    model: Path
    dampings: tuple[float, ...]
    negatives: tuple[float, ...]
    seconds: float
    settings: TrainerSettings
    seed: int = 0


class Report(Record, frozen=True, omit_defaults=False):
    """The results of a measurement."""

    groups: int
    """Mixed groups that were measured in the time allowed."""
    mixed: int
    """All groups with both successes and failures."""
    signals: tuple[Signal, ...]


def measure(plan: Plan, told: Told) -> Report:
    """Measure groups in a seeded random order until the time is up.

    Raises:
        StoreError: There is no such run.
        ModelError: There is no such model.
        SampleError: A step of the run cannot be trained on.
        ConfigError: Too few groups have both successes and failures.
    """
    recipe = Recipe(loss=LossSettings(use="logprob"))
    with open_run(plan.run) as run:
        trainer = open_trainer(str(plan.model), recipe, plan.settings, run.blob)
        maker = SampleMaker(runs(trainer.source.config.image_token_id), logprobs=False)
        groups = mixed_groups(run)
        random.Random(plan.seed).shuffle(groups)  # noqa: S311 (must be repeatable, not secret)
        found = contrasts(trainer, run, groups, maker, plan.dampings, plan.seconds, told)
    counted = len(found[plan.dampings[0]])
    if counted < FEWEST:
        what = f"{counted} of {len(groups)} groups with both successes and failures were measured"
        raise ConfigError(f"{what}, but {FEWEST} are needed: raise --minutes, or collect more attempts per task")
    signals = [_signal(found[damping], damping, one) for damping in plan.dampings for one in plan.negatives]
    return Report(counted, len(groups), tuple(signals))


def _signal(found: Sequence[Contrast], damping: float, negative: float) -> Signal:
    share, error = common_share(torch.stack([one.advantage(negative) for one in found]))
    return Signal(damping, negative, share, error)
