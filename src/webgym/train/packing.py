"""Sequence packing: rows concatenated without padding, for one forward pass."""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

import torch
from torch import Tensor

from webgym.errors import SampleError
from webgym.train.attention import Segments, segments
from webgym.train.positions import Grid, patch_places
from webgym.train.rows import SampleRow
from webgym.train.shape import Shape, VisionShape

_OPEN = 16
"""Number of latest packs that a row may still be added to."""


@dataclass(frozen=True, slots=True)
class PassBudget:
    """Maximum size of a pass. A row that is larger by itself gets its own pass."""

    tokens: int
    patches: int


@dataclass(frozen=True, slots=True)
class PackedImages:
    """Concatenated patches of some images; the patches of one token are adjacent."""

    patches: Tensor
    """Shape (patches, values)."""
    at: Tensor
    """Row and column of each patch."""
    places: Tensor
    """Index of each patch into `taps` and `shares`, which images of the same size have in common."""
    taps: Tensor
    shares: Tensor
    within: Segments


@dataclass(frozen=True, slots=True)
class Pack:
    """Rows packed into one sequence, and the tokens in them that have a loss."""

    ids: Tensor
    positions: Tensor
    """Time, height, width; shape (3, tokens)."""
    within: Segments
    pictures: PackedImages | None
    seen_at: Tensor
    """Indices of image placeholder tokens."""
    seen_from: Tensor
    """Image feature that replaces each placeholder; an image that several rows show is encoded once."""
    loss_at: Tensor
    """Indices of the tokens that precede a target."""
    targets: Tensor
    temperatures: Tensor
    weights: Tensor
    advantages: Tensor
    behaviour: Tensor | None
    rows: Tensor
    """Row index of each target, from 0 in every pack."""
    numbers: tuple[int, ...]
    """Index of each row in the batch."""
    lengths: tuple[int, ...]
    """Number of targets of each row."""
    spare: bool = False
    """Whether another rank has these rows, and this one computes them only to take part in collectives."""

    def to(self, device: torch.device) -> Pack:
        return _each_tensor(self, lambda tensor: tensor.to(device, non_blocking=True))

    def pinned(self) -> Pack:
        """Return a copy in pinned memory, for asynchronous transfer to the device."""
        return _each_tensor(self, Tensor.pin_memory)

    @property
    def patches(self) -> int:
        return 0 if self.pictures is None else len(self.pictures.patches)

    def as_spare(self) -> Pack:
        """Return a copy with weights of 0."""
        # A rank without rows left still computes, because the others wait for it in every collective.
        return dataclasses.replace(self, weights=torch.zeros_like(self.weights), spare=True)


def plan_packs(rows: Sequence[SampleRow], budget: PassBudget) -> list[list[SampleRow]]:
    """Put each row where it fits and adds the fewest patches: neighbouring rows often show the same images."""
    plans: list[_Plan] = []
    for row in rows:
        # Rows that share images come one after another, so older packs are not worth the search.
        fitting = [plan for plan in plans[-_OPEN:] if plan.has_room(row, budget)]
        if not fitting:
            plans.append(_Plan())
            fitting = plans[-1:]
        min(fitting, key=lambda plan: _patches(row, plan.shown)).add(row)
    return [plan.rows for plan in plans]


@dataclass(slots=True)
class _Plan:
    """A pack that rows are still added to."""

    rows: list[SampleRow] = field(default_factory=list[SampleRow])
    shown: set[str] = field(default_factory=set[str])
    tokens: int = 0
    patches: int = 0

    def has_room(self, row: SampleRow, budget: PassBudget) -> bool:
        tokens, patches = self.tokens + len(row.ids), self.patches + _patches(row, self.shown)
        return tokens <= budget.tokens and patches <= budget.patches

    def add(self, row: SampleRow) -> None:
        self.rows.append(row)
        self.tokens += len(row.ids)
        self.patches += _patches(row, self.shown)
        self.shown.update(row.pictures)


def _patches(row: SampleRow, shown: set[str]) -> int:
    sizes = {address: height * width for address, (height, width) in zip(row.pictures, row.grids, strict=True)}
    return sum(size for address, size in sizes.items() if address not in shown)


