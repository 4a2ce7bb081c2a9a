"""Default settings of nano, applied by `policy.model=nano`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

from webgym.nano.config import NanoConfig
from webgym.nano.shipped import NAME

_LIMITS: Mapping[str, Any] = {"easy": 10, "medium": 10, "hard": 10, "malformed": 3}
"""An oracle solves every task that nano is made for in at most 8 steps."""

MANNER: Mapping[str, Any] = {
    "policy": {"max_tokens": 96, "length": 1024},
    # One screenshot, the task, the last six steps. Stronger compression would blur 12-pixel text.
    "agent": {
        "dialect": "nano",
        "prompt": "nano-1",
        "rounds": 0,
        "max_images": 1,
        "max_prompt_tokens": 4000,
        "past_steps": 6,
        "screenshot": "jpeg",
        "quality": 90,
    },
    "browser": {"width": NanoConfig().width, "height": NanoConfig().height},
    "limits": _LIMITS,
}
"""Observations, prompt and dialect of nano, the same in its demonstrations (`pipeline/nano/agent_settings.py`)."""
TRAINING: Mapping[str, Any] = {"evaluate": {"limits": _LIMITS}}
"""Additional settings for training runs."""


def is_nano(settings: Mapping[str, Any]) -> bool:
    """Return whether a configuration names the policy that ships with the package."""
    policy: Any = settings.get("policy")
    return isinstance(policy, dict) and cast("dict[str, Any]", policy).get("model") == NAME
