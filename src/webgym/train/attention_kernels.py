"""The kernels that attention is computed with: which one works, and is fastest, hangs on card and release."""

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
"""Rows of text are filled up to a multiple of it for cuDNN, which plans anew for every length."""
_WORTH = 0.95
"""What a kernel may take of another's time to be preferred."""


@dataclass(frozen=True, slots=True)
class Heads:
    """What is compared."""

    queries: int
    keys: int
    width: int
    causal: bool


class Within(Protocol):
    """`attention.Segments`."""

    @property
    def lengths(self) -> tuple[int, ...]: ...

    @property
    def bounds(self) -> Tensor: ...

    @property
    def longest(self) -> int: ...


class Kernel(Protocol):
    """Attention of tokens by heads by width; keys and values may have fewer heads."""

    __name__: str

    def __call__(self, query: Tensor, key: Tensor, value: Tensor, within: Within, *, causal: bool) -> Tensor: ...


def packed(heads: Heads, dtype: torch.dtype, tried: Within) -> Kernel:
    """Torch's own kernel for segments of any length, if it works here."""
    return by_runs if _seconds(varlen, heads, dtype, tried, times=0) is None else varlen


def fastest(heads: Heads, dtype: torch.dtype, tried: Within) -> Kernel:
    """Of those that work."""
    fallback = packed(heads, dtype, tried)
    best, least = fallback, _seconds(fallback, heads, dtype, tried) or float("inf")
    for kernel in (cudnn,) if heads.queries == heads.keys else (cudnn, cudnn_repeated):
        took = _seconds(kernel, heads, dtype, tried)
        if took is not None and took < _WORTH * least:
            best, least = kernel, took
    return best


def _seconds(kernel: Kernel, heads: Heads, dtype: torch.dtype, tried: Within, times: int = 5) -> float | None:
    """That it takes there and back at best, after the first time; None: not every release and card can.

    At best, because whatever else runs may hold it up once or twice, and the choice is for good.
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


def by_runs(query: Tensor, key: Tensor, value: Tensor, within: Within, *, causal: bool) -> Tensor:
    """One call per run of equally long segments, to whatever torch prefers."""
    key, value = _repeated(query, key), _repeated(query, value)
    return _runs(query, key, value, within, functools.partial(_by_heads, causal=causal))


def cudnn_repeated(query: Tensor, key: Tensor, value: Tensor, within: Within, *, causal: bool) -> Tensor:
    """With keys and values once for every query: not every release shares them."""
    return cudnn(query, _repeated(query, key), _repeated(query, value), within, causal=causal)


def cudnn(query: Tensor, key: Tensor, value: Tensor, within: Within, *, causal: bool) -> Tensor:
    """One call per run, to cuDNN."""

    def call(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
        length = q.shape[1]
        # Filled up behind, where no query of before looks; and while tokens still lie one behind the other, as they do
        # again when the rest is cut off: neither turns anything round in memory, there or on the way back.
        over = -length % _STRIDE if causal else 0
        if over:
            q, k, v = (pad(each, (0, 0, 0, 0, 0, over)) for each in (q, k, v))
        return _by_heads(q, k, v, causal=causal)[:, :length]

    with sdpa_kernel(SDPBackend.CUDNN_ATTENTION) if query.is_cuda else nullcontext():
        return _runs(query, key, value, within, call)


def _by_heads(query: Tensor, key: Tensor, value: Tensor, *, causal: bool) -> Tensor:
    """Of segments by tokens by heads by width."""
    grouped = query.shape[2] != key.shape[2]
    query, key, value = (each.transpose(1, 2) for each in (query, key, value))
    return scaled_dot_product_attention(query, key, value, is_causal=causal, enable_gqa=grouped).transpose(1, 2)


def _repeated(query: Tensor, shared: Tensor) -> Tensor:
    groups = query.shape[1] // shared.shape[1]
    return shared.repeat_interleave(groups, dim=1) if groups > 1 else shared


def _runs(query: Tensor, key: Tensor, value: Tensor, within: Within, call: Callable[..., Tensor]) -> Tensor:
    runs = [(length, len(list(run))) for length, run in itertools.groupby(within.lengths)]
    sizes = [length * count for length, count in runs]
    parts: list[Tensor] = []
    # Split at once: of a slice the gradient is as large as what it is a slice of, and each would be added up.
    cut = zip(*((each,) if len(runs) == 1 else split(each, sizes) for each in (query, key, value)), strict=True)
    for (length, count), run in zip(runs, cut, strict=True):
        parts.append(call(*(each.unflatten(0, (count, length)) for each in run)).flatten(0, 1))
    return parts[0] if len(parts) == 1 else torch.cat(parts)


def varlen(query: Tensor, key: Tensor, value: Tensor, within: Within, *, causal: bool) -> Tensor:
    """One call for segments of any length, to torch's own kernel."""
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
    """The kernel and the names of its arguments, which differ between releases.

    Raises:
        NotImplementedError: This release is too old.
    """
    try:
        from torch.nn.attention.varlen import varlen_attn  # noqa: PLC0415  absent from older releases
    except ImportError as error:
        raise NotImplementedError from error
    return varlen_attn, frozenset(inspect.signature(varlen_attn).parameters)
