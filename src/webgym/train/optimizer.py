"""AdamW over float32 master weights."""

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
"""Keys of torch's optimizer state for a weight."""
DTYPES = {"bfloat16": torch.bfloat16, "float32": torch.float32}
"""Dtypes by their names in the settings."""
_PIECE = 1 << 25
"""Elements updated at once; temporary memory of a step is a few times this."""


def trainable(model: PackedModel) -> Iterator[tuple[str, Tensor]]:
    return ((name, weight) for name, weight in model.named_parameters() if weight.requires_grad)


def adamw(model: PackedModel, recipe: Optimizer, settings: TrainerSettings) -> torch.optim.Optimizer:
    """Build the optimizer, with weight decay on matrices only, not on norms and biases."""
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
    """Dtypes of the first and second moments."""

    first: torch.dtype
    second: torch.dtype


def moment_types(settings: TrainerSettings) -> MomentTypes:
    return MomentTypes(DTYPES[settings.first_moment], DTYPES[settings.second_moment])


class NarrowAdamW(torch.optim.Optimizer):
    """AdamW with one or both moments in bfloat16.

    The first moment moves by a tenth per step (beta 0.9), which bfloat16 resolves. The second moves by a thousandth
    (beta 0.999), less than the spacing of bfloat16 numbers: it is rounded stochastically, which is right on average.
    """

    def __init__(self, params: Iterable[Any], types: MomentTypes, *, fused: bool = False, **options: Any) -> None:
        super().__init__(params, options)
        self._types = types
        # Compiled, a step makes one pass over the weights instead of a dozen.
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
        """Update one weight. `courses` and `noise` cache what weights with the same step count share."""
        state = self.state[weight]
        if not state:
            state.update(blank_moments(weight, self._types))
        state[COUNT] += 1
        count, device = int(state[COUNT]), _here(weight).device
        if count not in courses:
            courses[count] = _course(group, count).to(device, non_blocking=True)
        if self._types.second == torch.bfloat16 and count not in noise:
            # Seeded by the step count alone, so that a resumed run draws the same noise.
            noise[count] = draws(self._longest(), device, count)
        # Gradients are only read, so a non-contiguous one may be copied.
        moved = (weight, _here(gradient).contiguous(), state[FIRST], state[SECOND])
        fast, slow = group["betas"]
        for part, slope, mean, square in zip(*map(_pieces, moved), strict=True):
            drawn = noise[count][: len(part)] if count in noise else None
            self._move(Moving(part, slope, mean, square, drawn), courses[count], fast, slow, group["eps"])

    def _longest(self) -> int:
        """Return the length of the longest piece."""
        weights = (weight for group in self.param_groups for weight in group["params"])
        return min(_PIECE, max(_here(weight).numel() for weight in weights))


def _course(group: dict[str, Any], count: int) -> Tensor:
    """Return the scalars of a step as a tensor: what changes from step to step must not be compiled in."""
    (fast, slow), lr = group["betas"], group["lr"]
    return torch.tensor([lr / (1 - fast**count), (1 - slow**count) ** 0.5, 1 - lr * group["weight_decay"]])


class Moving(NamedTuple):
    """A piece of a weight with its gradient and moments, all 1-D."""

    weight: Tensor
    gradient: Tensor
    mean: Tensor
    square: Tensor
    noise: Tensor | None
    """For stochastic rounding of the second moment; None: it is not rounded."""


def _move(moving: Moving, course: Tensor, fast: float, slow: float, epsilon: float) -> None:
    """Take one step, in place. `course`: bias-corrected lr, square root of the second bias correction, decay factor."""
    weight, gradient = moving.weight, moving.gradient
    mean = moving.mean.float().lerp(gradient, 1 - fast)
    square = moving.square.float() * slow + gradient * gradient * (1 - slow)
    moving.mean.copy_(mean)
    moving.square.copy_(square if moving.noise is None else rounded(square, moving.noise))
    size = square.sqrt() / course[1] + epsilon
    weight.copy_(weight * course[2] - course[0] * mean / size)


def _pieces(tensor: Tensor) -> Iterator[Tensor]:
    """Yield this rank's shard as flat, writable pieces.

    Compiled code sees one dimension of any length, whatever the shape. Pieces are detached: torch.compile would
    otherwise look at the tensor that each is a view of, and recompile for it.
    """
    here = _here(tensor)
    # `view`, not `reshape`: writes to a copy would be lost, so a non-contiguous tensor has to be an error.
    flat = here.view(-1)
    return (flat[start : start + _PIECE].detach() for start in range(0, flat.numel(), _PIECE))


def draws(count: int, device: torch.device, seed: int) -> Tensor:
    """Return random integers from 0 to 2^16 - 1."""
    generator = torch.Generator(device).manual_seed(seed)
    return torch.randint(0, 1 << 16, (count,), dtype=torch.int32, device=device, generator=generator)


def rounded(values: Tensor, noise: Tensor) -> Tensor:
    """Round float32 to bfloat16 stochastically: to either neighbour, the nearer the more likely."""
    return (values.view(torch.int32) + noise).bitwise_and(-(1 << 16)).view(torch.float32).bfloat16()


def _here(tensor: Tensor) -> Tensor:
    """Return this rank's shard."""
    return tensor.to_local() if isinstance(tensor, DTensor) else tensor


def blank_moments(weight: Tensor, types: MomentTypes) -> dict[str, Tensor]:
    return {
        COUNT: torch.tensor(0.0),
        FIRST: torch.zeros_like(weight, dtype=types.first),
        SECOND: torch.zeros_like(weight, dtype=types.second),
    }


def moments(model: PackedModel, optimizer: torch.optim.Optimizer) -> Iterator[tuple[str, Tensor]]:
    """Yield the optimizer state of every trainable weight, by name."""
    for name, weight in trainable(model):
        state: dict[str, Any] = optimizer.state.get(weight, {})
        for part in (FIRST, SECOND, COUNT):
            if part in state:
                yield f"{part}.{name}", full_tensor(state[part])


def restore_moments(
    model: PackedModel, optimizer: torch.optim.Optimizer, found: dict[str, Tensor], steps: int, types: MomentTypes
) -> None:
    """Replace the optimizer state.

    Step counts may differ: the vision tower takes no step on batches without images. Checkpoints that lack the counts
    have `steps` for all.
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
