"""Policies that installed packages ship with their weights, and what goes with them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from webgym.errors import ConfigError
from webgym.plugins import POLICIES, beside, brought, loaded, remedy

RANDOM = "random-"
"""Before the name of a policy: one of its dimensions, with random weights."""


@dataclass(frozen=True, slots=True)
class ShippedPolicy:
    """A policy in a package. The package names it as an entry point of the group `webgym.policies`."""

    checkpoint: Callable[[], Path]
    """Returns the folder with its weights."""
    settings: Mapping[str, Any]
    """What it was trained to see and say: settings of runs by section, with `evaluate` for those that train."""
    recognise: Callable[[Path], str]
    """Returns why other weights, in this folder, are of the same kind; "" if they are not, or nothing shows it."""
    initialise: Callable[[Path, int], None]
    """Writes a checkpoint of its dimensions to a folder, with random weights drawn with this seed. Blocks."""


def shipped_policy(name: str) -> ShippedPolicy | None:
    """Return the policy of this name; None if no installed package has one.

    Raises:
        ConfigError: It is in a package of this repository that is not installed, or cannot be imported.
    """
    point = brought(POLICIES).get(name)
    if point is None:
        if name in beside(POLICIES) and not Path(name).is_dir():
            raise ConfigError(f"the policy {name} is not installed: {remedy(POLICIES, name)}")
        return None
    found = loaded(point)
    if not isinstance(found, ShippedPolicy):
        raise ConfigError(f"{point.name!r} of {point.group} is no ShippedPolicy")
    return found


def shipped_policies() -> list[ShippedPolicy]:
    """Return all that are installed."""
    return [found for name in brought(POLICIES) if (found := shipped_policy(name)) is not None]
