"""Token-level training diagnostics, kept as sums that add up over micro-batches and ranks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from webgym.records.base import Record

SUMS = (
    "tokens",
    "weight",
    "weight_squared",
    "outside",
    "clipped",
    "dual_clipped",
    "ratio",
    "kl_behaviour",
    "kl_mismatch",
    "kl_reference",
    "entropy",
)
PEAKS = ("weight", "ratio")


@dataclass(frozen=True, slots=True)
class TokenTerms:
    """Per-token quantities from the loss; None: not computed."""

    live: Tensor
    """Whether the token counts: its weight is not 0."""
    weight: Tensor
    """Importance weight before masking or clamping."""
    outside: Tensor
    """Whether the importance weight was masked or clamped."""
    clipped: Tensor | None = None
    """Whether clipping stops the token's gradient."""
    dual_clipped: Tensor | None = None
    ratio: Tensor | None = None
    kl_behaviour: Tensor | None = None
    """k3 estimate of KL(behaviour || current)."""
    kl_mismatch: Tensor | None = None
    """k3 estimate of KL(behaviour || proximal): policy lag, and numerical mismatch between sampler and trainer."""
    kl_reference: Tensor | None = None
    entropy: Tensor | None = None


@dataclass(frozen=True, slots=True)
class TokenSums:
    """Diagnostics summed over tokens. Stays on the device: nothing synchronizes before `report`."""

    sums: Tensor
    """One value per name in `SUMS`; ranks add theirs up."""
    peaks: Tensor
    """One value per name in `PEAKS`; ranks take the maximum."""

    @classmethod
    def of(cls, terms: TokenTerms) -> TokenSums:
        live = terms.live
        columns: dict[str, Tensor | None] = {
            "tokens": live,
            "weight": terms.weight,
            "weight_squared": terms.weight.square(),
            "outside": terms.outside,
            "clipped": terms.clipped,
            "dual_clipped": terms.dual_clipped,
            "ratio": terms.ratio,
            "kl_behaviour": terms.kl_behaviour,
            "kl_mismatch": terms.kl_mismatch,
            "kl_reference": terms.kl_reference,
            "entropy": terms.entropy,
        }
        sums = [_sum(columns[name], live) for name in SUMS]
        peaks = [_peak(columns[name], live) for name in PEAKS]
        return cls(torch.stack(sums), torch.stack(peaks))

    def __add__(self, other: TokenSums) -> TokenSums:
        return TokenSums(self.sums + other.sums, torch.maximum(self.peaks, other.peaks))

    def report(self) -> TokenFigures:
        sums, peaks = _named(SUMS, self.sums), _named(PEAKS, self.peaks)
        tokens = max(sums["tokens"], 1.0)
        squared = sums["weight_squared"]
        return TokenFigures(
            tokens=int(sums["tokens"]),
            effective_share=sums["weight"] ** 2 / squared / tokens if squared else 0.0,
            mean_weight=sums["weight"] / tokens,
            max_weight=peaks["weight"],
            outside_share=sums["outside"] / tokens,
            clip_share=sums["clipped"] / tokens,
            dual_clip_share=sums["dual_clipped"] / tokens,
            mean_ratio=sums["ratio"] / tokens,
            max_ratio=peaks["ratio"],
            kl_behaviour=sums["kl_behaviour"] / tokens,
            kl_mismatch=sums["kl_mismatch"] / tokens,
            kl_reference=sums["kl_reference"] / tokens,
            entropy=sums["entropy"] / tokens,
        )


class TokenFigures(Record, frozen=True, omit_defaults=False):
    """Means over the tokens that count, for reporting; 0 where not computed."""

    tokens: int
    effective_share: float
    """Effective sample size (Σw)²/Σw² of the importance weights, over the number of tokens: 1 if all are equal."""
    mean_weight: float
    max_weight: float
    outside_share: float
    """Share of tokens whose importance weight was masked or clamped."""
    clip_share: float
    dual_clip_share: float
    mean_ratio: float
    max_ratio: float
    kl_behaviour: float
    kl_mismatch: float
    kl_reference: float
    entropy: float


def _named(names: Sequence[str], values: Tensor) -> dict[str, float]:
    here = values.cpu()
    return {name: float(here[place]) for place, name in enumerate(names)}


def _sum(values: Tensor | None, live: Tensor) -> Tensor:
    if values is None:
        return torch.zeros((), dtype=torch.float64, device=live.device)
    return torch.where(live, values.detach().double(), 0.0).sum()


def _peak(values: Tensor | None, live: Tensor) -> Tensor:
    if values is None or not values.numel():
        return torch.zeros((), dtype=torch.float64, device=live.device)
    return torch.where(live, values.detach().double(), 0.0).amax()
