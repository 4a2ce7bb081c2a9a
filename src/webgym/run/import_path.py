"""Load the user's code that a configuration names."""

from __future__ import annotations

from typing import Any

from webgym.imports import imported, instance_of
from webgym.plugins import TASKS, brought

BUILT_IN = {
    "agent.use": ("vlm", "oracle", "spoken-oracle", "random", "noop"),
    "agent.policy": ("auto", "engine", "served"),
    "judge.use": ("exact", "rubric", "both", "none"),
    "tasks.use": ("env", "file", "set", "given"),
    "train.use": ("reference",),
}
"""Built-in names of each setting, listed in the error for an unknown one, with those that packages bring."""


def named(path: str, what: str) -> Any:
    """Import what `module:name` names; modules are also looked up in the current folder.

    Raises:
        ConfigError: It cannot be imported.
    """
    known = (*BUILT_IN.get(what, ()), *(brought(TASKS) if what == "tasks.use" else ()))
    return imported(path, what, known)


def made(path: str, what: str, protocol: type, *arguments: Any) -> Any:
    """Import `module:name`, call it if it is a function or class, and return the result.

    Raises:
        ConfigError: It cannot be imported, or the result does not implement the protocol.
    """
    return instance_of(named(path, what), f"{what} = {path!r}", protocol, *arguments)
