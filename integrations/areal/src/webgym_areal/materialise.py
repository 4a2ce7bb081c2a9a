"""Resolves references to pictures on the rank that trains on them, as late as possible."""

from __future__ import annotations

import logging
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from webgym.engine.lru import Lru
from webgym.engine.pixels import Patches
from webgym.errors import PolicyRejected
from webgym_areal.package import torch
from webgym_areal.pictures import Cutter
from webgym_areal.references import Missing, Reference, Shelf, WebShelf, reference
from webgym_areal.tensors import REFERENCES

logger = logging.getLogger(__name__)

MOST_BYTES = 2 << 30
"""Size of a rank's cache of patches, in bytes."""


@dataclass(slots=True)
class Gallery:
    """The pictures of one rank. Each is fetched once while it stays cached."""

    cutter: Cutter
    shelf: Shelf = field(default_factory=WebShelf)
    most_bytes: int = MOST_BYTES
    fetched: int = 0
    """Encoded bytes fetched since the start."""
    missing: int = 0
    """Rows with a missing picture, over all passes since the start."""
    _kept: Lru[Patches] = field(init=False)

    def __post_init__(self) -> None:
        self._kept = Lru(self.most_bytes)

    def shown(self, references: Iterable[Reference]) -> dict[Reference, Patches | Missing]:
        """Return the patches of each reference, from the cache or fetched."""
        wanted = list(dict.fromkeys(references))
        found: dict[Reference, Patches | Missing] = {}
        for one in wanted:
            kept = self._kept.get(one.address)
            if kept is not None:
                found[one] = kept
        for one, data in self.shelf.get_many([one for one in wanted if one not in found]).items():
            found[one] = self._cut(one, data)
        return found

    def _cut(self, one: Reference, data: bytes | Missing) -> Patches | Missing:
        if isinstance(data, Missing):
            return data
        self.fetched += len(data)
        try:
            patches = self.cutter.read(data)
        except PolicyRejected as error:
            return Missing(str(error))
        self._kept.put(one.address, patches)
        return patches


def materialised(batch: dict[str, Any], gallery: Gallery) -> dict[str, Any]:
    """Replace the references of a batch by patches. A batch without references is returned unchanged.

    A row with a missing picture stays, blank and masked out of the loss: rows are already assigned to ranks, which must
    stay in step.
    """
    entries: list[dict[str, Any]] | None = batch.get("multi_modal_input")
    if not entries or not any(REFERENCES in one for one in entries):
        return batch
    wanted = [[reference(text) for text in one.get(REFERENCES, ())] for one in entries]
    shown = gallery.shown(one for row in wanted for one in row)
    lost = [number for number, row in enumerate(wanted) if any(isinstance(shown[one], Missing) for one in row)]
    made = dict(batch)
    made["multi_modal_input"] = [
        _entry(entry, row, shown, gallery.cutter) for entry, row in zip(entries, wanted, strict=True)
    ]
    if lost and "loss_mask" in batch:
        _tell(lost, wanted, shown)
        gallery.missing += len(lost)
        made["loss_mask"] = batch["loss_mask"].clone()
        made["loss_mask"][lost] = 0
    return made


def _entry(
    entry: dict[str, Any], row: list[Reference], shown: dict[Reference, Patches | Missing], cutter: Cutter
) -> dict[str, Any]:
    if not row:
        return entry
    grids: list[tuple[int, int, int]] = [tuple(one) for one in entry["image_grid_thw"].tolist()]
    parts = [_values(shown[one], grid, cutter) for one, grid in zip(row, grids, strict=True)]
    return {"pixel_values": torch().cat(parts), "image_grid_thw": entry["image_grid_thw"]}


def _values(one: Patches | Missing, grid: tuple[int, int, int], cutter: Cutter) -> Any:
    match one:
        case Missing():
            return cutter.blank(grid)
        case patches:
            return cutter.values(patches)


def _tell(lost: list[int], wanted: list[list[Reference]], shown: dict[Reference, Patches | Missing]) -> None:
    reasons = {one.why for row in lost for one in (shown[ref] for ref in wanted[row]) if isinstance(one, Missing)}
    logger.warning(
        "%s rows are excluded from training because an image is missing: %s", len(lost), "; ".join(sorted(reasons))
    )
