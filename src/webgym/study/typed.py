"""Settings in command-line syntax: `train.lr=1e-05`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, cast

import tomli_w

from webgym.run.dotted import flat
from webgym.run.load import Override


def typed(overrides: Iterable[Override]) -> list[str]:
    """Return all overrides as command-line arguments, in order."""
    return [line for override in overrides for line in ([override] if isinstance(override, str) else _lines(override))]


def _lines(settings: Mapping[str, Any]) -> list[str]:
    return [f"{name}={_value(value)}" for name, value in flat(settings).items()]


def _value(value: object) -> str:
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(_value, cast('Iterable[object]', value)))}]"
    if isinstance(value, Mapping):
        inner = (f"{name} = {_value(one)}" for name, one in cast("Mapping[str, Any]", value).items())
        return f"{{{', '.join(inner)}}}"
    return tomli_w.dumps({"v": value}).removeprefix("v = ").rstrip("\n")
