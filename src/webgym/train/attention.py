"""Attention within the segments of one packed sequence: rows of text, pictures."""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false, reportUnknownArgumentType=false

from __future__ import annotations

import functools
import inspect
import itertools
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor
from torch.nn.functional import scaled_dot_product_attention


@dataclass(frozen=True, slots=True)
class Segments:
    """Where the parts of a packed sequence begin and end; nothing attends across."""

    lengths: tuple[int, ...]
    bounds: Tensor
    """Cumulative lengths from 0, int32."""
    longest: int

    def to(self, device: torch.device) -> Segments:
        return Segments(self.lengths, self.bounds.to(device, non_blocking=True), self.longest)


def segments(lengths: tuple[int, ...]) -> Segments:
    bounds = torch.tensor([0, *itertools.accumulate(lengths)], dtype=torch.int32)
    return Segments(lengths, bounds, max(lengths, default=0))


def prepare(device: torch.device) -> None:
    """Find out which kernel works here. Not later: what is tried inside a layer would count as a part of it."""
    if device.type == "cuda":
        _varlen_works(device)


def attend(query: Tensor, key: Tensor, value: Tensor, within: Segments, *, causal: bool) -> Tensor:
    """Attention of tokens by heads by width; keys and values may have fewer heads."""
    if query.is_cuda and query.dtype in (torch.bfloat16, torch.float16) and _varlen_works(query.device):
        return _varlen(query, key, value, within, causal=causal)
    return _by_runs(query, key, value, within, causal=causal)


def _by_runs(query: Tensor, key: Tensor, value: Tensor, within: Segments, *, causal: bool) -> Tensor:
    """One call per run of equally long segments."""
    groups = query.shape[1] // key.shape[1]
    if groups > 1:
        key, value = key.repeat_interleave(groups, dim=1), value.repeat_interleave(groups, dim=1)
    parts: list[Tensor] = []
    start = 0
    for length, run in itertools.groupby(within.lengths):
        count = len(list(run))
        stop = start + count * length
        q, k, v = (each[start:stop].unflatten(0, (count, length)).transpose(1, 2) for each in (query, key, value))
        parts.append(scaled_dot_product_attention(q, k, v, is_causal=causal).transpose(1, 2).flatten(0, 1))
        start = stop
    return parts[0] if len(parts) == 1 else torch.cat(parts)


@functools.cache
def _kernel() -> tuple[Callable[..., Any], frozenset[str]] | None:
    """Torch's own kernel and the names of its arguments, which differ between releases."""
    try:
        from torch.nn.attention.varlen import varlen_attn  # noqa: PLC0415  absent from older releases
    except ImportError:
        return None
    return varlen_attn, frozenset(inspect.signature(varlen_attn).parameters)


def _varlen(query: Tensor, key: Tensor, value: Tensor, within: Segments, *, causal: bool) -> Tensor:
    found = _kernel()
    if found is None:
        return _by_runs(query, key, value, within, causal=causal)
    kernel, names = found
    options: dict[str, Any] = {"enable_gqa": True} if "enable_gqa" in names else {}
    if "window_size" in names:
        options["window_size"] = (-1, 0) if causal else (-1, -1)
    else:
        options["is_causal"] = causal
    longest = within.longest
    return kernel(query, key, value, within.bounds, within.bounds, longest, longest, **options)


@functools.cache
def _varlen_works(device: torch.device) -> bool:
    """Tried once, forward and backward, with fewer heads of keys: not every release and card can."""
    within = segments((5, 3)).to(device)
    query = torch.ones(8, 4, 64, device=device, dtype=torch.bfloat16, requires_grad=True)
    key = torch.ones(8, 2, 64, device=device, dtype=torch.bfloat16, requires_grad=True)
    try:
        with torch.enable_grad():
            _varlen(query, key, key, within, causal=True).sum().backward()
    except (RuntimeError, TypeError, ValueError, NotImplementedError):
        return False
    return query.grad is not None and key.grad is not None
