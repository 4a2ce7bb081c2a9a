"""Settings that go with nano, so that `policy.model=nano` is all there is to type."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

from webgym.nano.config import NanoConfig
from webgym.nano.shipped import NAME

_LIMITS: Mapping[str, Any] = {"easy": 10, "medium": 10, "hard": 10, "malformed": 3}
"""No task that nano is made for takes an oracle more than 8 steps."""

MANNER: Mapping[str, Any] = {
    "policy": {"max_tokens": 96, "length": 1024},
    # One picture, the task, the last six steps. Text of 12 pixels suffers from stronger compression.
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
"""How nano is shown the web, in lessons (`pipeline/nano/agent_settings.py`) as in runs, and how it speaks."""
TRAINING: Mapping[str, Any] = {"evaluate": {"limits": _LIMITS}}
"""Besides, where there are evaluations."""


def is_nano(settings: Mapping[str, Any]) -> bool:
    """Whether a configuration names the policy that ships with the package."""
    policy: Any = settings.get("policy")
    return isinstance(policy, dict) and cast("dict[str, Any]", policy).get("model") == NAME
