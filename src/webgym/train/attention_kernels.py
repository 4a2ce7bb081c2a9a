"""Attention kernels. Which ones work, and which is fastest, depends on the GPU and the torch release."""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false, reportUnknownArgumentType=false

from __future__ import annotations

import functools
import inspect
import itertools
import time
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import dataclass
from typing import Any, Protocol

import torch
from torch import Tensor
from torch.nn.attention import SDPBackend, sdpa_kernel
from torch.nn.functional import pad, scaled_dot_product_attention

from webgym.train.typed import split

_STRIDE = 256
"""Text rows are padded to a multiple of this for cuDNN, which builds a new plan for every length."""
_WORTH = 0.95
"""A kernel replaces the best one so far only if it takes less than this fraction of its time."""


@dataclass(frozen=True, slots=True)
class Heads:
    """Head layout of an attention call."""

    queries: int
    keys: int
    width: int
    causal: bool


class SegmentLengths(Protocol):
    """Structural type of `attention.Segments`, whose module imports this one."""

    @property
    def lengths(self) -> tuple[int, ...]: ...

    @property
    def bounds(self) -> Tensor: ...

    @property
    def longest(self) -> int: ...


class Kernel(Protocol):
    """An attention function. Inputs are (tokens, heads, head_dim); keys and values may have fewer heads (GQA)."""

    __name__: str

    def __call__(
        self, query: Tensor, key: Tensor, value: Tensor, within: SegmentLengths, *, causal: bool
    ) -> Tensor: ...


def packed(heads: Heads, dtype: torch.dtype, tried: SegmentLengths) -> Kernel:
    """Return torch's variable-length kernel if it works here, otherwise `by_runs`."""
    return by_runs if _seconds(varlen, heads, dtype, tried, times=0) is None else varlen


def fastest(heads: Heads, dtype: torch.dtype, tried: SegmentLengths) -> Kernel:
    """Return the fastest kernel that works here."""
    fallback = packed(heads, dtype, tried)
    best, least = fallback, _seconds(fallback, heads, dtype, tried) or float("inf")
    for kernel in (cudnn,) if heads.queries == heads.keys else (cudnn, cudnn_repeated):
        took = _seconds(kernel, heads, dtype, tried)
        if took is not None and took < _WORTH * least:
            best, least = kernel, took
    return best


def _seconds(kernel: Kernel, heads: Heads, dtype: torch.dtype, tried: SegmentLengths, times: int = 5) -> float | None:
    """Return the best time of a forward and backward pass after a warm-up; None: the kernel does not work here.

    The minimum, because other work may delay a run or two, and the choice is permanent.
    """
    device, tokens = tried.bounds.device, sum(tried.lengths)
    options: dict[str, Any] = {"device": device, "dtype": dtype, "requires_grad": True}
    query = torch.randn(tokens, heads.queries, heads.width, **options)
    key, value = (torch.randn(tokens, heads.keys, heads.width, **options) for _ in range(2))
    slope = torch.randn_like(query)
    took: list[float] = []
    try:
        with torch.enable_grad():
            for _ in range(1 + times):
                began = _now(device)
                torch.autograd.grad(kernel(query, key, value, tried, causal=heads.causal), (query, key, value), slope)
                took.append(_now(device) - began)
    except (RuntimeError, TypeError, ValueError, NotImplementedError):
        return None
    return min(took[1:], default=0.0)


def _now(device: torch.device) -> float:
    if device.type == "cuda":
        torch.cuda.synchronize(device)
    return time.perf_counter()


def by_runs(query: Tensor, key: Tensor, value: Tensor, within: SegmentLengths, *, causal: bool) -> Tensor:
    """One SDPA call per run of equally long segments; torch picks the backend."""
    key, value = _repeated(query, key), _repeated(query, value)
    return _runs(query, key, value, within, functools.partial(_by_heads, causal=causal))


def cudnn_repeated(query: Tensor, key: Tensor, value: Tensor, within: SegmentLengths, *, causal: bool) -> Tensor:
    """`cudnn` with keys and values repeated for every query head: not every release supports GQA."""
    return cudnn(query, _repeated(query, key), _repeated(query, value), within, causal=causal)


def cudnn(query: Tensor, key: Tensor, value: Tensor, within: SegmentLengths, *, causal: bool) -> Tensor:
    """One cuDNN call per run of equally long segments."""

    def call(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
        length = q.shape[1]
        # Pad at the end, which earlier queries cannot see, and before the heads are transposed: in this layout neither
        # padding nor slicing it off makes a transposed copy, in the forward or the backward pass.
        over = -length % _STRIDE if causal else 0
        if over:
            q, k, v = (pad(each, (0, 0, 0, 0, 0, over)) for each in (q, k, v))
        return _by_heads(q, k, v, causal=causal)[:, :length]

    with sdpa_kernel(SDPBackend.CUDNN_ATTENTION) if query.is_cuda else nullcontext():
        return _runs(query, key, value, within, call)


def _by_heads(query: Tensor, key: Tensor, value: Tensor, *, causal: bool) -> Tensor:
    """SDPA of inputs that are (segments, tokens, heads, head_dim)."""
    grouped = query.shape[2] != key.shape[2]
    query, key, value = (each.transpose(1, 2) for each in (query, key, value))
    return scaled_dot_product_attention(query, key, value, is_causal=causal, enable_gqa=grouped).transpose(1, 2)


def _repeated(query: Tensor, shared: Tensor) -> Tensor:
    groups = query.shape[1] // shared.shape[1]
    return shared.repeat_interleave(groups, dim=1) if groups > 1 else shared


def _runs(query: Tensor, key: Tensor, value: Tensor, within: SegmentLengths, call: Callable[..., Tensor]) -> Tensor:
    runs = [(length, len(list(run))) for length, run in itertools.groupby(within.lengths)]
    sizes = [length * count for length, count in runs]
    parts: list[Tensor] = []
    # One split, not slices: each slice's gradient would be as large as the whole tensor, and all would be summed.
    cut = zip(*((each,) if len(runs) == 1 else split(each, sizes) for each in (query, key, value)), strict=True)
    for (length, count), run in zip(runs, cut, strict=True):
        parts.append(call(*(each.unflatten(0, (count, length)) for each in run)).flatten(0, 1))
    return parts[0] if len(parts) == 1 else torch.cat(parts)


def varlen(query: Tensor, key: Tensor, value: Tensor, within: SegmentLengths, *, causal: bool) -> Tensor:
    """One call for segments of any length, to torch's `varlen_attn`."""
    kernel, names = _torch_varlen()
    options: dict[str, Any] = {"enable_gqa": True} if "enable_gqa" in names else {}
    if "window_size" in names:
        options["window_size"] = (-1, 0) if causal else (-1, -1)
    else:
        options["is_causal"] = causal
    longest = within.longest
    return kernel(query, key, value, within.bounds, within.bounds, longest, longest, **options)


@functools.cache
def _torch_varlen() -> tuple[Callable[..., Any], frozenset[str]]:
    """Return `varlen_attn` and its parameter names, which differ between releases.

    Raises:
        NotImplementedError: This torch release is too old to have it.
    """
    try:
        from torch.nn.attention.varlen import varlen_attn  # noqa: PLC0415  absent from older releases
    except ImportError as error:
        raise NotImplementedError from error
    return varlen_attn, frozenset(inspect.signature(varlen_attn).parameters)
