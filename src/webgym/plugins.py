"""What other installed packages bring, by entry point, and which package lacks if something is not there."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from functools import lru_cache
from importlib.metadata import EntryPoint, entry_points
from typing import Any

from webgym.errors import ConfigError

COMMANDS = "webgym.commands"
"""Group of commands: Typer applications, or functions. `judge.collect` is `webgym judge collect`."""
ENVIRONMENTS = "webgym.environments"
"""Group of environments: classes or functions that take the environment's options by keyword."""
GYMNASIUM = "webgym.gymnasium"
"""Group of ids for Gymnasium, `Name-v0` below `webgym/`: mappings from ids to options of `EnvConfig`."""
POLICIES = "webgym.policies"
"""Group of policies that ship with their weights: instances of `ShippedPolicy`."""
TASKS = "webgym.tasks"
"""Group of task lists for `tasks.use`: functions that return tasks, in an order that is drawn with the seed given."""

_HERMETIC = "./environments/hermetic"
_NANO = f"{_HERMETIC} ./policies/nano"
_BENCHMARKS = f"{_NANO} ./benchmarks"
_BESIDE: Mapping[str, Mapping[str, str]] = {
    COMMANDS: {
        "bench": _BENCHMARKS,
        "demo": _NANO,
        "judge.collect": _HERMETIC,
        "nano": _NANO,
        "plan": _BENCHMARKS,
        "sites": _HERMETIC,
    },
    ENVIRONMENTS: {
        "hermetic": _HERMETIC,
        "miniwob": "./environments/miniwob",
        "webapp": "./environments/webapp",
    },
    POLICIES: {"nano": _NANO},
    TASKS: {"nano": _NANO, "nano-practice": _NANO},
}
"""What the packages of this repository bring, with their folders: to say which one is missing, and for nothing else."""


def brought(group: str) -> Mapping[str, EntryPoint]:
    """Return what installed packages bring to a group, by name."""
    return _on_path(group, tuple(sys.path))


def loaded(point: EntryPoint) -> Any:
    """Return what an entry point names.

    Raises:
        ConfigError: It cannot be imported.
    """
    try:
        return point.load()
    except (ImportError, AttributeError) as error:
        raise ConfigError(f"{point.name!r} of {point.group} cannot be imported: {error}") from error


def remedy(group: str, name: str) -> str:
    """Return how to install the package of this repository that brings this; empty if none does."""
    folders = _BESIDE.get(group, {}).get(name, "")
    return f"it is in a package of its own: in a clone, `make setup`, or pip install {folders}" if folders else ""


def beside(group: str) -> tuple[str, ...]:
    """Return what the packages of this repository bring to a group, installed or not."""
    return tuple(_BESIDE[group])


@lru_cache(maxsize=16)
def _on_path(group: str, path: tuple[str, ...]) -> Mapping[str, EntryPoint]:
    del path  # what is installed follows from it
    return {point.name: point for point in sorted(entry_points(group=group), key=lambda point: point.name)}
