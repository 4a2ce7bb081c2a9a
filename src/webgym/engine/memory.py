"""Giving memory back to the machine, and seeing that it is."""

from __future__ import annotations

import contextlib
import ctypes
import gc
from pathlib import Path

import torch


def release_memory() -> None:
    """What nothing refers to any more goes back to the machine, not only to the allocator."""
    gc.collect()
    if torch.cuda.is_available():
        torch.cuda.empty_cache()
    with contextlib.suppress(OSError, AttributeError):  # glibc only
        ctypes.CDLL("libc.so.6").malloc_trim(0)


def resident_bytes() -> int:
    """Of this process."""
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) * 1024
    return 0


def device_bytes() -> int:
    """That torch holds on the GPU, caches included."""
    return torch.cuda.memory_reserved() if torch.cuda.is_available() else 0
