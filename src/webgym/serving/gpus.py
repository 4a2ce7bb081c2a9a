"""GPUs that this process may use, and what a process that it starts calls them. Needs no torch."""

from __future__ import annotations

import ctypes
import os
import subprocess
from dataclasses import dataclass

VISIBLE = "CUDA_VISIBLE_DEVICES"
_SECONDS = 10.0
"""That the driver may take to wake up."""


@dataclass(frozen=True, slots=True)
class Gpu:
    """One of this machine."""

    name: str
    total: int
    """Bytes of its memory."""
    free: int
    """Of them, what nobody uses now."""


def count_gpus() -> int:
    """Those that CUDA's driver gives to this process."""
    try:
        driver = ctypes.CDLL("libcuda.so.1")
    except OSError:
        return 0
    count = ctypes.c_int(0)
    if driver.cuInit(0) or driver.cuDeviceGetCount(ctypes.byref(count)):
        return 0
    return count.value


def visible_gpus() -> tuple[str, ...]:
    """In CUDA's order, as CUDA_VISIBLE_DEVICES of a child names them: numbers, or UUIDs if ours has those."""
    count = count_gpus()
    listed = os.environ.get(VISIBLE)
    names = [str(number) for number in range(count)] if listed is None else [one.strip() for one in listed.split(",")]
    # CUDA ends the list at the first that is not there.
    return tuple(names[:count])


def describe_gpus() -> tuple[Gpu, ...]:
    """Those that the driver's own tool lists: CUDA says what is free only in a context, which takes memory itself."""
    query = ["nvidia-smi", "--query-gpu=name,memory.total,memory.free", "--format=csv,noheader,nounits"]
    try:
        listed = subprocess.run(query, capture_output=True, text=True, timeout=_SECONDS, check=True)  # noqa: S603
    except (OSError, subprocess.SubprocessError):
        return ()
    return tuple(gpu for line in listed.stdout.splitlines() if (gpu := _gpu(line)))


def _gpu(line: str) -> Gpu | None:
    """None where the driver does not say."""
    name, *sizes = (part.strip() for part in line.rsplit(",", 2))
    if len(sizes) != 2 or not all(size.isdigit() for size in sizes):
        return None
    total, free = (int(size) << 20 for size in sizes)
    return Gpu(name, total, free)
