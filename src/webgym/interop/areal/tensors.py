"""Rows as the padded tensors that AReaL calls a trajectory."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from webgym.engine.grids import Grid
from webgym.interop.areal.package import torch
from webgym.interop.areal.rows import StepRow, oldest_version

OLDEST = "webgym_oldest_version"
"""A plain number beside the tensors: AReaL keeps tensors on the worker, and this one has to be known before."""
REFERENCES = "references"
"""In `multi_modal_input`, where AReaL expects `pixel_values`."""


def trajectory_of(
    rows: Sequence[StepRow],
    image_id: int,
    grids: Mapping[str, Grid],
    shown: Mapping[str, Any],
    *,
    tells_oldest: bool = False,
) -> dict[str, Any]:
    """All rows of a group, padded on the right.

    Args:
        rows: At least one.
        image_id: The token that stands for a part of a picture.
        grids: Of every picture of the rows, by address.
        shown: References to them, or their patches as floats, by address.
        tells_oldest: Whether to say how old the oldest token is.
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
        # Which tokens are of pictures: AReaL places tokens of Qwen-VL by it.
        "mm_token_type_ids": padded("long", [[int(token == image_id) for token in row.prompt] for row in rows], 0),
        "multi_modal_input": [_pictures(row, grids, shown) for row in rows],
    }
    return made | ({OLDEST: oldest_version(list(rows))} if tells_oldest else {})


def _pictures(row: StepRow, grids: Mapping[str, Grid], shown: Mapping[str, Any]) -> dict[str, Any]:
    package = torch()
    sizes = [[1, grids[one].rows, grids[one].columns] for one in row.pictures]
    given = [shown[one] for one in row.pictures]
    made = {"image_grid_thw": package.tensor(sizes, dtype=package.long)}
    if all(isinstance(one, str) for one in given):
        return {REFERENCES: given, **made}
    return {"pixel_values": package.cat(given), **made}
