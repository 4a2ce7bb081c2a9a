"""Quarantine: blocked or failing websites and tasks leave the pool for a time, and return on trial.

Each consecutive quarantine lasts twice as long as the last. On trial, one attempt that is neither blocked nor an error
ends the trial; otherwise the quarantine is renewed.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator
from dataclasses import dataclass
from typing import Literal

from webgym.tasks.health.database import Fate, HealthDatabase, QuarantineEntry

Kind = Literal["site", "task"]
_HOUR = 3600.0


@dataclass(frozen=True, slots=True)
class Rules:
    """When something is quarantined, and for how long."""

    fewest: int = 4
    """Minimum attempts before a decision."""
    window: int = 20
    """Number of newest attempts considered."""
    blocked: float = 0.5
    """Share of blocked attempts from which on it is quarantined."""
    errors: float = 0.5
    """Share of errors from which on it is quarantined."""
    hours: float = 12.0
    """Duration of the first quarantine."""
    most_hours: float = 24.0 * 14


@dataclass(frozen=True, slots=True)
class OutOfPool:
    """Sites and tasks that cannot be drawn now."""

    sites: frozenset[str]
    tasks: frozenset[str]


def review(
    database: HealthDatabase, now: float, rules: Rules = Rules(), only: Iterable[tuple[Kind, str]] | None = None
) -> OutOfPool:
    """Apply the rules to everything attempted, or to `only`; return what is now quarantined."""
    known = database.held()
    holds: list[QuarantineEntry] = []
    forgiven: list[tuple[str, str]] = []
    for kind, name in _suspects(database, known) if only is None else only:
        last = known.get((kind, name))
        if not name or (last is not None and last.until > now):
            continue
        since = last.until if last else -1.0
        fates = database.recent(kind, name, rules.window, since)
        reason = _reason(fates, rules, on_trial=last is not None)
        if reason:
            times = last.times + 1 if last else 1
            hours = min(rules.hours * 2 ** (times - 1), rules.most_hours)
            holds.append(QuarantineEntry(kind, name, now, now + hours * _HOUR, times, reason))
        elif last is not None and fates:
            forgiven.append((kind, name))
    database.hold(holds)
    database.forgive(forgiven)
    return out_of_pool(database, now)


def out_of_pool(database: HealthDatabase, now: float) -> OutOfPool:
    """Return what is quarantined now."""
    held = [entry for entry in database.held().values() if entry.until > now]
    return OutOfPool(
        frozenset(entry.name for entry in held if entry.kind == "site"),
        frozenset(entry.name for entry in held if entry.kind == "task"),
    )


def _suspects(database: HealthDatabase, known: Container[tuple[str, str]]) -> Iterator[tuple[Kind, str]]:
    """Yield whatever was quarantined before, was blocked or had an error."""
    kinds: tuple[Kind, ...] = ("site", "task")
    for kind in kinds:
        for rates in database.rates(kind):
            if (kind, rates.name) in known or rates.blocked + rates.errors:
                yield kind, rates.name


def _reason(fates: list[Fate], rules: Rules, *, on_trial: bool) -> str:
    """Return why it must be quarantined; empty if it need not be."""
    if not fates or (len(fates) < rules.fewest and not on_trial):
        return ""
    if on_trial and fates[0] in {"success", "failure"}:
        return ""
    blocked, errors = (fates.count(fate) / len(fates) for fate in ("blocked", "error"))
    if blocked >= rules.blocked:
        return f"{blocked:.0%} of {len(fates)} attempts blocked"
    return f"{errors:.0%} of {len(fates)} attempts failed for technical reasons" if errors >= rules.errors else ""
