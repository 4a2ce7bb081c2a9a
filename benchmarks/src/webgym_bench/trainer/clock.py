"""Device timing, peak matrix-multiply throughput and peak memory."""

from __future__ import annotations

import resource
import time

import torch


def now(device: torch.device) -> float:
    """Return the time once all work queued on the device is done."""
    if device.type == "cuda":
        torch.cuda.synchronize(device)
    return time.perf_counter()


def peak_tflops(device: torch.device, dtype: torch.dtype) -> float:
    """Return the best throughput over a few runs of a large random matrix product."""
    side = 8192 if device.type == "cuda" else 1024
    left, right = (torch.randn(side, side, device=device).to(dtype) for _ in range(2))
    best = 0.0
    for _ in range(4):
        began = now(device)
        for _ in range(5):
            left @ right  # pyright: ignore[reportUnusedExpression]
        best = max(best, 5 * 2 * side**3 / (now(device) - began) / 1e12)
    return best


def memory_gb(device: torch.device) -> float:
    """Return the peak memory in use: of the GPU, or else of this process."""
    if device.type == "cuda":
        return torch.cuda.max_memory_allocated(device) / 1e9
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 / 1e9
