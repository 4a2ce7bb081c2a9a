"""Gymnasium environments. Importing this module registers them, and those that installed packages bring.

import gymnasium
import webgym.interop.gym

env = gymnasium.make("webgym/Shop-v0")
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import gymnasium

from webgym.interop.gym.actions import KINDS, decode_action, encode_action
from webgym.interop.gym.aio import AsyncWebEnv, make_async
from webgym.interop.gym.config import EnvConfig
from webgym.interop.gym.env import WebEnv
from webgym.interop.gym.vector import WebVectorEnv
from webgym.plugins import GYMNASIUM, brought, loaded

__all__ = [
    "ENV_IDS",
    "KINDS",
    "AsyncWebEnv",
    "EnvConfig",
    "WebEnv",
    "WebVectorEnv",
    "decode_action",
    "encode_action",
    "make_async",
]

_ENVS: dict[str, Mapping[str, Any]] = {"webgym/Web-v0": {}}
for _point in brought(GYMNASIUM).values():
    _ENVS.update({f"webgym/{name}": options for name, options in loaded(_point).items()})
ENV_IDS = tuple(_ENVS)
"""The id for any environment (`env=`), then those of packages."""

for _env_id, _options in _ENVS.items():
    if _env_id not in gymnasium.registry:
        gymnasium.register(  # pyright: ignore[reportUnknownMemberType] (its kwargs are a bare dict)
            _env_id,
            entry_point="webgym.interop.gym.env:WebEnv",
            vector_entry_point="webgym.interop.gym.vector:WebVectorEnv",
            kwargs=dict(_options),
        )
