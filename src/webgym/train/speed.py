"""A quick measurement of matmul throughput, for estimates of time."""

from __future__ import annotations

import time

import torch

from webgym.train.optimizer import DTYPES

_TIMES = 3
_SIDE, _SIDE_ON_GPU = 512, 8192
"""Large enough to saturate the device, small enough to take only a moment."""


def matrix_speed(device: torch.device, precision: str) -> float:
    """Return FLOP/s; the best of a few tries, so that other load matters little."""
    side = _SIDE_ON_GPU if device.type == "cuda" else _SIDE
    # Random numbers: a GPU runs faster if all values are alike.
    left = torch.randn(side, side, device=device).to(DTYPES[precision])
    return 2 * side**3 / min(_seconds(left) for _ in range(1 + _TIMES))


def _seconds(left: torch.Tensor) -> float:
    _wait(left.device)
    began = time.perf_counter()
    torch.matmul(left, left)
    _wait(left.device)
    return max(time.perf_counter() - began, 1e-9)


def _wait(device: torch.device) -> None:
    if device.type == "cuda":
        torch.cuda.synchronize(device)
