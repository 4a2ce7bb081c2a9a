"""Rows packed one behind the other, without padding: what one pass through the model gets."""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

import torch
from torch import Tensor

from webgym.errors import SampleError
from webgym.train.attention import Segments, segments
from webgym.train.positions import Grid, patch_places
from webgym.train.rows import Row
from webgym.train.shape import Shape, VisionShape
from webgym.train.typed import integers

_OPEN = 16
"""Packs that a row may still be added to."""


@dataclass(frozen=True, slots=True)
class Budget:
    """What one pass may hold. A row that alone is larger still gets its own pass."""

    tokens: int
    patches: int


@dataclass(frozen=True, slots=True)
class Pictures:
    """Patches of some pictures, one behind the other; patches of one token stand together."""

    patches: Tensor
    """Patches by values."""
    at: Tensor
    taps: Tensor
    shares: Tensor
    within: Segments

    def to(self, device: torch.device) -> Pictures:
        return _moved(self, device)


@dataclass(frozen=True, slots=True)
class Pack:
    """Some rows as one sequence, and the tokens in them that have a loss."""

    ids: Tensor
    positions: Tensor
    """Time, height, width; three by tokens."""
    within: Segments
    pictures: Pictures | None
    seen_at: Tensor
    """Tokens that are placeholders,"""
    seen_from: Tensor
    """and the tokens of the pictures that take their places: a picture that several rows show is seen once."""
    loss_at: Tensor
    """Tokens after which a target comes."""
    targets: Tensor
    temperatures: Tensor
    weights: Tensor
    advantages: Tensor
    behaviour: Tensor | None
    rows: Tensor
    """Number of each target's row, from 0 in every pack."""
    numbers: tuple[int, ...]
    """Places of the rows in the batch."""
    spare: bool = False
    """Whether another process computes these rows too, and this one only keeps it company."""

    def to(self, device: torch.device) -> Pack:
        return _moved(self, device)

    @property
    def patches(self) -> int:
        return 0 if self.pictures is None else len(self.pictures.patches)

    @property
    def lengths(self) -> list[int]:
        """Targets of each row."""
        return integers(torch.bincount(self.rows, minlength=len(self.numbers)))

    def as_spare(self) -> Pack:
        """The same work, for nothing."""
        return dataclasses.replace(self, weights=torch.zeros_like(self.weights), spare=True)


def plan_packs(rows: Sequence[Row], budget: Budget) -> list[list[Row]]:
    """Every row where it fits and adds the fewest patches: neighbours often show the same pictures."""
    plans: list[_Plan] = []
    for row in rows:
        fitting = [plan for plan in plans[-_OPEN:] if plan.has_room(row, budget)]
        if not fitting:
            plans.append(_Plan())
            fitting = plans[-1:]
        min(fitting, key=lambda plan: _patches(row, plan.shown)).add(row)
    return [plan.rows for plan in plans]


@dataclass(slots=True)
class _Plan:
    """A pack that rows are still added to."""

    rows: list[Row] = field(default_factory=list[Row])
    shown: set[str] = field(default_factory=set[str])
    tokens: int = 0
    patches: int = 0

    def has_room(self, row: Row, budget: Budget) -> bool:
        tokens, patches = self.tokens + len(row.ids), self.patches + _patches(row, self.shown)
        return tokens <= budget.tokens and patches <= budget.patches

    def add(self, row: Row) -> None:
        self.rows.append(row)
        self.tokens += len(row.ids)
        self.patches += _patches(row, self.shown)
        self.shown.update(row.pictures)


def _patches(row: Row, shown: set[str]) -> int:
    sizes = {address: height * width for address, (height, width) in zip(row.pictures, row.grids, strict=True)}
    return sum(size for address, size in sizes.items() if address not in shown)


def pack(rows: Sequence[Row], patches: Mapping[str, Tensor], shape: Shape) -> Pack:
    """These rows as one sequence; `patches` holds those of every picture they show.

    Raises:
        SampleError: There are no rows.
    """
    if not rows:
        raise SampleError("there are no rows to pack")
    ids = torch.cat([row.ids for row in rows])
    grids = _shown(rows)
    starts = itertools.accumulate((len(row.ids) for row in rows), initial=0)
    counts = [row.sampled for row in rows]
    loss_at = [torch.arange(row.prompt - 1, len(row.ids) - 1) + start for row, start in zip(rows, starts, strict=False)]
    known = [row.behaviour for row in rows]
    behaviour = [values for values in known if values is not None]
    return Pack(
        ids=ids,
        positions=torch.cat([row.positions for row in rows], dim=1),
        within=segments(tuple(len(row.ids) for row in rows)),
        pictures=_pictures(grids, patches, shape.vision) if grids else None,
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
    )


def _shown(rows: Sequence[Row]) -> dict[str, Grid]:
    """Pictures by size, so that equally large ones stand together."""
    grids = {address: grid for row in rows for address, grid in zip(row.pictures, row.grids, strict=True)}
    return dict(sorted(grids.items(), key=lambda item: item[1][0] * item[1][1]))


def _pictures(grids: Mapping[str, Grid], patches: Mapping[str, Tensor], shape: VisionShape) -> Pictures:
    places = [patch_places(grid, shape.side, shape.merge) for grid in grids.values()]
    return Pictures(
        patches=torch.cat([patches[address] for address in grids]),
        at=torch.cat([place.at for place in places]),
        taps=torch.cat([place.taps for place in places]),
        shares=torch.cat([place.shares for place in places]),
        within=segments(tuple(height * width for height, width in grids.values())),
    )


def _sources(rows: Sequence[Row], grids: Mapping[str, Grid], merge: int) -> Tensor:
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


def blank(shape: VisionShape, device: torch.device) -> Pictures:
    """The smallest picture there is, all grey."""
    merge = shape.merge
    values = torch.zeros(merge * merge, shape.patch_values)
    return _pictures({"": (merge, merge)}, {"": values}, shape).to(device)


Part = TypeVar("Part", Pack, Pictures)


def _moved(part: Part, device: torch.device) -> Part:
    changes = {
        field.name: value.to(device, non_blocking=True) if isinstance(value, Tensor) else value.to(device)
        for field in dataclasses.fields(part)
        if isinstance(value := getattr(part, field.name), Tensor | Segments | Pictures)
    }
    return dataclasses.replace(part, **changes)
