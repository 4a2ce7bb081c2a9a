"""AdamW over weights in float32."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import torch
from torch import Tensor

from webgym.train.model import PackedModel
from webgym.train.recipe import Optimizer
from webgym.train.settings import TrainerSettings
from webgym.train.whole import fill, whole

FIRST, SECOND = "exp_avg", "exp_avg_sq"


def trainable(model: PackedModel) -> Iterator[tuple[str, Tensor]]:
    return ((name, weight) for name, weight in model.named_parameters() if weight.requires_grad)


def adamw(model: PackedModel, recipe: Optimizer, settings: TrainerSettings) -> torch.optim.Optimizer:
    """Weight decay on matrices alone: norms and biases are not meant to shrink."""
    weights = [weight for _, weight in trainable(model)]
    groups: list[dict[str, Any]] = [
        {"params": [weight for weight in weights if weight.ndim > 1], "weight_decay": recipe.weight_decay},
        {"params": [weight for weight in weights if weight.ndim == 1], "weight_decay": 0.0},
    ]
    groups = [group for group in groups if group["params"]]
    options: dict[str, Any] = {"lr": recipe.lr, "betas": recipe.betas, "eps": recipe.epsilon}
    if settings.first_moment == "bfloat16":
        return NarrowAdamW(groups, **options)
    return torch.optim.AdamW(groups, **options, fused=True)


class NarrowAdamW(torch.optim.Optimizer):
    """AdamW whose running mean is in bfloat16.

    The mean moves by a tenth in each step, which bfloat16 can hold; the running square moves by a thousandth, which it
    cannot, and stays in float32.
    """

    def __init__(self, params: Iterable[Any], **options: Any) -> None:
        super().__init__(params, options)

    @torch.no_grad()
    def step(self, closure: None = None) -> None:  # noqa: ARG002  # pyright: ignore[reportIncompatibleMethodOverride]
        for group in self.param_groups:
            for weight in group["params"]:
                if weight.grad is not None:
                    self._move(weight, group)

    def _move(self, weight: Tensor, group: dict[str, Any]) -> None:
        state = self.state[weight]
        if not state:
            state.update(blank_moments(weight, torch.bfloat16))
        state["step"] += 1
        count, (fast, slow) = int(state["step"]), group["betas"]
        mean = state[FIRST].float().lerp_(weight.grad, 1 - fast)
        square = state[SECOND].mul_(slow).addcmul_(weight.grad, weight.grad, value=1 - slow)
        state[FIRST].copy_(mean)
        weight.mul_(1 - group["lr"] * group["weight_decay"])
        size = square.sqrt().div_((1 - slow**count) ** 0.5).add_(group["eps"])
        weight.addcdiv_(mean, size, value=-group["lr"] / (1 - fast**count))


def blank_moments(weight: Tensor, first: torch.dtype) -> dict[str, Tensor]:
    return {
        "step": torch.tensor(0.0),
        FIRST: torch.zeros_like(weight, dtype=first),
        SECOND: torch.zeros_like(weight),
    }


def moments(model: PackedModel, optimizer: torch.optim.Optimizer) -> Iterator[tuple[str, Tensor]]:
    """What an optimizer remembers of every weight, by name."""
    for name, weight in trainable(model):
        state: dict[str, Any] = optimizer.state.get(weight, {})
        for part in (FIRST, SECOND):
            if part in state:
                yield f"{part}.{name}", whole(state[part])


def restore_moments(
    model: PackedModel, optimizer: torch.optim.Optimizer, found: dict[str, Tensor], steps: int, first: torch.dtype
) -> None:
    """Remember this instead."""
    for name, weight in trainable(model):
        if f"{FIRST}.{name}" not in found:
            continue
        state = blank_moments(weight, first)
        fused = optimizer.defaults.get("fused")
        state["step"] = torch.tensor(float(steps), device=weight.device if fused else "cpu")
        for part in (FIRST, SECOND):
            fill(state[part], found[f"{part}.{name}"])
        optimizer.state[weight] = state
