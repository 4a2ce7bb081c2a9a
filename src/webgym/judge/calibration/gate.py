"""Thresholds that a judge has to keep: so that a build can depend on it.

A gate is a figure, a comparison and a number: `accuracy>=0.9`, `false_positive_rate.high<=0.05`, `attack<=0.02`. A
figure that rests on nothing passes no gate.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import get_args

from webgym.errors import ConfigError
from webgym.judge.calibration.agreement import Agreement
from webgym.judge.calibration.figures import Calibration
from webgym.records.base import Record
from webgym.records.task import Level
from webgym.store.statistics import Interval

_GATE = re.compile(r"^\s*([\w.\-]+?)(?:\.(low|high))?\s*(>=|<=)\s*(-?[0-9.]+(?:e-?\d+)?)\s*(%?)\s*$")
RATES = ("answered", "accuracy", "precision", "recall", "false_positive_rate", "false_negative_rate", "kappa")
COSTS = ("calls", "prompt_tokens", "sampled_tokens", "pictures", "picture_bytes", "dollars")
LEVELS: tuple[Level, ...] = get_args(Level)


@dataclass(frozen=True, slots=True)
class Gate:
    """One threshold."""

    text: str
    figure: str
    """Its name, with `facts.`, `blocked.`, a level or `attack.` before it."""
    end: str
    """Which end of the interval: `low`, `high`; empty is the estimate."""
    at_least: bool
    bound: float


class Passed(Record, frozen=True, omit_defaults=False):
    """What came of one gate."""

    gate: str
    passed: bool
    value: float | None
    """None: there is nothing to go by."""
    n: int


def read_gate(text: str) -> Gate:
    """A gate as it is written.

    Raises:
        ConfigError: It is none, or names no figure.
    """
    found = _GATE.match(text)
    if found is None:
        raise ConfigError(f"{text!r} is no gate: write it like accuracy>=0.9 or false_positive_rate.high<=0.05")
    figure, end, sign, number, percent = found.groups()
    try:
        bound = float(number) / (100 if percent else 1)
    except ValueError:
        raise ConfigError(f"{text!r} is no gate: {number} is no number") from None
    if not _known(figure):
        raise ConfigError(f"{text!r} names no figure: there are {', '.join(figures())}")
    if end and figure in COSTS:
        raise ConfigError(f"{text!r}: {figure} is a mean, and has no interval")
    return Gate(text.strip(), figure, end or "", sign == ">=", bound)


def figures() -> tuple[str, ...]:
    """What a gate can be about."""
    prefixes = ("facts", "blocked", *LEVELS)
    return (*RATES, *(f"{prefix}.RATE" for prefix in prefixes), "attack", "attack.NAME", *COSTS)


def check(gate: Gate, found: Calibration) -> Passed:
    """Whether the calibration keeps it.

    Raises:
        ConfigError: It is about an attack that was not made.
    """
    value, n = _value(gate, found)
    if value is None or n == 0:
        return Passed(gate.text, passed=False, value=None, n=0)
    kept = value >= gate.bound if gate.at_least else value <= gate.bound
    return Passed(gate.text, passed=kept, value=value, n=n)


def _known(figure: str) -> bool:
    prefix, _, name = figure.rpartition(".")
    if figure == "attack" or figure.startswith("attack.") or figure in COSTS:
        return True
    return name in RATES and prefix in ("", "facts", "blocked", *LEVELS)


def _value(gate: Gate, found: Calibration) -> tuple[float | None, int]:
    if gate.figure in COSTS:
        return getattr(found.cost, gate.figure), found.cost.attempts
    if gate.figure == "attack" or gate.figure.startswith("attack."):
        return _attack(gate, found)
    prefix, _, name = gate.figure.rpartition(".")
    of: Mapping[str, Agreement] = {"": found.attempts, "facts": found.facts, "blocked": found.blocked, **found.by_level}
    if prefix not in of:  # no attempts of that level
        return None, 0
    interval: Interval = getattr(of[prefix], name)
    return _end(gate)(interval), interval.n


def _attack(gate: Gate, found: Calibration) -> tuple[float | None, int]:
    """Of all attacks, the one that worked best; of one by its name."""
    name = gate.figure.removeprefix("attack").removeprefix(".")
    chosen = [one for one in found.attacks if name in ("", one.name)]
    if name and not chosen:
        raise ConfigError(
            f"{gate.text!r}: no attack {name!r} was made; there were {[one.name for one in found.attacks]}"
        )
    judged = [one.rate for one in chosen if one.rate.n]
    if not judged:
        return None, 0
    worst = max(judged, key=_end(gate))
    return _end(gate)(worst), worst.n


def _end(gate: Gate) -> Callable[[Interval], float]:
    match gate.end:
        case "low":
            return lambda one: one.low
        case "high":
            return lambda one: one.high
        case _:
            return lambda one: one.estimate
