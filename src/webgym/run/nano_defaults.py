"""Default settings of nano, applied by `policy.model=nano`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

from webgym_nano.manner import manner
from webgym_nano.shipped import NAME

TRAINING: Mapping[str, Any] = {"evaluate": manner()["evaluate"]}
"""Additional settings for training runs."""
MANNER: Mapping[str, Any] = {section: own for section, own in manner().items() if section not in TRAINING}
"""Observations, prompt and dialect of nano, the same in its demonstrations (`lessons/agent_settings.py`)."""


def is_nano(settings: Mapping[str, Any]) -> bool:
    """Return whether a configuration names the policy that ships with the package."""
    policy: Any = settings.get("policy")
    return isinstance(policy, dict) and cast("dict[str, Any]", policy).get("model") == NAME
