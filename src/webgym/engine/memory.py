"""Release memory to the operating system, and measure what is held."""

from __future__ import annotations

import contextlib
import ctypes
import gc
from pathlib import Path

import torch


def release_memory() -> None:
    """Return unreferenced memory to the system, not only to the allocators."""
    gc.collect()
    if torch.cuda.is_available():
        torch.cuda.empty_cache()
    with contextlib.suppress(OSError, AttributeError):  # glibc only
        ctypes.CDLL("libc.so.6").malloc_trim(0)


def resident_bytes() -> int:
    """Return the resident set size of this process."""
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) * 1024
    return 0


def device_bytes() -> int:
    """Return the bytes that torch has reserved on the GPU, its cache included."""
    return torch.cuda.memory_reserved() if torch.cuda.is_available() else 0
