"""What an algorithm is made of, and the published ones by name. Plain data: importing this needs no torch."""

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
    """Frozen; unknown keys are refused, so that a misspelt option cannot be ignored."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Correction(Settings):
    """What is done about weights that learn from what other weights, or another implementation, sampled.

    The importance weight of a token is its probability under the proximal policy over that under the behaviour policy:
    it holds both the lag of the sampler and the difference between its kernels and the trainer's.
    """

    use: Literal["off", "full", "clamp", "mask"] = "off"
    """`off`: it counts as 1. `full`: as it is. `clamp`: moved into the bounds (TIS). `mask`: tokens outside of them
    count nothing (MIS, IcePop); what others count does not change."""
    low: NotNegative = 0.0
    high: Positive = 5.0
    level: Literal["token", "sequence", "geometric"] = "token"
    """Whose ratio: each token's, the product over its row, or the geometric mean over its row."""

    @model_validator(mode="after")
    def _in_order(self) -> Correction:
        if self.low >= self.high:
            raise ValueError(f"low ({self.low}) must be below high ({self.high})")
        return self


class LossSettings(Settings):
    """Choices of the one loss kernel."""

    surrogate: Literal["ratio", "logprob"] = "ratio"
    """`ratio`: PPO's. `logprob`: plain policy gradient; with advantage 1, supervised learning."""
    anchor: Literal["proximal", "behaviour"] = "proximal"
    """What the ratio is taken against: the trainer's weights when the batch came in (decoupled PPO), or those that
    sampled (coupled)."""
    clip_low: Annotated[float, Field(gt=0, le=1)] | None = 0.2
    """The ratio counts no lower than 1 - this; None: however low."""
    clip_high: Positive | None = 0.2
    """The ratio counts no higher than 1 + this; None: however high."""
    dual_clip: Annotated[float, Field(gt=1, allow_inf_nan=False)] | None = None
    """With a negative advantage the ratio counts no higher than this, also where PPO's clip would let it."""
    correction: Correction = Correction()
    damping: Share = 0.0
    """Improbable tokens count less: times 1 - this * (1 - probability). A few of them can make up most of a gradient's
    length."""
    negative: Share = 1.0
    """What tokens of attempts that did worse than their group count, against those that did better."""
    kl: NotNegative = 0.0
    """Weight of the k3 estimate of the divergence from a reference policy."""

    @model_validator(mode="after")
    def _fits(self) -> LossSettings:
        if self.surrogate == "ratio" and self.anchor == "behaviour" and self.correction.use != "off":
            raise ValueError("a ratio against the behaviour policy is its own correction: set correction.use to 'off'")
        if self.dual_clip is not None and self.clip_high is not None and self.dual_clip <= 1 + self.clip_high:
            raise ValueError(f"dual_clip ({self.dual_clip}) must be above 1 + clip_high")
        return self

    @property
    def needs_behaviour(self) -> bool:
        """Whether samples need the logprobs they were sampled with."""
        return self.corrects or (self.surrogate == "ratio" and self.anchor == "behaviour")

    @property
    def needs_proximal(self) -> bool:
        """Whether logprobs are needed as they were before the first update on a batch."""
        return self.corrects or (self.surrogate == "ratio" and self.anchor == "proximal")

    @property
    def corrects(self) -> bool:
        return self.correction.use != "off"


class ReplaySource(Settings):
    """Filtered behaviour cloning: steps of successful attempts, drawn from the last iterations."""

    use: Literal["replay"] = "replay"
    tasks: Count = 1_024
    """Attempted in an iteration."""
    iterations: Count = 4
    power: NotNegative = 2.0
    steps: Count = 1_800


class GroupSource(Settings):
    """Groups of attempts at the same task, compared with each other."""

    use: Literal["groups"] = "groups"
    groups: Count = 16
    """In a batch."""
    members: Annotated[int, Field(ge=2)] = 8
    """Attempts in a group."""
    estimator: Estimator = "grpo"
    aggregation: Aggregation = "constant"
    k: Positive = 10.0
    """Of `constant`."""
    skip_unchanged: bool = False
    """Steps whose action changed nothing get weight 0."""
    max_lag: Annotated[int, Field(ge=0)] = 2
    """Updates that the oldest token of a group may be behind."""
    refill: Annotated[float, Field(ge=1)] = 3.0
    """Groups sampled for one batch, at most, as a multiple of `groups`."""


class Optimizer(Settings):
    """AdamW and its course."""

    lr: NotNegative = 5e-6
    """0 is a control: everything runs and nothing is learned."""
    schedule: Literal["constant", "cosine"] = "constant"
    floor: Annotated[float, Field(ge=0, le=1)] = 0.1
    """Of `cosine`: what is left of `lr` at the end."""
    steps: Count = 1_800
    """Of `cosine`: optimizer steps until the end."""
    warmup: Annotated[int, Field(ge=0)] = 0
    """Optimizer steps over which `lr` rises from 0."""
    betas: tuple[float, float] = (0.9, 0.999)
    epsilon: Positive = 1e-8
    weight_decay: NotNegative = 0.01
    clip_norm: Positive = 1.0

    def lr_at(self, step: int) -> float:
        """The learning rate of an optimizer step, counted from 0."""
        if step < self.warmup:
            return self.lr * (step + 1) / self.warmup
        if self.schedule == "constant":
            return self.lr
        done = min(1.0, (step - self.warmup) / max(1, self.steps - self.warmup))
        return self.lr * (self.floor + (1 - self.floor) * (1 + math.cos(math.pi * done)) / 2)


class Updates(Settings):
    """How often the weights move for one batch."""

    minibatches: Count = 1
    rows: Annotated[int, Field(ge=0)] = 0
    """In a minibatch; 0: as `minibatches` says. Otherwise that is not looked at."""
    epochs: Count = 1


class Recipe(Settings):
    """A whole algorithm."""

    source: Annotated[ReplaySource | GroupSource, Field(discriminator="use")] = GroupSource()
    loss: LossSettings = LossSettings()
    optimizer: Optimizer = Optimizer()
    updates: Updates = Updates()


class Minibatch(Settings):
    """Rows of one optimizer step."""

    epoch: int
    rows: tuple[int, ...]
    """Places in the batch."""
    scale: float
    """Multiply the loss with this: the weights are for the whole batch at once."""


def plan_updates(count: int, updates: Updates, seed: int) -> tuple[Minibatch, ...]:
    """The optimizer steps for a batch of `count` rows: every epoch sees each row once, in an order of its own.

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
"""Published settings, and the same with one thing changed."""


def recipe_named(name: str) -> Recipe:
    """One of `PRESETS`.

    Raises:
        ConfigError: There is none of that name.
    """
    try:
        return PRESETS[name]
    except KeyError:
        raise ConfigError(f"there is no recipe {name!r}; there are {', '.join(PRESETS)}") from None
