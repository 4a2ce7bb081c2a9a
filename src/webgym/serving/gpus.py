"""GPUs visible to this process, and their names for child processes. Does not need torch."""

from __future__ import annotations

import ctypes
import os
import subprocess
from dataclasses import dataclass

VISIBLE = "CUDA_VISIBLE_DEVICES"
_SECONDS = 10.0
"""Timeout for nvidia-smi: the driver may have to start first."""


@dataclass(frozen=True, slots=True)
class Gpu:
    """One GPU of this machine."""

    name: str
    total: int
    """Total memory in bytes."""
    free: int
    """Free memory in bytes."""


def count_gpus() -> int:
    """Return the number of GPUs that the CUDA driver exposes to this process."""
    try:
        driver = ctypes.CDLL("libcuda.so.1")
    except OSError:
        return 0
    count = ctypes.c_int(0)
    if driver.cuInit(0) or driver.cuDeviceGetCount(ctypes.byref(count)):
        return 0
    return count.value


def visible_gpus() -> tuple[str, ...]:
    """Return the visible GPUs in CUDA's order, as names for a child's CUDA_VISIBLE_DEVICES: numbers or UUIDs."""
    count = count_gpus()
    listed = os.environ.get(VISIBLE)
    names = [str(number) for number in range(count)] if listed is None else [gpu.strip() for gpu in listed.split(",")]
    # CUDA ignores everything from the first invalid entry on.
    return tuple(names[:count])


def describe_gpus() -> tuple[Gpu, ...]:
    """Return the GPUs listed by nvidia-smi: CUDA reports free memory only within a context, which takes memory."""
    query = ["nvidia-smi", "--query-gpu=name,memory.total,memory.free", "--format=csv,noheader,nounits"]
    try:
        listed = subprocess.run(query, capture_output=True, text=True, timeout=_SECONDS, check=True)  # noqa: S603
    except (OSError, subprocess.SubprocessError):
        return ()
    return tuple(gpu for line in listed.stdout.splitlines() if (gpu := _gpu(line)))


def _gpu(line: str) -> Gpu | None:
    """Parse a line of nvidia-smi; None if it lacks the memory sizes."""
    name, *sizes = (part.strip() for part in line.rsplit(",", 2))
    if len(sizes) != 2 or not all(size.isdigit() for size in sizes):
        return None
    total, free = (int(size) << 20 for size in sizes)
    return Gpu(name, total, free)
