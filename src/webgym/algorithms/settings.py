"""Settings of losses: which one, and what all of them have in common. Plain data: importing this needs no torch."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal, cast

from pydantic import BaseModel, ConfigDict, Field, field_validator, model_validator

from webgym.algorithms.registry import LOSSES, checked_name

Count = Annotated[int, Field(ge=1)]
Positive = Annotated[float, Field(gt=0, allow_inf_nan=False)]
NotNegative = Annotated[float, Field(ge=0, allow_inf_nan=False)]
Share = Annotated[float, Field(ge=0, le=1)]

_OLD = {"ratio": "ppo", "logprob": "logprob"}
"""Names of the losses in `surrogate`, the former name of `use`."""
_CLIPS = ("clip_low", "clip_high", "dual_clip")
_TAKES: Mapping[str, tuple[str, ...]] = {
    "ppo": _CLIPS,
    "logprob": (),
    "gspo": ("clip_low", "clip_high"),
    "cispo": ("clip_low", "clip_high"),
}
"""Which of the bounds each built-in loss has."""
_BOUNDS: Mapping[str, Mapping[str, float | None]] = {
    "gspo": {"clip_low": 3e-4, "clip_high": 4e-4},
    "cispo": {"clip_low": None, "clip_high": 4.0},
}
"""Their defaults, where they differ: the ratio of a whole row varies far less than that of a token."""
_IN_COMMON = ("anchor", "correction", "damping", "negative", "kl")


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
    """The loss. `anchor`, `correction`, `damping`, `negative` and `kl` go with every one, also with your own."""

    use: str = "ppo"
    """`ppo`: clipped ratio. `logprob`: plain policy gradient; with advantage 1, supervised learning. `gspo`: clipped
    ratio of whole rows. `cispo`: logprobs, weighted by the clipped ratio. Or `module:function`, a loss of your own."""
    options: dict[str, Any] = {}
    """Keyword arguments of a loss of your own."""
    anchor: Literal["proximal", "behaviour"] = "proximal"
    """Denominator of the ratio: the trainer's policy when the batch came in (decoupled PPO), or the one that sampled
    (coupled)."""
    clip_low: Annotated[float, Field(gt=0, le=1)] | None = 0.2
    """The ratio is clipped below at 1 - this; None: not clipped. `gspo`: 0.0003, `cispo`: None unless given."""
    clip_high: Positive | None = 0.2
    """The ratio is clipped above at 1 + this; None: not clipped. `gspo`: 0.0004, `cispo`: 4 unless given."""
    dual_clip: Annotated[float, Field(gt=1, allow_inf_nan=False)] | None = None
    """Of `ppo`: upper bound on the ratio of tokens with a negative advantage, which its clip leaves unbounded."""
    correction: Correction = Correction()
    damping: Share = 0.0
    """Weights are scaled by 1 - this * (1 - probability): a few improbable tokens can dominate the gradient norm."""
    negative: Share = 1.0
    """Factor on the weights of tokens with a negative advantage."""
    kl: NotNegative = 0.0
    """Coefficient of the k3 estimate of the KL divergence from a reference policy."""

    @model_validator(mode="before")
    @classmethod
    def _complete(cls, values: Any) -> Any:
        if not isinstance(values, Mapping):
            return values
        given = spelled(cast("Mapping[str, Any]", values))
        return {**_BOUNDS.get(str(given.get("use")), {}), **given}

    @field_validator("use")
    @classmethod
    def _known(cls, name: str) -> str:
        return checked_name(name, LOSSES)

    @model_validator(mode="after")
    def _fits(self) -> LossSettings:
        if self.has_ratio and self.anchor == "behaviour" and self.corrects:
            raise ValueError("a ratio against the behaviour policy is its own correction: set correction.use to 'off'")
        if self.dual_clip is not None and self.clip_high is not None and self.dual_clip <= 1 + self.clip_high:
            raise ValueError(f"dual_clip ({self.dual_clip}) must be above 1 + clip_high")
        if self.use in LOSSES and self.options:
            raise ValueError(f"options are for a loss of your own: {self.use} has none")
        if foreign := self._foreign():
            raise ValueError(f"{self.use} has no {' and no '.join(foreign)}")
        return self

    def _foreign(self) -> list[str]:
        """Return the bounds that are given, and of another loss. `logprob` has always ignored them."""
        takes = _TAKES.get(self.use, ())
        usual = {name: LossSettings.model_fields[name].default for name in _CLIPS}
        given = [name for name in _CLIPS if name not in takes and getattr(self, name) != usual[name]]
        return [] if self.use == "logprob" else given

    @property
    def of_its_own(self) -> dict[str, Any]:
        """Keyword arguments of the loss function."""
        if self.use not in LOSSES:
            return self.options
        return {name: getattr(self, name) for name in _TAKES[self.use]}

    @property
    def has_ratio(self) -> bool:
        """Whether the loss has a ratio to the anchor policy; one of your own may have."""
        return self.use != "logprob"

    @property
    def needs_behaviour(self) -> bool:
        """Whether samples need the logprobs recorded at sampling."""
        return self.corrects or self.use not in LOSSES or (self.has_ratio and self.anchor == "behaviour")

    @property
    def needs_proximal(self) -> bool:
        """Whether logprobs from before the first update on a batch are needed."""
        return self.corrects or (self.has_ratio and self.anchor == "proximal")

    @property
    def corrects(self) -> bool:
        return self.correction.use != "off"


def spelled(given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the settings of a loss with `use` instead of `surrogate`, its former name."""
    values = dict(given)
    if "surrogate" not in values:
        return values
    name = values.pop("surrogate")
    if "use" in values:
        raise ValueError("`surrogate` is the former name of `use`: leave it out")
    return {"use": _OLD.get(name, name), **values}


def left_of(base: Mapping[str, Any], given: Mapping[str, Any]) -> dict[str, Any]:
    """Return what stays of a recipe's loss when `given` is merged into it: of another loss, what all have in common."""
    use = given.get("use", base["use"])
    if use == base["use"] or {use, base["use"]} <= set(_OLD.values()):
        return {**base, "use": use}
    return {"use": use, **{name: base[name] for name in _IN_COMMON}}
