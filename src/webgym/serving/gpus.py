"""GPUs that this process may use, and what a process that it starts calls them. Needs no torch."""

from __future__ import annotations

import ctypes
import os

VISIBLE = "CUDA_VISIBLE_DEVICES"


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
