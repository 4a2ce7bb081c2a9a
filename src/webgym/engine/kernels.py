"""Linear layers fused with their activation, where torch has such a kernel."""

from __future__ import annotations

from typing import Any

import torch
from torch.nn import functional as F  # noqa: N812 - as everyone calls it


def _fused() -> Any:
    """Return oneDNN's fused linear layer, the one that torch.compile uses; None in builds without oneDNN."""
    if not torch.backends.mkldnn.is_available():
        return None
    return getattr(torch.ops.mkldnn, "_linear_pointwise", None)


_FUSED = _fused()


def linear(states: torch.Tensor, weight: torch.Tensor, bias: torch.Tensor) -> torch.Tensor:
    """Linear layer, by oneDNN on a CPU in float32."""
    if _applies(states):
        return _FUSED(states, weight, bias, "none", [], "")
    return F.linear(states, weight, bias)


def linear_gelu(states: torch.Tensor, weight: torch.Tensor, bias: torch.Tensor, *, approximate: str) -> torch.Tensor:
    """Linear layer and GELU, fused on a CPU in float32."""
    if _applies(states):
        return _FUSED(states, weight, bias, "gelu", [], approximate)
    return F.gelu(F.linear(states, weight, bias), approximate=approximate)


def _applies(states: torch.Tensor) -> bool:
    return _FUSED is not None and states.device.type == "cpu" and states.dtype == torch.float32
