"""AdamW over weights in float32."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

import torch
from torch import Tensor
from torch.distributed.tensor import DTensor

from webgym.train.distributed_tensors import fill, full_tensor
from webgym.train.model import PackedModel
from webgym.train.recipe import Optimizer
from webgym.train.settings import TrainerSettings
from webgym.train.typed import compiled

FIRST, SECOND, COUNT = "exp_avg", "exp_avg_sq", "step"
"""What torch calls what it remembers of a weight."""
DTYPES = {"bfloat16": torch.bfloat16, "float32": torch.float32}
"""By the names that settings have for them."""
_PIECE = 1 << 25
"""Elements that are moved at once: what a step needs besides is as large as they are, some times over."""


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
    if "bfloat16" in (settings.first_moment, settings.second_moment):
        return NarrowAdamW(groups, moment_types(settings), fused=settings.compile, **options)
    return torch.optim.AdamW(groups, **options, fused=True)


class MomentTypes(NamedTuple):
    """What running mean and running square are kept in."""

    first: torch.dtype
    second: torch.dtype


def moment_types(settings: TrainerSettings) -> MomentTypes:
    return MomentTypes(DTYPES[settings.first_moment], DTYPES[settings.second_moment])


class NarrowAdamW(torch.optim.Optimizer):
    """AdamW whose running mean, or square too, is in bfloat16.

    The mean moves by a tenth in each step, which bfloat16 can hold. The square moves by a thousandth, which is less
    than the distance to the next number: it is rounded up or down at random, so that it gets there on average.
    """

    def __init__(self, params: Iterable[Any], types: MomentTypes, *, fused: bool = False, **options: Any) -> None:
        super().__init__(params, options)
        self._types = types
        # A dozen passes over all weights, or one.
        self._move = compiled(_move) if fused else _move

    @torch.no_grad()
    def step(self, closure: None = None) -> None:  # noqa: ARG002  # pyright: ignore[reportIncompatibleMethodOverride]
        noise: dict[int, Tensor] = {}
        for group in self.param_groups:
            courses: dict[int, Tensor] = {}
            for weight in group["params"]:
                if weight.grad is not None:
                    self._step(weight, weight.grad, group, courses, noise)

    def _step(
        self,
        weight: Tensor,
        gradient: Tensor,
        group: dict[str, Any],
        courses: dict[int, Tensor],
        noise: dict[int, Tensor],
    ) -> None:
        """`courses` and `noise`: what weights that took as many steps have in common."""
        state = self.state[weight]
        if not state:
            state.update(blank_moments(weight, self._types))
        state[COUNT] += 1
        count, device = int(state[COUNT]), _here(weight).device
        if count not in courses:
            courses[count] = _course(group, count).to(device, non_blocking=True)
        if self._types.second == torch.bfloat16 and count not in noise:
            # It hangs on the step alone: a run that is resumed draws the same.
            noise[count] = draws(self._longest(), device, count)
        # A gradient is only read: one that is not contiguous may be copied.
        moved = (weight, _here(gradient).contiguous(), state[FIRST], state[SECOND])
        fast, slow = group["betas"]
        for part, slope, mean, square in zip(*map(_pieces, moved), strict=True):
            drawn = noise[count][: len(part)] if count in noise else None
            self._move(Moving(part, slope, mean, square, drawn), courses[count], fast, slow, group["eps"])

    def _longest(self) -> int:
        """Of the pieces."""
        weights = (weight for group in self.param_groups for weight in group["params"])
        return min(_PIECE, max(_here(weight).numel() for weight in weights))


def _course(group: dict[str, Any], count: int) -> Tensor:
    """As a tensor: what changes from step to step must not be compiled in."""
    (fast, slow), lr = group["betas"], group["lr"]
    return torch.tensor([lr / (1 - fast**count), (1 - slow**count) ** 0.5, 1 - lr * group["weight_decay"]])


class Moving(NamedTuple):
    """A piece of a weight and what moves it, all of one dimension."""

    weight: Tensor
    gradient: Tensor
    mean: Tensor
    square: Tensor
    noise: Tensor | None
    """What the square is rounded with; None: it is not rounded."""


def _move(moving: Moving, course: Tensor, fast: float, slow: float, epsilon: float) -> None:
    """One step, in place. `course`: how far, what the square is short of at first, and what is left after decay."""
    weight, gradient = moving.weight, moving.gradient
    mean = moving.mean.float().lerp(gradient, 1 - fast)
    square = moving.square.float() * slow + gradient * gradient * (1 - slow)
    moving.mean.copy_(mean)
    moving.square.copy_(square if moving.noise is None else rounded(square, moving.noise))
    size = square.sqrt() / course[1] + epsilon
    weight.copy_(weight * course[2] - course[0] * mean / size)


def _pieces(tensor: Tensor) -> Iterator[Tensor]:
    """This process's part, flat, in pieces that can be written to.

    Compiled code sees one dimension of any length, whatever the shape. Detached, or it would look at what each is a
    piece of, and be compiled again for that.
    """
    here = _here(tensor)
    # A copy would be written to in vain: of what is not contiguous there is no view, which is an error.
    flat = here.view(-1)
    return (flat[start : start + _PIECE].detach() for start in range(0, flat.numel(), _PIECE))


def draws(count: int, device: torch.device, seed: int) -> Tensor:
    """Numbers below 2^16."""
    generator = torch.Generator(device).manual_seed(seed)
    return torch.randint(0, 1 << 16, (count,), dtype=torch.int32, device=device, generator=generator)


def rounded(values: Tensor, noise: Tensor) -> Tensor:
    """Of float32 in bfloat16: to one of the two neighbours, the more likely the nearer it is."""
    return (values.view(torch.int32) + noise).bitwise_and(-(1 << 16)).view(torch.float32).bfloat16()


def _here(tensor: Tensor) -> Tensor:
    """This process's part."""
    return tensor.to_local() if isinstance(tensor, DTensor) else tensor


def blank_moments(weight: Tensor, types: MomentTypes) -> dict[str, Tensor]:
    return {
        COUNT: torch.tensor(0.0),
        FIRST: torch.zeros_like(weight, dtype=types.first),
        SECOND: torch.zeros_like(weight, dtype=types.second),
    }


def moments(model: PackedModel, optimizer: torch.optim.Optimizer) -> Iterator[tuple[str, Tensor]]:
    """What an optimizer remembers of every weight, by name."""
    for name, weight in trainable(model):
        state: dict[str, Any] = optimizer.state.get(weight, {})
        for part in (FIRST, SECOND, COUNT):
            if part in state:
                yield f"{part}.{name}", full_tensor(state[part])


def restore_moments(
    model: PackedModel, optimizer: torch.optim.Optimizer, found: dict[str, Tensor], steps: int, types: MomentTypes
) -> None:
    """Remember this instead.

    A weight that had no part in some batch, as what sees has none where nothing is shown, took fewer steps than others.
    Checkpoints of before that was written have `steps` for all.
    """
    for name, weight in trainable(model):
        if f"{FIRST}.{name}" not in found:
            continue
        state = blank_moments(weight, types)
        fused = optimizer.defaults.get("fused")
        count = float(found.get(f"{COUNT}.{name}", steps))
        state[COUNT] = torch.tensor(count, device=weight.device if fused else "cpu")
        for part in (FIRST, SECOND):
            fill(state[part], found[f"{part}.{name}"])
        optimizer.state[weight] = state
