"""The names of built-in losses and estimators, and how a name or an import path becomes a function.

Importing this imports none of them: losses need torch, and what checks a configuration must not.
"""

from __future__ import annotations

import difflib
import sys
from collections.abc import Collection, Mapping
from typing import Any

from webgym.errors import ConfigError
from webgym.imports import imported

LOSSES: Mapping[str, str] = {
    "ppo": "webgym.algorithms.losses.ppo:ppo",
    "logprob": "webgym.algorithms.losses.logprob:logprob",
    "gspo": "webgym.algorithms.losses.gspo:gspo",
    "cispo": "webgym.algorithms.losses.cispo:cispo",
}
ESTIMATORS: Mapping[str, str] = {
    "grpo": "webgym.algorithms.advantages.grpo:grpo",
    "dr_grpo": "webgym.algorithms.advantages.dr_grpo:dr_grpo",
    "rloo": "webgym.algorithms.advantages.rloo:rloo",
    "maxrl": "webgym.algorithms.advantages.maxrl:maxrl",
    "gigpo": "webgym.algorithms.advantages.gigpo:gigpo",
    "reward": "webgym.algorithms.advantages.reward:reward",
}


def checked_name(name: str, known: Collection[str]) -> str:
    """Return a name that is built in or looks like `module:function`; nothing is imported.

    Raises:
        ValueError: It is neither; the message suggests the nearest built-in name.
    """
    module, _, function = name.partition(":")
    if name in known or (module and function):
        return name
    near = difflib.get_close_matches(name, known, n=1)
    asked = f"; did you mean {near[0]}?" if near else "."
    raise ValueError(f"{name!r} is not built in{asked} There are {', '.join(known)}, and your own as 'module:function'")


def function_named(name: str, known: Mapping[str, str], what: str) -> Any:
    """Import what a built-in name or an import path names; modules are also looked up in the current folder.

    Args:
        name: The name or path.
        known: Import paths of built-in names.
        what: The setting that it is from, for errors.

    Raises:
        ConfigError: It cannot be imported.
    """
    try:
        path = known.get(name) or checked_name(name, known)
    except ValueError as error:
        raise ConfigError(f"{what}: {error}") from None
    return imported(path, what, tuple(known))


def look_also_in(folders: Collection[str]) -> None:
    """Look up modules in these folders too, after those where they are looked up already."""
    sys.path += [folder for folder in folders if folder not in sys.path]
