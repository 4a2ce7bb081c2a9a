"""Variable-length attention over a packed sequence: each segment (a text row or an image) attends only to itself."""

from __future__ import annotations

import functools
import itertools
from dataclasses import dataclass

import torch
from torch import Tensor

from webgym.train.attention_kernels import Heads, Kernel, by_runs, fastest, packed


@dataclass(frozen=True, slots=True)
class Segments:
    """Segment boundaries of a packed sequence; attention never crosses them."""

    lengths: tuple[int, ...]
    bounds: Tensor
    """Cumulative lengths from 0, int32."""
    longest: int

    @property
    def long(self) -> bool:
        """Whether segments are long enough, on average, to be worth a kernel call each."""
        return sum(self.lengths) >= _LONG * len(self.lengths)


_LONG = 1024


def segments(lengths: tuple[int, ...], device: torch.device | None = None) -> Segments:
    bounds = torch.tensor([0, *itertools.accumulate(lengths)], dtype=torch.int32, device=device)
    return Segments(lengths, bounds, max(lengths, default=0))


def attend(query: Tensor, key: Tensor, value: Tensor, within: Segments, *, causal: bool) -> Tensor:
    """Attend within segments. Inputs are (tokens, heads, head_dim); keys and values may have fewer heads (GQA)."""
    heads = Heads(query.shape[1], key.shape[1], query.shape[2], causal=causal)
    kernel = kernel_for(query.device, query.dtype, heads, long=within.long)
    return kernel(query, key, value, within, causal=causal)


@functools.cache
def kernel_for(device: torch.device, dtype: torch.dtype, heads: Heads, *, long: bool) -> Kernel:
    """Return the attention kernel to use. Cached, since the candidates are run to choose one."""
    if device.type != "cuda" or dtype not in (torch.bfloat16, torch.float16):
        return by_runs
    if not long:
        return packed(heads, dtype, segments((5, 3), device))
    # Realistic lengths: text rows differ, screenshots do not. Enough tokens that compute outweighs launch overhead.
    lengths = (3900, 4000, 4100, 4192) if heads.causal else (3840,) * 8
    return fastest(heads, dtype, segments(lengths, device))
