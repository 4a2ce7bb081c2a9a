"""Reads and validates the arguments of an action; what is invalid becomes a message for the model."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, cast

from webgym.agent.untrusted import one_line, storable
from webgym.records.observation import Observation

Problem = Literal[
    "empty", "no_call", "several_calls", "bad_json", "unknown_action", "bad_argument", "cut_off", "refused"
]
_MOST_WHOLE = 1_000_000


class Complaint(Exception):
    """What is wrong with a reply, worded for the model. Never leaves the dialect."""

    def __init__(self, problem: Problem, message: str) -> None:
        super().__init__(message)
        self.problem: Problem = problem
        self.message = message


def shown(value: object) -> str:
    """Format a value for an error message."""
    try:
        return one_line(repr(value), 60)
    except RecursionError:
        return "what is there"


def listed(value: object) -> list[object]:
    """Return the items of a list; an empty list for anything else."""
    return cast("list[object]", value) if isinstance(value, list) else []


@dataclass(frozen=True, slots=True)
class Arguments:
    """The arguments of an action, and what the model saw."""

    action: str
    values: Mapping[str, object]
    seen: Observation

    def bad(self, message: str) -> Complaint:
        """Return a complaint about these arguments."""
        return Complaint("bad_argument", f"{self.action} {message}")

    def has(self, key: str) -> bool:
        """Return whether an argument was given; null counts as not given."""
        return self.values.get(key) is not None

    def text(self, key: str, default: str | None = None) -> str:
        """Return a string argument. Numbers are converted."""
        value = self.values.get(key)
        if value is None and default is not None:
            return default
        if isinstance(value, int | float) and not isinstance(value, bool):
            return str(value)
        if not isinstance(value, str):
            raise self.bad(f'needs "{key}": a text{instead(value)}')
        return storable(value)

    def texts(self, key: str) -> tuple[str, ...]:
        """Return a list of strings; a single string counts as a list of one."""
        value = self.values.get(key)
        if isinstance(value, str):
            return (storable(value),)
        texts = tuple(storable(item) for item in listed(value) if isinstance(item, str))
        if not texts or len(texts) != len(listed(value)):
            raise self.bad(f'needs "{key}": a list of texts{instead(value)}')
        return texts

    def number(self, key: str, default: float | None = None) -> float:
        """Return a finite number."""
        value = self.values.get(key)
        if value is None and default is not None:
            return default
        number = finite(value)
        if number is None:
            raise self.bad(f'needs "{key}": a number{instead(value)}')
        return number

    def whole(self, key: str) -> int:
        """Return an integer."""
        number = self.number(key)
        if not number.is_integer() or abs(number) > _MOST_WHOLE:
            raise self.bad(f'needs "{key}": a whole number, not {shown(number)}')
        return int(number)

    def flag(self, key: str, default: bool | None = None) -> bool:
        """Return a boolean."""
        value = self.values.get(key)
        if value is None and default is not None:
            return default
        if not isinstance(value, bool):
            raise self.bad(f'needs "{key}": true or false{instead(value)}')
        return value

    def choice(self, key: str, options: Sequence[str], default: str | None = None) -> str:
        """Return one of these options."""
        value = self.values.get(key)
        if value is None and default is not None:
            return default
        if value not in options:
            raise self.bad(f'needs "{key}": one of {", ".join(options)}{instead(value)}')
        return str(value)


def finite(value: object) -> float | None:
    """Return a finite number as a float; None for anything else."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    try:
        number = float(value)
    except OverflowError:
        return None
    return number if math.isfinite(number) else None


def instead(value: object) -> str:
    """Return the end of an error message: what was given instead."""
    return "" if value is None else f", not {shown(value)}"
