"""Whether weights and KV cache fit, checked before anything is allocated; and how much is left for caches."""

from __future__ import annotations

from pathlib import Path

import torch

from webgym.engine.settings import MIB, EngineSettings
from webgym.engine.shape import TextConfig
from webgym.errors import ConfigError

GB = 10**9
_WORK = 0.04
"""Share of memory set aside for activations."""
_CACHE = 0.05
"""Share of the remaining memory that each cache may take."""
_LEAST_FEATURES = 256 * MIB
_LEAST_PREFIXES = 64 * MIB


def token_bytes(shape: TextConfig, dtype: torch.dtype) -> int:
    """Return the KV cache bytes of one token."""
    return 2 * shape.num_hidden_layers * shape.num_key_value_heads * shape.head_dim * dtype.itemsize


def check_room(
    shape: TextConfig, settings: EngineSettings, weights: int, device: torch.device, dtype: torch.dtype
) -> int:
    """Return the bytes left besides this many weights and the KV cache.

    Raises:
        ConfigError: They do not fit; the message says what would.
    """
    free = free_bytes(device)
    held, loaded = settings.slots * settings.length * token_bytes(shape, dtype), weights * dtype.itemsize
    left = int(free * (1 - _WORK)) - held - loaded
    if left >= 0:
        return left
    most = max(0, settings.slots * (left + held) // held)
    remedy = f"policy.slots={most} would fit, or a smaller policy.length" if most else "choose another policy.device"
    raise ConfigError(
        f"the engine does not fit on {device}: {free / GB:.1f} GB are free, the weights take {loaded / GB:.1f} GB, and "
        f"the KV cache of {settings.slots} replies of {settings.length:,} tokens {held / GB:.1f} GB; {remedy}"
    )


def feature_bytes(left: int, device: torch.device) -> int:
    """Return the default size of the cache of image features."""
    return _LEAST_FEATURES if device.type == "cpu" else max(_LEAST_FEATURES, int(left * _CACHE))


def prefix_bytes(left: int, device: torch.device, prompt: int) -> int:
    """Return the default prefix cache size: a few of the longest prompts, since a lookup compares with every entry."""
    return _LEAST_PREFIXES if device.type == "cpu" else max(_LEAST_PREFIXES, min(int(left * _CACHE), 32 * prompt))


def free_bytes(device: torch.device) -> int:
    """Return the free memory of a device."""
    if device.type == "cuda":
        return torch.cuda.mem_get_info(device)[0]
    for line in Path("/proc/meminfo").read_text().splitlines():
        if line.startswith("MemAvailable:"):
            return int(line.split()[1]) * 1024
    return 2**62
