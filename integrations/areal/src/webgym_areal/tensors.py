"""Converts rows to the padded tensors that AReaL calls a trajectory."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from webgym.engine.grids import PatchGrid
from webgym_areal.package import torch
from webgym_areal.rows import StepRow, oldest_version

OLDEST = "webgym_oldest_version"
"""Key of a plain integer beside the tensors: AReaL leaves tensors on the worker, but the feeder needs this first."""
REFERENCES = "references"
"""Key in `multi_modal_input`, in place of the `pixel_values` that AReaL expects."""


def trajectory_of(
    rows: Sequence[StepRow],
    image_id: int,
    grids: Mapping[str, PatchGrid],
    shown: Mapping[str, Any],
    *,
    tells_oldest: bool = False,
) -> dict[str, Any]:
    """Return all rows of a group as right-padded tensors.

    Args:
        rows: At least one row.
        image_id: The placeholder token of pictures.
        grids: Grid of every picture, by address.
        shown: Reference or float patches of every picture, by address.
        tells_oldest: Whether to include the version of the oldest token.
    """
    package = torch()
    length = max(row.length for row in rows)

    def padded(name: str, values: Sequence[Sequence[float]], fill: float) -> Any:
        table = [[*one, *[fill] * (length - len(one))] for one in values]
        return package.tensor(table, dtype=getattr(package, name))

    before = [len(row.prompt) for row in rows]
    made: dict[str, Any] = {
        "input_ids": padded("long", [[*row.prompt, *row.sampled] for row in rows], 0),
        "attention_mask": padded("bool", [[True] * row.length for row in rows], fill=False),
        "loss_mask": padded("int32", [[0] * n + [1] * len(r.sampled) for r, n in zip(rows, before, strict=True)], 0),
        "logprobs": padded("float32", [[*[0.0] * n, *r.logprobs] for r, n in zip(rows, before, strict=True)], 0.0),
        "versions": padded("int32", [[*[-1] * n, *r.versions] for r, n in zip(rows, before, strict=True)], -1),
        "rewards": package.tensor([row.reward for row in rows], dtype=package.float32),
        # Marks picture tokens, from which AReaL computes the positions for Qwen-VL.
        "mm_token_type_ids": padded("long", [[int(token == image_id) for token in row.prompt] for row in rows], 0),
        "multi_modal_input": [_pictures(row, grids, shown) for row in rows],
    }
    return made | ({OLDEST: oldest_version(list(rows))} if tells_oldest else {})


def _pictures(row: StepRow, grids: Mapping[str, PatchGrid], shown: Mapping[str, Any]) -> dict[str, Any]:
    package = torch()
    sizes = [[1, grids[one].rows, grids[one].columns] for one in row.pictures]
    given = [shown[one] for one in row.pictures]
    made = {"image_grid_thw": package.tensor(sizes, dtype=package.long)}
    if all(isinstance(one, str) for one in given):
        return {REFERENCES: given, **made}
    return {"pixel_values": package.cat(given), **made}
