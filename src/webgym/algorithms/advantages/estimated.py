"""Ask an estimator, and check what it says."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, cast

from webgym.algorithms.advantages.chosen import SETTING
from webgym.algorithms.advantages.estimator import Estimator, Member
from webgym.errors import ConfigError


def estimated(estimator: Estimator, members: Sequence[Member]) -> list[float] | list[tuple[float, ...]]:
    """Return the advantage of every member, or for an estimator `by_step` those of its steps.

    Raises:
        ConfigError: The estimator returned something else.
    """
    found: Any = estimator(members)
    what = f"{SETTING} = {estimator.name!r}"
    try:
        told = [*cast("Sequence[Any]", found)]
        steps = [tuple(map(float, values)) for values in told] if estimator.by_step else []
        whole = [] if estimator.by_step else [float(value) for value in told]
    except (TypeError, ValueError) as error:
        each = "the advantage of each step" if estimator.by_step else "one number (with @estimator(by_step=True), more)"
        raise ConfigError(f"{what} gave {found!r}: expected is for each member {each}") from error
    counts = [len(member.states) for member in members] if estimator.by_step else []
    if len(told) != len(members) or [len(step) for step in steps] != counts:
        for_each = f"{counts} for their steps" if estimator.by_step else "one for each"
        raise ConfigError(f"{what} gave {found!r} for {len(members)} members: expected is {for_each}")
    if not all(map(math.isfinite, [*whole, *(value for values in steps for value in values)])):
        raise ConfigError(f"{what} gave {found!r}: an advantage is not finite")
    return steps or whole
