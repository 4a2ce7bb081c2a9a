"""Load the user's code that a configuration names."""

from __future__ import annotations

from typing import Any

from webgym.imports import imported, instance_of

BUILT_IN = {
    "agent.use": ("vlm", "oracle", "spoken-oracle", "random", "noop"),
    "agent.policy": ("auto", "engine", "served"),
    "judge.use": ("exact", "rubric", "both", "none"),
    "tasks.use": ("env", "nano", "nano-practice", "file", "set", "given"),
    "train.use": ("reference",),
}
"""Built-in names of each setting, listed in the error for an unknown one."""


def named(path: str, what: str) -> Any:
    """Import what `module:name` names; modules are also looked up in the current folder.

    Raises:
        ConfigError: It cannot be imported.
    """
    return imported(path, what, BUILT_IN.get(what, ()))


def made(path: str, what: str, protocol: type, *arguments: Any) -> Any:
    """Import `module:name`, call it if it is a function or class, and return the result.

    Raises:
        ConfigError: It cannot be imported, or the result does not implement the protocol.
    """
    return instance_of(named(path, what), f"{what} = {path!r}", protocol, *arguments)
