"""The learning curve: one entry for every iteration of a training run."""

from __future__ import annotations

from webgym.records.base import Record
from webgym.records.trajectory import OutcomeKind

CURVE_VERSION = 1
ENOUGH_FOR_A_RATE = 60
"""With fewer attempts, successes are told as a count: a percentage would look more exact than it is."""


class Rate(Record, frozen=True, omit_defaults=False):
    """A success rate with its 95 % confidence interval."""

    successes: int
    attempts: int
    rate: float
    low: float
    high: float

    @property
    def telling(self) -> bool:
        """Whether there are enough attempts to tell a percentage."""
        return self.attempts >= ENOUGH_FOR_A_RATE


class MaskedAttempts(Record, frozen=True, omit_defaults=False):
    """Attempts without a reward: excluded from training and from success rates over graded attempts."""

    attempts: int
    share: float
    """Fraction of the finished attempts."""
    reasons: dict[str, int]
    """The most common reasons, with their counts."""
    steps: float
    """Mean number of steps of a masked attempt."""
    graded_steps: float
    """Mean number of steps of a graded attempt."""
    longer: float
    """Probability that a masked attempt is longer than a graded one, ties counted half: 0.5 if length is unrelated."""
    p_value: float
    """p-value of the rank test of `longer` against 0.5."""

    warnings: tuple[str, ...]
    """Possible bias: too many masked attempts, or a length that differs from that of graded ones."""


class GroupShares(Record, frozen=True, omit_defaults=False):
    """Groups of attempts at the same task. All but `groups` are fractions of the groups without a learning signal."""

    groups: int
    too_few: float
    """Fewer than two attempts have a reward."""
    all_pass: float
    all_fail: float


class Lengths(Record, frozen=True, omit_defaults=False):
    """Mean lengths of a set of attempts."""

    attempts: int
    steps: float
    tokens_per_step: float


class AttemptResults(Record, frozen=True, omit_defaults=False):
    """Results of a set of attempts."""

    success: Rate
    """Over graded attempts."""
    by_level: dict[str, Rate]
    outcomes: dict[OutcomeKind, int]
    successes: Lengths
    failures: Lengths
    tasks: int
    sites: int
    masked: MaskedAttempts | None = None
    """None in curves written by older versions."""
    grouped: GroupShares | None = None
    """None if no group has more than one attempt."""
    malformed: str = ""
    """A warning if most replies were malformed."""


class UpdateSummary(Record, frozen=True, omit_defaults=False):
    """One update of the weights."""

    rows: int
    tokens: int
    """Prompt and sampled tokens."""
    steps: int
    """Optimizer steps."""
    lr: float
    figures: dict[str, float]
    """Means over the optimizer steps, such as `loss`, `grad_norm`, `clip_share`, `kl_behaviour`."""
    fates: dict[str, int]
    """Number of groups by fate: kept, all_pass, all_fail, too_few, no_signal, stale."""
    lags: dict[int, int] = {}
    """Number of trained tokens by lag: how many updates behind the weights that sampled them were."""


class Flow(Record, frozen=True, omit_defaults=False):
    """How rollouts and updates overlapped in asynchronous training."""

    lag_mean: float
    """Mean lag of the trained tokens: updates between the weights that sampled them and those that train on them."""
    lag_max: int
    lacking: int
    """Samples left out because a picture was gone or the server's token data was incomplete."""
    running: int
    """Groups still running when the batch was taken."""
    waiting: int
    """Finished groups left for the next batch."""
    idle: dict[str, float]
    """Idle fractions of the time: `browser` slots, `inference` without a request, `trainer` without a batch."""
    restarts: dict[str, int]
    """Restarts of crashed processes since this process started."""


class Iteration(Record, frozen=True, omit_defaults=False):
    """One iteration: rollouts, an update, and sometimes an evaluation."""

    iteration: int
    """Counts from 1; 0 precedes the first update and has only an evaluation."""
    version: int
    """Version of the weights after the iteration."""
    ended: float
    """Unix time in seconds."""
    train: AttemptResults | None
    learned: UpdateSummary | None
    """None if there was nothing to train on."""
    evaluation: AttemptResults | None
    """On held-out websites, with the weights after this iteration."""
    seconds: dict[str, float]
    """Time by phase: collect, sleep, learn, wake, evaluate; wait, batch, learn and publish if asynchronous."""
    steps_per_second: float
    """Rollout steps per second of rollout time."""
    tokens_per_second: float
    """Sampled tokens per second of rollout time."""
    version_of: int = CURVE_VERSION
    flow: Flow | None = None
    """None in synchronous training."""

    @property
    def warnings(self) -> tuple[str, ...]:
        """Warnings about masked attempts and malformed replies, each prefixed with the attempts it is about."""
        parts = (("training", self.train), ("unseen websites", self.evaluation))
        told = (
            (name, (results.malformed, *(results.masked.warnings if results.masked else ())))
            for name, results in parts
            if results
        )
        return tuple(f"{name}: {warning}" for name, warnings in told for warning in warnings if warning)
