"""Ids for Gymnasium: `webgym/Hermetic-v0` for all sites, and one for each family."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from webgym_hermetic.registry import FAMILIES

IDS: Mapping[str, Mapping[str, Any]] = {
    "Hermetic-v0": {"env": "hermetic"},
    **{f"{name.capitalize()}-v0": {"env": "hermetic", "families": (name,)} for name in FAMILIES},
}
