"""The estimator that the settings choose."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from webgym.algorithms.advantages.estimator import Estimator
from webgym.algorithms.registry import ESTIMATORS, function_named
from webgym.algorithms.signature import check_signature

SETTING = "train.source.estimator"
NO_OPTIONS: Mapping[str, Any] = {}


def estimator_of(name: str, options: Mapping[str, Any] = NO_OPTIONS) -> Estimator:
    """Return the estimator of a name or an import path, with options.

    Raises:
        ConfigError: It cannot be imported, or does not take what it would be called with.
    """
    return as_estimator(function_named(name, ESTIMATORS, SETTING), options, name)


def as_estimator(found: Any, options: Mapping[str, Any] = NO_OPTIONS, name: str = "") -> Estimator:
    """Return a function with options as an estimator: one that compares members, unless it is declared otherwise.

    Raises:
        ConfigError: It does not take what it would be called with.
    """
    made = found if isinstance(found, Estimator) else Estimator(found, name=str(getattr(found, "__name__", "")))
    name = name or made.name
    check_signature(
        made.estimate, options, what=f"{SETTING} = {name!r}", first="members", table="train.source.estimator_options"
    )
    return replace(made, name=name, options=dict(options))
