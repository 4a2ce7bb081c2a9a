"""Check that a function of one's own can be called as it will be, before anything is started for it."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from typing import Any

from webgym.errors import ConfigError


def check_signature(function: Any, options: Mapping[str, Any], *, what: str, first: str, table: str) -> None:
    """Check that a function takes one argument, and these options as keywords.

    Args:
        function: What the setting names.
        options: The options given.
        what: The setting, with its value, for errors.
        first: Name of the one argument.
        table: The setting that holds the options.

    Raises:
        ConfigError: It does not; the message says what is expected.
    """
    wanted = f"expected is a function that is called as f({', '.join([first, *(f'{option}=…' for option in options)])})"
    if not callable(function) or isinstance(function, type):
        raise ConfigError(f"{what} is a {_kind(function)}; {wanted}")
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):  # some built-in functions tell nobody what they take
        return
    try:
        signature.bind(None, **options)
    except TypeError as error:
        raise ConfigError(f"{what} takes {signature}: {error}; {wanted}, its keywords being {table}") from None


def _kind(thing: Any) -> str:
    return "class" if isinstance(thing, type) else type(thing).__name__
