"""Training recipes: the parts of an algorithm, and presets by name. Plain data: importing this needs no torch."""

from __future__ import annotations

import math
import random
from collections.abc import Mapping
from typing import Annotated, Any, Literal, Self

from pydantic import Field, field_validator, model_validator

from webgym.algorithms.advantages.chosen import estimator_of
from webgym.algorithms.advantages.estimator import Estimator
from webgym.algorithms.registry import ESTIMATORS, checked_name
from webgym.algorithms.settings import Correction, Count, LossSettings, NotNegative, Positive, Settings
from webgym.errors import ConfigError
from webgym.records.sample import Aggregation


class ReplaySource(Settings):
    """Filtered behaviour cloning: steps of successful attempts, drawn from the last iterations."""

    use: Literal["replay"] = "replay"
    tasks: Count = 1_024
    """Tasks attempted per iteration."""
    iterations: Count = 4
    power: NotNegative = 2.0
    steps: Count = 1_800


class GroupSource(Settings):
    """Groups of attempts at the same task, compared with each other."""

    use: Literal["groups"] = "groups"
    groups: Count = 16
    """Groups per batch."""
    members: Annotated[int, Field(ge=2)] = 8
    """Attempts per group."""
    probe: Annotated[int, Field(ge=0)] = 0
    """Attempts of a group that begin first, in asynchronous training. The others follow only if these have different
    rewards; else the group is dropped early. 0: all begin."""
    estimator: str = "grpo"
    """How advantages are estimated from the rewards of a group: `grpo`, `dr_grpo`, `rloo`, `maxrl`, `gigpo`, `reward`,
    or `module:function`, an estimator of your own."""
    estimator_options: dict[str, Any] = {}
    """Keyword arguments of the estimator."""
    aggregation: Aggregation = "constant"
    k: Positive = 10.0
    """Divisor of the `constant` aggregation."""
    partial: Annotated[float, Field(ge=0, lt=1)] = 0.0
    """Credit for the facts that hold in a failed attempt, in training only: this times their share. 0: success is all
    that counts."""
    branch_weight: NotNegative = 0.5
    """Factor on the weight of `agent.branches`: other answers than the one given, judged in its place."""
    skip_unchanged: bool = False
    """Steps whose action changed nothing get weight 0."""
    max_lag: Annotated[int, Field(ge=0)] = 2
    """Maximum policy lag, in updates, of the oldest token of a group."""
    refill: Annotated[float, Field(ge=1)] = 3.0
    """Maximum number of groups sampled for one batch, as a multiple of `groups`."""

    @field_validator("estimator")
    @classmethod
    def _known(cls, name: str) -> str:
        return checked_name(name, ESTIMATORS)

    @model_validator(mode="after")
    def _probes(self) -> Self:
        if self.probe and not 2 <= self.probe < self.members:
            raise ValueError(f"probe is {self.probe}; it must be at least 2 and below members, {self.members}, or 0")
        return self

    @property
    def advantages(self) -> Estimator:
        """The estimator with its options.

        Raises:
            ConfigError: It cannot be imported, or does not take what it would be called with.
        """
        return estimator_of(self.estimator, self.estimator_options)


class Optimizer(Settings):
    """AdamW and its learning rate schedule."""

    lr: NotNegative = 5e-6
    """0 serves as a control: everything runs, and nothing is learned."""
    schedule: Literal["constant", "cosine"] = "constant"
    floor: Annotated[float, Field(ge=0, le=1)] = 0.1
    """For `cosine`: final learning rate, as a fraction of `lr`."""
    steps: Annotated[int, Field(ge=0)] = 1_800
    """For `cosine`: optimizer steps until the end of the schedule; 0: it ends with the run."""
    warmup: Annotated[int, Field(ge=0)] = 0
    """Optimizer steps of linear warmup."""
    betas: tuple[float, float] = (0.9, 0.999)
    epsilon: Positive = 1e-8
    weight_decay: NotNegative = 0.01
    clip_norm: Positive = 1.0
    average: Annotated[float, Field(ge=0, lt=1)] = 0.0
    """Decay, per batch, of a moving average of the weights, which is saved beside each version and is what evaluations
    use. 0: there is none."""

    def lr_at(self, step: int, done: float = 0.0) -> float:
        """Return the learning rate of an optimizer step, counted from 0, when this share of the run is over."""
        if step < self.warmup:
            return self.lr * (step + 1) / self.warmup
        if self.schedule == "constant":
            return self.lr
        if self.steps:
            done = (step - self.warmup) / max(1, self.steps - self.warmup)
        return self.lr * (self.floor + (1 - self.floor) * (1 + math.cos(math.pi * min(1.0, done))) / 2)


