"""Packs for the model, each prepared while the previous one is computed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Protocol

import torch
from torch import Tensor

from webgym.errors import SampleError
from webgym.records.sample import Sample
from webgym.train.packing import Pack, PassBudget, pack, plan_packs
from webgym.train.positions import Grid
from webgym.train.rows import SampleRow, row_of
from webgym.train.shape import Shape


class Showing(Protocol):
    """Source of images: `images.PatchCache`."""

    def grid(self, address: str) -> Grid: ...

    def patches(self, addresses: Iterable[str]) -> dict[str, Tensor]: ...


class PackLoader:
    """Turns samples into packs for the model."""

    def __init__(self, gallery: Showing, shape: Shape, budget: PassBudget, device: torch.device) -> None:
        self._gallery = gallery
        self._shape = shape
        self._budget = budget
        self.device = device

    def rows(self, samples: Sequence[Sample], *, weighted: bool = True) -> list[SampleRow]:
        """Return the rows with a weight other than 0; all rows if not `weighted`.

        Raises:
            SampleError: One does not fit the model or its images, or all weights are 0.
            TokenizerMismatch: One was made with another vocabulary.
        """
        if not samples:
            raise SampleError("the batch is empty")
        found = [
            row_of(number, sample, [self._gallery.grid(address) for address in sample.pictures], self._shape)
            for number, sample in enumerate(samples)
        ]
        counting = [row for row in found if not weighted or bool(row.weights.any())]
        if not counting:
            raise SampleError(f"all weights of all {len(samples)} samples are 0: there is nothing to learn from them")
        return counting

    def packs(self, rows: Sequence[SampleRow], rank: int = 0, processes: int = 1) -> Iterator[Pack]:
        """Yield every `processes`-th pack of these rows. All ranks get the same number of packs.

        A rank that has none left repeats one with weights of 0: all ranks must take part in each pass of a sharded
        model.
        """
        plan = plan_packs(sorted(rows, key=lambda row: row.number), self._budget)
        mine = [plan[number] for number in range(rank, len(plan), processes)]
        idle = -(-len(plan) // processes) > len(mine)
        with ThreadPoolExecutor(1) as pool:
            waiting = [pool.submit(self._pack, part) for part in mine[:1]]
            for following in [*mine[1:], None]:
                ready = waiting.pop().result() if waiting else None
                if following is not None:
                    waiting.append(pool.submit(self._pack, following))
                if ready is not None:
                    yield ready.to(self.device)
        if idle:
            yield self._pack(plan[0]).as_spare().to(self.device)

    def _pack(self, rows: Sequence[SampleRow]) -> Pack:
        patches = self._gallery.patches(address for row in rows for address in row.pictures)
        if self.device.type == "cuda":
            return pack(rows, patches, self._shape, pinned=True).pinned()
        return pack(rows, patches, self._shape)
