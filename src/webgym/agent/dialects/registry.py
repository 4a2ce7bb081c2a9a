"""Dialects by name."""

from __future__ import annotations

import importlib

from webgym.agent.dialects.anthropic_computer import ANTHROPIC_COMPUTER
from webgym.agent.dialects.compact import COMPACT
from webgym.agent.dialects.dialect import Dialect
from webgym.agent.dialects.nano import NANO
from webgym.agent.dialects.openai_computer import OPENAI_COMPUTER
from webgym.agent.dialects.qwen2_5_vl import QWEN2_5_VL
from webgym.agent.dialects.qwen3_vl import INSTRUCT, INSTRUCT_MARKS, THINKING, THINKING_MARKS
from webgym.errors import ConfigError

_OURS: tuple[Dialect, ...] = (
    INSTRUCT,
    THINKING,
    INSTRUCT_MARKS,
    THINKING_MARKS,
    QWEN2_5_VL,
    OPENAI_COMPUTER,
    ANTHROPIC_COMPUTER,
    COMPACT,
    NANO,
)
_BY_NAME = {dialect.name: dialect for dialect in _OURS}
NAMES = tuple(_BY_NAME)


def dialect_named(name: str) -> Dialect:
    """Return the dialect of this name, or the object at `package.module:object`.

    Raises:
        ConfigError: There is no such dialect.
    """
    if name in _BY_NAME:
        return _BY_NAME[name]
    if ":" not in name:
        raise ConfigError(
            f"no dialect is called {name!r}; there are {', '.join(NAMES)}, and your own as package.module:object"
        )
    module, _, attribute = name.partition(":")
    try:
        found: object = getattr(importlib.import_module(module), attribute)
    except (ImportError, AttributeError, ValueError) as error:
        raise ConfigError(f"cannot import the dialect {name!r}: {error}") from error
    if not isinstance(found, Dialect):
        raise ConfigError(f"{name!r} is no dialect: it lacks {', '.join(_missing(found))}")
    return found


def _missing(found: object) -> list[str]:
    wanted = ("name", "look", "coordinates", "system", "tools", "parse", "call", "say", "keep")
    return [name for name in wanted if not hasattr(found, name)]
