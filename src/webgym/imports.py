"""Load a user's code by import path, `module:name`."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from webgym.errors import ConfigError


def imported(path: str, what: str, known: Sequence[str] = ()) -> Any:
    """Import what `module:name` names; modules are also looked up in the current folder.

    Args:
        path: The import path.
        what: The setting that holds it.
        known: Names that the setting takes besides import paths.

    Raises:
        ConfigError: It cannot be imported.
    """
    module, colon, name = path.partition(":")
    if not colon or not module or not name:
        built_in = f" ({', '.join(known)})" if known else ""
        raise ConfigError(f"{what} = {path!r} is neither built in{built_in} nor of the form 'module:name'")
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


def instance_of(maker: Any, where: str, protocol: type, *arguments: Any, **options: Any) -> Any:
    """Return the object if it implements the protocol, else what it returns when called.

    Args:
        maker: An instance, or a class or function that makes one.
        where: The setting and its value, for messages.
        protocol: What the instance must implement.
        arguments: Passed on, if it is called.
        options: Likewise; an instance takes none.

    Raises:
        ConfigError: The result does not implement the protocol.
    """
    # A class has the methods of its instances, so isinstance alone would take it for one.
    ready = isinstance(maker, protocol) and not isinstance(maker, type)
    thing = maker if (ready and not options) or not callable(maker) else maker(*arguments, **options)
    if not isinstance(thing, protocol):
        raise ConfigError(f"{where} gave a {type(thing).__name__}, which does not implement {protocol.__name__}")
    return thing
