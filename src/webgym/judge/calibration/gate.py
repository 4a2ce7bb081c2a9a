"""Thresholds that a judge must meet, so that CI can depend on them.

A gate is a figure, a comparison and a number: `accuracy>=0.9`, `false_positive_rate.high<=0.05`, `attack<=0.02`. A
figure without data passes no gate.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import get_args

from webgym.errors import ConfigError
from webgym.judge.calibration.agreement import JudgeAgreement
from webgym.judge.calibration.figures import Calibration
from webgym.records.base import Record
from webgym.records.task import Level
from webgym.store.statistics import Interval

_GATE = re.compile(r"^\s*([\w.\-]+?)(?:\.(low|high))?\s*(>=|<=)\s*(-?[0-9.]+(?:e-?\d+)?)\s*(%?)\s*$")
RATES = ("answered", "accuracy", "precision", "recall", "false_positive_rate", "false_negative_rate", "kappa")
COSTS = ("calls", "prompt_tokens", "sampled_tokens", "pictures", "picture_bytes", "dollars")
LEVELS: tuple[Level, ...] = get_args(Level)


@dataclass(frozen=True, slots=True)
class CalibrationGate:
    """A threshold on one figure."""

    text: str
    figure: str
    """Name of the figure, optionally prefixed by `facts.`, `blocked.`, a level or `attack.`."""
    end: str
    """End of the interval to compare: `low` or `high`; empty for the estimate."""
    at_least: bool
    bound: float


class GateResult(Record, frozen=True, omit_defaults=False):
    """The result of one gate."""

    gate: str
    passed: bool
    value: float | None
    """None if there is no data."""
    n: int


def read_gate(text: str) -> CalibrationGate:
    """Parse a gate.

    Raises:
        ConfigError: The syntax is wrong, or the figure is unknown.
    """
    found = _GATE.match(text)
    if found is None:
        raise ConfigError(
            f"{text!r} is not a valid gate: write it like accuracy>=0.9 or false_positive_rate.high<=0.05"
        )
    figure, end, sign, number, percent = found.groups()
    try:
        bound = float(number) / (100 if percent else 1)
    except ValueError:
        raise ConfigError(f"{text!r} is not a valid gate: {number} is not a number") from None
    if not _known(figure):
        raise ConfigError(f"{text!r} names an unknown figure; choose from {', '.join(figures())}")
    if end and figure in COSTS:
        raise ConfigError(f"{text!r}: {figure} is a mean and has no confidence interval")
    return CalibrationGate(text.strip(), figure, end or "", sign == ">=", bound)


def figures() -> tuple[str, ...]:
    """Return the figures that a gate can name."""
    prefixes = ("facts", "blocked", *LEVELS)
    return (*RATES, *(f"{prefix}.RATE" for prefix in prefixes), "attack", "attack.NAME", *COSTS)


def check(gate: CalibrationGate, found: Calibration) -> GateResult:
    """Check the gate against a calibration.

    Raises:
        ConfigError: The gate names an attack that was not run.
    """
    value, n = _value(gate, found)
    if value is None or n == 0:
        return GateResult(gate.text, passed=False, value=None, n=0)
    kept = value >= gate.bound if gate.at_least else value <= gate.bound
    return GateResult(gate.text, passed=kept, value=value, n=n)


def _known(figure: str) -> bool:
    prefix, _, name = figure.rpartition(".")
    if figure == "attack" or figure.startswith("attack.") or figure in COSTS:
        return True
    return name in RATES and prefix in ("", "facts", "blocked", *LEVELS)


def _value(gate: CalibrationGate, found: Calibration) -> tuple[float | None, int]:
    if gate.figure in COSTS:
        return getattr(found.cost, gate.figure), found.cost.attempts
    if gate.figure == "attack" or gate.figure.startswith("attack."):
        return _attack(gate, found)
    prefix, _, name = gate.figure.rpartition(".")
    of: Mapping[str, JudgeAgreement] = {
        "": found.attempts,
        "facts": found.facts,
        "blocked": found.blocked,
        **found.by_level,
    }
    if prefix not in of:  # no attempts of that level
        return None, 0
    interval: Interval = getattr(of[prefix], name)
    return _end(gate)(interval), interval.n


def _attack(gate: CalibrationGate, found: Calibration) -> tuple[float | None, int]:
    """The named attack, or the most successful one if none is named."""
    name = gate.figure.removeprefix("attack").removeprefix(".")
    chosen = [attack for attack in found.attacks if name in ("", attack.name)]
    if name and not chosen:
        raise ConfigError(
            f"{gate.text!r}: there was no attack {name!r}, only {[attack.name for attack in found.attacks]}"
        )
    judged = [attack.rate for attack in chosen if attack.rate.n]
    if not judged:
        return None, 0
    worst = max(judged, key=_end(gate))
    return _end(gate)(worst), worst.n


def _end(gate: CalibrationGate) -> Callable[[Interval], float]:
    match gate.end:
        case "low":
            return lambda one: one.low
        case "high":
            return lambda one: one.high
        case _:
            return lambda one: one.estimate
