"""Dotted names of settings, such as `browser.sessions`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast


def flat(settings: Mapping[str, Any], within: str = "") -> dict[str, Any]:
    """Flatten nested settings to dotted names."""
    found: dict[str, Any] = {}
    for name, value in settings.items():
        if isinstance(value, Mapping) and value:
            found |= flat(cast("Mapping[str, Any]", value), f"{within}{name}.")
        else:
            found[f"{within}{name}"] = value
    return found