class Updates(Settings):
    """Optimizer steps per batch."""

    minibatches: Count = 1
    rows: Annotated[int, Field(ge=0)] = 0
    """Rows per minibatch; unless 0, `minibatches` is ignored."""
    epochs: Count = 1


class Recipe(Settings):
    """A complete training algorithm."""

    source: Annotated[ReplaySource | GroupSource, Field(discriminator="use")] = GroupSource()
    loss: LossSettings = LossSettings()
    optimizer: Optimizer = Optimizer()
    updates: Updates = Updates()


class Minibatch(Settings):
    """Rows of one optimizer step."""

    epoch: int
    rows: tuple[int, ...]
    """Indices into the batch."""
    scale: float
    """Factor on the loss: the samples' weights are for the whole batch."""


def plan_updates(count: int, updates: Updates, seed: int) -> tuple[Minibatch, ...]:
    """Plan the optimizer steps for a batch of `count` rows: every epoch visits each row once, in its own order.

    The gradients of an epoch, each divided by its scale, add up to that of the whole batch.
    """
    parts = -(-count // updates.rows) if updates.rows else updates.minibatches
    parts = max(1, min(parts, count))
    planned: list[Minibatch] = []
    for epoch in range(updates.epochs):
        order = list(range(count))
        random.Random(f"updates {seed} {epoch}").shuffle(order)  # noqa: S311 (must be repeatable, not secret)
        cuts = [count * part // parts for part in range(parts + 1)]
        planned += [
            Minibatch(epoch=epoch, rows=tuple(order[cuts[part] : cuts[part + 1]]), scale=float(parts))
            for part in range(parts)
        ]
    return tuple(planned) if count else ()


_ASYNC_LOSS = LossSettings(dual_clip=3.0, correction=Correction(use="mask", high=5.0))
_ASYNC = Recipe(
    source=GroupSource(),
    loss=_ASYNC_LOSS,
    optimizer=Optimizer(lr=5e-6, schedule="cosine", warmup=30),
    updates=Updates(minibatches=2, epochs=3),
)

PRESETS: Mapping[str, Recipe] = {
    "webgym-fbc": Recipe(
        source=ReplaySource(),
        loss=LossSettings(use="logprob"),
        optimizer=Optimizer(lr=1e-6, warmup=30),
        updates=Updates(rows=96, epochs=2),
    ),
    "asyncwebrl-grpo": _ASYNC,
    "grpo-1-over-tau": _ASYNC.model_copy(update={"source": GroupSource(aggregation="per_trajectory")}),
    "rloo": _ASYNC.model_copy(update={"source": GroupSource(estimator="rloo")}),
    "dr-grpo": _ASYNC.model_copy(update={"source": GroupSource(estimator="dr_grpo")}),
    "gigpo": _ASYNC.model_copy(update={"source": GroupSource(estimator="gigpo")}),
    "dapo": _ASYNC.model_copy(
        update={
            "source": GroupSource(aggregation="token_mean"),
            "loss": _ASYNC_LOSS.model_copy(update={"clip_high": 0.28}),
        }
    ),
    "gspo": _ASYNC.model_copy(
        update={
            "source": GroupSource(aggregation="step_mean"),
            "loss": LossSettings(use="gspo", correction=_ASYNC_LOSS.correction),
        }
    ),
    "cispo": _ASYNC.model_copy(
        update={
            "source": GroupSource(aggregation="token_mean"),
            "loss": LossSettings(use="cispo", correction=_ASYNC_LOSS.correction),
        }
    ),
}
"""Published settings, variants with one thing changed, and other algorithms in the same surroundings."""


def recipe_named(name: str) -> Recipe:
    """Return one of `PRESETS`.

    Raises:
        ConfigError: There is none of that name.
    """
    try:
        return PRESETS[name]
    except KeyError:
        raise ConfigError(f"there is no recipe {name!r}; there are {', '.join(PRESETS)}") from None
