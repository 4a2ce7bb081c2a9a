"""Load user code by import path."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path
from typing import Any

from webgym.errors import ConfigError

BUILT_IN = {
    "agent.use": ("vlm", "oracle", "spoken-oracle", "random", "noop"),
    "agent.policy": ("auto", "engine", "served"),
    "judge.use": ("exact", "rubric", "both", "none"),
    "tasks.use": ("hermetic", "nano", "nano-practice", "file", "set", "given"),
    "train.use": ("reference",),
}
"""Built-in names of each setting, listed in the error for an unknown one."""


def named(path: str, what: str) -> Any:
    """Import what `module:name` names; modules are also looked up in the current folder.

    Raises:
        ConfigError: It cannot be imported.
    """
    module, colon, name = path.partition(":")
    if not colon or not module or not name:
        known = f" ({', '.join(BUILT_IN[what])})" if what in BUILT_IN else ""
        raise ConfigError(f"{what} = {path!r} is neither built in{known} nor of the form 'module:name'")
    here = str(Path.cwd())
    if here not in sys.path:
        sys.path.insert(0, here)
    try:
        found: Any = importlib.import_module(module)
        for part in name.split("."):
            found = getattr(found, part)
    except (ImportError, AttributeError) as error:
        raise ConfigError(f"{what} = {path!r} cannot be imported: {error}") from error
    return found


def made(path: str, what: str, protocol: type, *arguments: Any) -> Any:
    """Import `module:name`, call it if it is a function or class, and return the result.

    Raises:
        ConfigError: It cannot be imported, or the result does not implement the protocol.
    """
    maker = named(path, what)
    # A class has the methods of its instances, so isinstance alone would take it for one.
    ready = isinstance(maker, protocol) and not isinstance(maker, type)
    thing = maker if ready or not callable(maker) else maker(*arguments)
    if not isinstance(thing, protocol):
        raise ConfigError(
            f"{what} = {path!r} gave a {type(thing).__name__}, which does not implement {protocol.__name__}"
        )
    return thing
