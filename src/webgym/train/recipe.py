"""Training recipes: the parts of an algorithm, and presets by name. Plain data: importing this needs no torch."""

from __future__ import annotations

import math
import random
from collections.abc import Mapping
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator

from webgym.errors import ConfigError
from webgym.records.sample import Aggregation, Estimator

Count = Annotated[int, Field(ge=1)]
Positive = Annotated[float, Field(gt=0, allow_inf_nan=False)]
NotNegative = Annotated[float, Field(ge=0, allow_inf_nan=False)]
Share = Annotated[float, Field(ge=0, le=1)]


class Settings(BaseModel):
    """Base of all settings: frozen, and unknown keys are refused, so that a misspelt option is not ignored."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Correction(Settings):
    """Off-policy correction by importance weights.

    The importance weight of a token is its probability under the proximal policy over that under the behaviour policy:
    it covers both policy lag and the numerical mismatch between the sampler's kernels and the trainer's.
    """

    use: Literal["off", "full", "clamp", "mask"] = "off"
    """`off`: weights are 1. `full`: used as they are. `clamp`: clamped to the bounds (TIS). `mask`: tokens outside the
    bounds are dropped (MIS, IcePop), and the others not rescaled."""
    low: NotNegative = 0.0
    high: Positive = 5.0
    level: Literal["token", "sequence", "geometric"] = "token"
    """Ratio of each token, product over its row, or geometric mean over its row."""

    @model_validator(mode="after")
    def _in_order(self) -> Correction:
        if self.low >= self.high:
            raise ValueError(f"low ({self.low}) must be below high ({self.high})")
        return self


class LossSettings(Settings):
    """Options of the loss kernel."""

    surrogate: Literal["ratio", "logprob"] = "ratio"
    """`ratio`: PPO. `logprob`: plain policy gradient; with advantage 1, supervised learning."""
    anchor: Literal["proximal", "behaviour"] = "proximal"
    """Denominator of the ratio: the trainer's policy when the batch came in (decoupled PPO), or the one that sampled
    (coupled)."""
    clip_low: Annotated[float, Field(gt=0, le=1)] | None = 0.2
    """The ratio is clipped below at 1 - this; None: not clipped."""
    clip_high: Positive | None = 0.2
    """The ratio is clipped above at 1 + this; None: not clipped."""
    dual_clip: Annotated[float, Field(gt=1, allow_inf_nan=False)] | None = None
    """Upper bound on the ratio of tokens with a negative advantage, which PPO's clip leaves unbounded."""
    correction: Correction = Correction()
    damping: Share = 0.0
    """Weights are scaled by 1 - this * (1 - probability): a few improbable tokens can dominate the gradient norm."""
    negative: Share = 1.0
    """Factor on the weights of tokens with a negative advantage."""
    kl: NotNegative = 0.0
    """Coefficient of the k3 estimate of the KL divergence from a reference policy."""

    @model_validator(mode="after")
    def _fits(self) -> LossSettings:
        if self.surrogate == "ratio" and self.anchor == "behaviour" and self.correction.use != "off":
            raise ValueError("a ratio against the behaviour policy is its own correction: set correction.use to 'off'")
        if self.dual_clip is not None and self.clip_high is not None and self.dual_clip <= 1 + self.clip_high:
            raise ValueError(f"dual_clip ({self.dual_clip}) must be above 1 + clip_high")
        return self

    @property
    def needs_behaviour(self) -> bool:
        """Whether samples need the logprobs recorded at sampling."""
        return self.corrects or (self.surrogate == "ratio" and self.anchor == "behaviour")

    @property
    def needs_proximal(self) -> bool:
        """Whether logprobs from before the first update on a batch are needed."""
        return self.corrects or (self.surrogate == "ratio" and self.anchor == "proximal")

    @property
    def corrects(self) -> bool:
        return self.correction.use != "off"


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
    estimator: Estimator = "grpo"
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


class Optimizer(Settings):
    """AdamW and its learning rate schedule."""

    lr: NotNegative = 5e-6
    """0 serves as a control: everything runs, and nothing is learned."""
    schedule: Literal["constant", "cosine"] = "constant"
    floor: Annotated[float, Field(ge=0, le=1)] = 0.1
    """For `cosine`: final learning rate, as a fraction of `lr`."""
    steps: Count = 1_800
    """For `cosine`: optimizer steps until the end of the schedule."""
    warmup: Annotated[int, Field(ge=0)] = 0
    """Optimizer steps of linear warmup."""
    betas: tuple[float, float] = (0.9, 0.999)
    epsilon: Positive = 1e-8
    weight_decay: NotNegative = 0.01
    clip_norm: Positive = 1.0

    def lr_at(self, step: int) -> float:
        """Return the learning rate of an optimizer step, counted from 0."""
        if step < self.warmup:
            return self.lr * (step + 1) / self.warmup
        if self.schedule == "constant":
            return self.lr
        done = min(1.0, (step - self.warmup) / max(1, self.steps - self.warmup))
        return self.lr * (self.floor + (1 - self.floor) * (1 + math.cos(math.pi * done)) / 2)


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
        loss=LossSettings(surrogate="logprob"),
        optimizer=Optimizer(lr=1e-6, warmup=30),
        updates=Updates(rows=96, epochs=2),
    ),
    "asyncwebrl-grpo": _ASYNC,
    "grpo-1-over-tau": _ASYNC.model_copy(update={"source": GroupSource(aggregation="per_trajectory")}),
    "rloo": _ASYNC.model_copy(update={"source": GroupSource(estimator="rloo")}),
    "dr-grpo": _ASYNC.model_copy(update={"source": GroupSource(estimator="dr_grpo")}),
}
"""Published settings, and variants with one thing changed."""


def recipe_named(name: str) -> Recipe:
    """Return one of `PRESETS`.

    Raises:
        ConfigError: There is none of that name.
    """
    try:
        return PRESETS[name]
    except KeyError:
        raise ConfigError(f"there is no recipe {name!r}; there are {', '.join(PRESETS)}") from None
