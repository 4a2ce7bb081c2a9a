"""Muon for the matrices inside the layers, AdamW for the rest, and an exponential moving average of the weights."""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false, reportUnknownArgumentType=false

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import torch
from torch import Tensor
from torch.optim.swa_utils import get_ema_multi_avg_fn

from webgym.errors import CheckpointError
from webgym_nano.learn.model import Pupil
from webgym_nano.learn.settings import OptimizerSettings

_MOMENTUM = 0.95
_COEFFICIENTS = (3.4445, -4.7750, 2.0315)
_ITERATIONS = 5
_ADAM = ("exp_avg", "exp_avg_sq", "step")
_MUON = "momentum"


def orthogonal(updates: Tensor) -> Tensor:
    """Return roughly the nearest orthogonal matrices, by Newton-Schulz iteration on [matrices, rows, columns]."""
    first, second, third = _COEFFICIENTS
    tall = updates.shape[-2] > updates.shape[-1]
    states = updates.bfloat16() if updates.is_cuda else updates.float()  # few CPUs have fast bfloat16 matmuls
    states = states.mT if tall else states
    states = states / (states.norm(dim=(-2, -1), keepdim=True) + 1e-7)
    for _ in range(_ITERATIONS):
        square = states @ states.mT
        states = first * states + (second * square + third * (square @ square)) @ states
    return states.mT if tall else states


class Muon(torch.optim.Optimizer):
    """Like torch's Muon (`match_rms_adamw`), but batched over matrices of the same shape.

    Torch's takes one matrix at a time: over a thousand kernel launches a step, which on a large GPU take as long as
    nano's forward and backward pass.
    """

    def __init__(self, weights: Iterable[Tensor], lr: float, decay: float) -> None:
        super().__init__(list(weights), {"lr": lr, "weight_decay": decay})
        self._alike: dict[torch.Size, list[Tensor]] = {}
        for weight in self.param_groups[0]["params"]:
            self._alike.setdefault(weight.shape, []).append(weight)
        self._kept = {shape: torch.zeros_like(torch.stack(alike)) for shape, alike in self._alike.items()}
        for shape, alike in self._alike.items():
            for weight, kept in zip(alike, self._kept[shape], strict=True):
                self.state[weight][_MUON] = kept

    @torch.no_grad()
    def step(self, closure: None = None) -> None:  # noqa: ARG002  # pyright: ignore[reportIncompatibleMethodOverride]
        (group,) = self.param_groups
        for shape, alike in self._alike.items():
            gradients = _gradients(alike)
            kept = self._kept[shape].lerp_(gradients, 1 - _MOMENTUM)
            changes = orthogonal(gradients.lerp(kept, _MOMENTUM)).float()
            changes *= -group["lr"] * 0.2 * math.sqrt(max(shape))
            for weight, change in zip(alike, changes, strict=True):
                weight.mul_(1 - group["lr"] * group["weight_decay"]).add_(change)


def _gradients(weights: list[Tensor]) -> Tensor:
    found: Any = [weight.grad for weight in weights]
    return torch.stack(found)


def _in_layers(name: str, weight: Tensor) -> bool:
    return weight.ndim == 2 and any(part in name for part in (".blocks.", ".layers.", "merger"))


def _shrinks(name: str, weight: Tensor) -> bool:
    return weight.ndim >= 2 and ("embed" not in name or "patch_embed" in name)


def schedule(progress: float, step: int, settings: OptimizerSettings) -> float:
    """Return the factor on the learning rate: linear warmup, then cosine decay."""
    cosine = 0.5 * (1 + math.cos(math.pi * min(1.0, progress)))
    return min(1.0, (step + 1) / settings.warmup) * (settings.floor + (1 - settings.floor) * cosine)


class Optimizer:
    """Muon and AdamW over the parameters of a pupil."""

    def __init__(self, pupil: Pupil, settings: OptimizerSettings) -> None:
        self._settings = settings
        self._named = dict(pupil.named_parameters())
        layers = [weight for name, weight in self._named.items() if _in_layers(name, weight)]
        rest = {name: weight for name, weight in self._named.items() if not _in_layers(name, weight)}
        groups = [
            {"params": [w for n, w in rest.items() if _shrinks(n, w)], "weight_decay": settings.decay},
            {"params": [w for n, w in rest.items() if not _shrinks(n, w)], "weight_decay": 0.0},
        ]
        fused = next(iter(self._named.values())).is_cuda
        self._adam = torch.optim.AdamW(groups, lr=settings.lr, betas=(0.9, 0.95), fused=fused)
        self._muon = Muon(layers, settings.muon_lr, settings.decay)

    def step(self, share: float) -> Tensor:
        """Clip gradients, take a step with this share of the learning rate, clear them; return the gradient norm."""
        norm = torch.nn.utils.clip_grad_norm_(list(self._named.values()), self._settings.clip, foreach=True)
        for optimizer, lr in ((self._adam, self._settings.lr), (self._muon, self._settings.muon_lr)):
            for group in optimizer.param_groups:
                group["lr"] = lr * share
            optimizer.step()
        self.clear()
        return norm

    def clear(self) -> None:
        """Clear the gradients."""
        for weight in self._named.values():
            weight.grad = None

    def state(self) -> Iterator[tuple[str, Tensor]]:
        """Yield the optimizer state of every weight, by name."""
        for name, weight in self._named.items():
            for optimizer in (self._adam, self._muon):
                kept: dict[str, Any] = optimizer.state.get(weight, {})
                for part, value in kept.items():
                    yield f"{part}:{name}", value

    def restore(self, found: Mapping[str, Tensor]) -> None:
        """Replace the optimizer state.

        Raises:
            CheckpointError: A weight's state is missing.
        """
        for name, weight in self._named.items():
            parts = (_MUON,) if _in_layers(name, weight) else _ADAM
            if any(f"{part}:{name}" not in found for part in parts):
                raise CheckpointError(f"the checkpoint has no optimizer state for {name}")
            if _in_layers(name, weight):
                self._muon.state[weight][_MUON].copy_(found[f"{_MUON}:{name}"])
            else:
                kept = {part: self._placed(part, found[f"{part}:{name}"], weight) for part in parts}
                self._adam.state[weight] = kept

    def _placed(self, part: str, value: Tensor, weight: Tensor) -> Tensor:
        """Return the value on the weight's device; AdamW's step count stays on the CPU unless fused."""
        device = weight.device if part != "step" or self._adam.defaults.get("fused") else torch.device("cpu")
        return value.to(device).clone()


class Average:
    """Exponential moving average of the weights."""

    def __init__(self, pupil: Pupil, past: float) -> None:
        self._past = past
        named = dict(pupil.model.named_parameters())
        self._now = list(named.values())
        self.weights = {name: weight.detach().clone() for name, weight in named.items()}

    @torch.no_grad()
    def follow(self, step: int) -> None:
        """Update the average after a step; the decay is smaller at first, since early weights are soon outdated."""
        follow: Any = get_ema_multi_avg_fn(min(self._past, (1 + step) / (10 + step)))
        follow(list(self.weights.values()), self._now, step)

    @torch.no_grad()
    def exchange(self) -> None:
        """Swap the average and the weights; a second call undoes it."""
        for kept, weight in zip(self.weights.values(), self._now, strict=True):
            before = weight.detach().clone()
            weight.copy_(kept)
            kept.copy_(before)
