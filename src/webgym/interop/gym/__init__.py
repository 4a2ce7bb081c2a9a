"""Gymnasium environments on the hermetic sites. Importing this module registers them.

import gymnasium
import webgym.interop.gym

env = gymnasium.make("webgym/Shop-v0")
"""

from __future__ import annotations

from typing import Any

import gymnasium

from webgym.interop.gym.actions import KINDS, decode_action, encode_action
from webgym.interop.gym.aio import AsyncWebEnv, make_async
from webgym.interop.gym.config import EnvConfig
from webgym.interop.gym.env import WebEnv
from webgym.interop.gym.vector import WebVectorEnv
from webgym_hermetic.registry import FAMILIES

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

_ENVS: dict[str, dict[str, Any]] = {
    "webgym/Hermetic-v0": {},
    "webgym/Web-v0": {},
    **{f"webgym/{name.capitalize()}-v0": {"families": (name,)} for name in FAMILIES},
}
ENV_IDS = tuple(_ENVS)
"""The id that covers all sites, the one for any environment (`env=`), then one id per family of sites."""

for _env_id, _options in _ENVS.items():
    if _env_id not in gymnasium.registry:
        gymnasium.register(  # pyright: ignore[reportUnknownMemberType] (its kwargs are a bare dict)
            _env_id,
            entry_point="webgym.interop.gym.env:WebEnv",
            vector_entry_point="webgym.interop.gym.vector:WebVectorEnv",
            kwargs=_options,
        )
