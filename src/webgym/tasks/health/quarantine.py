"""Websites and tasks that are blocked or fail leave the pool for a time, and come back on trial.

Each time in a row lasts twice as long as the last. Back in the pool, one attempt that is not blocked and no error ends
the trial; one that is ends the stay.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator
from dataclasses import dataclass
from typing import Literal

from webgym.tasks.health.database import Fate, HealthDatabase, Held

Kind = Literal["site", "task"]
_HOUR = 3600.0


@dataclass(frozen=True, slots=True)
class Rules:
    """When something leaves the pool, and for how long."""

    fewest: int = 4
    """Attempts before anything is concluded."""
    window: int = 20
    """Newest attempts that are looked at."""
    blocked: float = 0.5
    """Share of blocked ones from which on it leaves."""
    errors: float = 0.5
    """Share of errors from which on it leaves."""
    hours: float = 12.0
    """How long, the first time."""
    most_hours: float = 24.0 * 14


@dataclass(frozen=True, slots=True)
class OutOfPool:
    """What cannot be drawn now."""

    sites: frozenset[str]
    tasks: frozenset[str]


def review(
    database: HealthDatabase, now: float, rules: Rules = Rules(), only: Iterable[tuple[Kind, str]] | None = None
) -> OutOfPool:
    """Apply the rules to all that was tried, or only to these; what is out of the pool from now on."""
    known = database.held()
    holds: list[Held] = []
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
            holds.append(Held(kind, name, now, now + hours * _HOUR, times, reason))
        elif last is not None and fates:
            forgiven.append((kind, name))
    database.hold(holds)
    database.forgive(forgiven)
    return out_of_pool(database, now)


def out_of_pool(database: HealthDatabase, now: float) -> OutOfPool:
    """What is held now."""
    held = [one for one in database.held().values() if one.until > now]
    return OutOfPool(
        frozenset(one.name for one in held if one.kind == "site"),
        frozenset(one.name for one in held if one.kind == "task"),
    )


def _suspects(database: HealthDatabase, known: Container[tuple[str, str]]) -> Iterator[tuple[Kind, str]]:
    """Whatever was held before, was blocked, or met an error."""
    kinds: tuple[Kind, ...] = ("site", "task")
    for kind in kinds:
        for rates in database.rates(kind):
            if (kind, rates.name) in known or rates.blocked + rates.errors:
                yield kind, rates.name


def _reason(fates: list[Fate], rules: Rules, *, on_trial: bool) -> str:
    """Why it must leave; empty if it may stay."""
    if not fates or (len(fates) < rules.fewest and not on_trial):
        return ""
    if on_trial and fates[0] in {"success", "failure"}:
        return ""
    blocked, errors = (fates.count(fate) / len(fates) for fate in ("blocked", "error"))
    if blocked >= rules.blocked:
        return f"{blocked:.0%} of {len(fates)} attempts blocked"
    return f"{errors:.0%} of {len(fates)} attempts failed for technical reasons" if errors >= rules.errors else ""
