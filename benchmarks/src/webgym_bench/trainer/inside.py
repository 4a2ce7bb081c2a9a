"""Looks inside one training step: device synchronisations and a kernel profile."""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false, reportUnknownArgumentType=false

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import torch
from torch.profiler import ProfilerActivity, profile

_SYNCHRONIZING = "synchronizing CUDA operation"
_ROWS = 60
"""Kernels listed in a profile."""


def waits(step: Callable[[], object], device: torch.device) -> dict[str, int]:
    """Count the device synchronisations of a step, by source line."""
    if device.type != "cuda":
        return {}
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        torch.cuda.set_sync_debug_mode("warn")
        try:
            step()
        finally:
            torch.cuda.set_sync_debug_mode("default")
    lines = (f"{Path(one.filename).name}:{one.lineno}" for one in told if _SYNCHRONIZING in str(one.message))
    return dict(Counter(lines).most_common())


def write_profile(step: Callable[[], object], device: torch.device, path: Path) -> None:
    """Write a profile of a step, sorted by the time spent in each kernel."""
    activities = [ProfilerActivity.CPU, *([ProfilerActivity.CUDA] if device.type == "cuda" else [])]
    with profile(activities=activities) as seen:
        step()
    order = "self_cuda_time_total" if device.type == "cuda" else "self_cpu_time_total"
    table = seen.key_averages().table(sort_by=order, row_limit=_ROWS, max_name_column_width=90)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(table, encoding="utf-8")
