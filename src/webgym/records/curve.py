"""How learning goes: one entry for every iteration of a training run."""

from __future__ import annotations

from webgym.records.base import Record
from webgym.records.trajectory import OutcomeKind

CURVE_VERSION = 1


class Rate(Record, frozen=True, omit_defaults=False):
    """A share with its 95 % interval."""

    successes: int
    attempts: int
    rate: float
    low: float
    high: float


class Masked(Record, frozen=True, omit_defaults=False):
    """Attempts without a reward, which nothing is learned from and no rate of graded attempts knows."""

    attempts: int
    share: float
    """Of attempts that are over."""
    reasons: dict[str, int]
    """The commonest, as they were recorded."""
    steps: float
    """Of one, on average."""
    graded_steps: float
    """Likewise, of one that has a reward."""
    longer: float
    """How often one of them is longer than a graded one, ties counted half: 0.5 if length makes no difference."""
    p_value: float
    """Of the rank test of that."""

    warnings: tuple[str, ...]
    """What should make a reader careful: too many of them, or a length that is not that of the others."""


class Grouped(Record, frozen=True, omit_defaults=False):
    """Groups of attempts at the same task, by what could be learned from comparing them. Shares of all groups."""

    groups: int
    too_few: float
    """Fewer than two of its attempts have a reward."""
    all_pass: float
    all_fail: float


class Lengths(Record, frozen=True, omit_defaults=False):
    """How long some attempts were, on average."""

    attempts: int
    steps: float
    tokens_per_step: float


class Tried(Record, frozen=True, omit_defaults=False):
    """What became of some attempts."""

    success: Rate
    """Of attempts that were graded."""
    by_level: dict[str, Rate]
    outcomes: dict[OutcomeKind, int]
    successes: Lengths
    failures: Lengths
    tasks: int
    sites: int
    masked: Masked | None = None
    """None in curves of before this was told."""
    grouped: Grouped | None = None
    """None if no attempt was compared with another."""


class Learned(Record, frozen=True, omit_defaults=False):
    """One update of the weights."""

    rows: int
    tokens: int
    """Of prompts and replies."""
    steps: int
    """Of the optimizer."""
    lr: float
    figures: dict[str, float]
    """Means over the optimizer's steps, such as `loss`, `grad_norm`, `clip_share`, `kl_behaviour`."""
    fates: dict[str, int]
    """Groups by what became of them: kept, all_pass, all_fail, too_few, stale."""
    lags: dict[int, int] = {}
    """Tokens learned from, by how many updates the weights that sampled them were behind."""


class Flow(Record, frozen=True, omit_defaults=False):
    """How rollouts and updates ran beside each other, in asynchronous training."""

    lag_mean: float
    """Updates that the weights which sampled are behind those that learn: over the tokens learned from."""
    lag_max: int
    lacking: int
    """Samples that were left out: a picture of theirs was gone, or the server did not tell all of their tokens."""
    running: int
    """Groups that were under way when the batch was taken."""
    waiting: int
    """Groups that waited for the next one."""
    idle: dict[str, float]
    """Shares of time: `browser` of all slots, `inference` without a request, `trainer` without a batch."""
    restarts: dict[str, int]
    """Of processes that died, since this process began."""


class Iteration(Record, frozen=True, omit_defaults=False):
    """Rollouts, an update, and now and then an evaluation."""

    iteration: int
    """From 1; 0 is before the first update and has an evaluation alone."""
    version: int
    """Of the weights after it."""
    ended: float
    """Seconds since 1970."""
    train: Tried | None
    learned: Learned | None
    """None if there was nothing to learn from."""
    evaluation: Tried | None
    """On websites that are never trained on, with the weights after this iteration."""
    seconds: dict[str, float]
    """Where the time went: collect, sleep, learn, wake, evaluate; wait, batch, learn and publish if asynchronous."""
    steps_per_second: float
    """Of rollouts, while they ran."""
    tokens_per_second: float
    """Sampled, likewise."""
    version_of: int = CURVE_VERSION
    flow: Flow | None = None
    """None in synchronous training."""

    @property
    def warnings(self) -> tuple[str, ...]:
        """What should make a reader careful, and of which attempts."""
        parts = (("training", self.train), ("unseen websites", self.evaluation))
        return tuple(
            f"{name}: {warning}" for name, one in parts if one and one.masked for warning in one.masked.warnings
        )