def pack(rows: Sequence[SampleRow], patches: Mapping[str, Tensor], shape: Shape, *, pinned: bool = False) -> Pack:
    """Pack rows into one sequence; `patches` holds those of every image they show.

    With `pinned`, the patches, which are most of the bytes, are concatenated into pinned memory.

    Raises:
        SampleError: There are no rows.
    """
    if not rows:
        raise SampleError("there are no rows to pack")
    ids = torch.cat([row.ids for row in rows])
    grids = _shown(rows)
    starts = itertools.accumulate((len(row.ids) for row in rows), initial=0)
    counts = [row.sampled for row in rows]
    # A token is predicted at the one before it: the first target at the last token of the prompt.
    loss_at = [torch.arange(row.prompt - 1, len(row.ids) - 1) + start for row, start in zip(rows, starts, strict=False)]
    known = [row.behaviour for row in rows]
    # All or none: one tensor cannot hold rows with and without logprobs of their sampler.
    behaviour = [values for values in known if values is not None]
    return Pack(
        ids=ids,
        positions=torch.cat([row.positions for row in rows], dim=1),
        within=segments(tuple(len(row.ids) for row in rows)),
        pictures=_pictures(grids, patches, shape.vision, pinned=pinned) if grids else None,
        seen_at=(ids == shape.image_token).nonzero().flatten(),
        seen_from=_sources(rows, grids, shape.vision.merge),
        loss_at=torch.cat(loss_at),
        targets=torch.cat([row.ids[row.prompt :] for row in rows]),
        temperatures=_each([row.temperature for row in rows], counts),
        weights=torch.cat([row.weights for row in rows]),
        advantages=_each([row.advantage for row in rows], counts),
        behaviour=torch.cat(behaviour) if len(behaviour) == len(rows) else None,
        rows=torch.repeat_interleave(torch.arange(len(rows)), torch.tensor(counts)),
        numbers=tuple(row.number for row in rows),
        lengths=tuple(counts),
    )


def _shown(rows: Sequence[SampleRow]) -> dict[str, Grid]:
    """Return the images sorted by size, so that equally large ones are adjacent."""
    grids = {address: grid for row in rows for address, grid in zip(row.pictures, row.grids, strict=True)}
    return dict(sorted(grids.items(), key=lambda item: item[1][0] * item[1][1]))


def _pictures(
    grids: Mapping[str, Grid], patches: Mapping[str, Tensor], shape: VisionShape, *, pinned: bool = False
) -> PackedImages:
    lengths = tuple(height * width for height, width in grids.values())
    first = patches[next(iter(grids))]
    # Pinned from the start: pinning what is concatenated would copy most of the bytes once more.
    held = torch.empty((sum(lengths), *first.shape[1:]), dtype=first.dtype, pin_memory=pinned)
    # Once per size, because nearly all screenshots of a run have the same.
    places = {grid: patch_places(grid, shape.side, shape.merge) for grid in grids.values()}
    starts = itertools.accumulate((len(place.at) for place in places.values()), initial=0)
    numbers = {
        grid: torch.arange(len(place.at)) + start for (grid, place), start in zip(places.items(), starts, strict=False)
    }
    return PackedImages(
        patches=torch.cat([patches[address] for address in grids], out=held),
        at=torch.cat([places[grid].at for grid in grids.values()]),
        places=torch.cat([numbers[grid] for grid in grids.values()]),
        taps=torch.cat([place.taps for place in places.values()]),
        shares=torch.cat([place.shares for place in places.values()]),
        within=segments(lengths),
    )


def _sources(rows: Sequence[SampleRow], grids: Mapping[str, Grid], merge: int) -> Tensor:
    spans: dict[str, Tensor] = {}
    start = 0
    for address, (height, width) in grids.items():
        tokens = height * width // merge**2
        spans[address] = torch.arange(start, start + tokens)
        start += tokens
    shown = [spans[address] for row in rows for address in row.pictures]
    return torch.cat(shown) if shown else torch.empty(0, dtype=torch.long)


def _each(values: list[float], counts: list[int]) -> Tensor:
    return torch.repeat_interleave(torch.tensor(values, dtype=torch.float32), torch.tensor(counts))


def blank(shape: VisionShape, device: torch.device) -> PackedImages:
    """Return the smallest possible image, all grey."""
    merge = shape.merge
    values = torch.zeros(merge * merge, shape.patch_values)
    found = _pictures({"": (merge, merge)}, {"": values}, shape)
    return _each_tensor(found, lambda tensor: tensor.to(device, non_blocking=True))


Part = TypeVar("Part", bound="Pack | PackedImages | Segments")


def _each_tensor(part: Part, change: Callable[[Tensor], Tensor]) -> Part:
    changes = {
        field.name: change(value) if isinstance(value, Tensor) else _each_tensor(value, change)
        for field in dataclasses.fields(part)
        if isinstance(value := getattr(part, field.name), Tensor | Segments | PackedImages)
    }
    return dataclasses.replace(part, **changes)
