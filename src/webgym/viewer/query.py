"""Filters and sorting of attempts: parsed from a URL, applied to rows."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from webgym.errors import RequestError
from webgym.records.base import Record
from webgym.store.rows import Row
from webgym.viewer.labels import NOBODY, TAGS, LabelSummary
from webgym.viewer.rates import kind_of

Said = Mapping[str, LabelSummary]
"""Labels of each attempt, by its id."""
PAGE = 100
"""Rows per page."""
_STEPS = re.compile(r"(\d{1,6})(?:-(\d{1,6})?)?")


class Query(Record, frozen=True):
    """Filters and sorting of attempts. Any value of a list matches; an empty list matches everything."""

    outcome: tuple[str, ...] = ()
    site: tuple[str, ...] = ()
    level: tuple[str, ...] = ()
    difficulty: tuple[str, ...] = ()
    """Number of facts."""
    last: tuple[str, ...] = ()
    """Kind of the last action."""
    missed: tuple[str, ...] = ()
    """Number of facts that do not hold; an empty string for attempts that are not graded."""
    detail: tuple[str, ...] = ()
    task: tuple[str, ...] = ()
    group: tuple[str, ...] = ()
    label: tuple[str, ...] = ()
    """Label status: `labelled`, `overruled`, `disagree`, `unlabelled`."""
    steps: tuple[int, int | None] | None = None
    """Minimum and maximum number of steps."""
    text: str = ""
    """Words that must all occur in the attempt's text fields."""
    sort: str = "began"
    descending: bool = False
    page: int = 0


class Facet(Record, frozen=True):
    """A filter value, and how many attempts match it."""

    value: str
    count: int


def missed_facts(row: Row) -> str:
    """Return how many facts of a graded attempt do not hold; an empty string if it is not graded."""
    return str(row.facts - row.facts_held) if row.reward is not None else ""


_LISTS: dict[str, Callable[[Row], str]] = {
    "outcome": kind_of,
    "site": lambda row: row.site,
    "level": lambda row: row.level,
    "difficulty": lambda row: str(row.difficulty),
    "last": lambda row: row.last_action,
    "missed": missed_facts,
    "detail": lambda row: row.detail,
    "task": lambda row: row.task_id,
    "group": lambda row: row.group,
}
_FACETS = ("outcome", "site", "level", "last")
_LEVELS = {"easy": 0, "medium": 1, "hard": 2}
_ORDERS: dict[str, Callable[[Row], Any]] = {
    "began": lambda row: (row.began or float("inf"), row.attempt_id),
    "outcome": lambda row: (kind_of(row), row.began),
    "instruction": lambda row: row.instruction.lower(),
    "site": lambda row: (row.site, row.began),
    "level": lambda row: (_LEVELS.get(row.level, 3), row.difficulty),
    "steps": lambda row: row.steps,
    "facts": lambda row: (row.facts_held / row.facts if row.facts else -1.0, row.facts),
    "seconds": lambda row: row.ended - row.began if row.ended is not None else 0.0,
    "tokens": lambda row: row.prompt_tokens + row.sampled_tokens,
    "last": lambda row: row.last_action,
}


def read_query(params: Mapping[str, Sequence[str]]) -> Query:
    """Parse a query from URL parameters.

    Raises:
        RequestError: A parameter is invalid.
    """
    sort = _only(params, "sort") or "began"
    order = sort.removeprefix("-")
    if order not in _ORDERS:
        raise RequestError(f"attempts are not sorted by {order!r}; choose one of {', '.join(_ORDERS)}")
    page = _only(params, "page") or "0"
    if not re.fullmatch(r"\d{1,6}", page):
        raise RequestError(f"there is no page {page!r}")
    label = tuple(params.get("label", ()))
    if unknown := set(label).difference(TAGS):
        raise RequestError(f"attempts are {', '.join(TAGS)}, not {unknown.pop()!r}")
    return Query(
        **{name: tuple(params.get(name, ())) for name in _LISTS},
        label=label,
        steps=_steps(_only(params, "steps")),
        text=_only(params, "text"),
        sort=order,
        descending=sort.startswith("-"),
        page=int(page),
    )


def select(rows: Sequence[Row], query: Query, said: Said = MappingProxyType({})) -> list[Row]:
    """Return the matching attempts, sorted; `said` holds their labels."""
    active = _active(query, said)
    found = [row for row in rows if not _misses(row, active)]
    return sorted(found, key=_ORDERS[query.sort], reverse=query.descending)


def page_of(rows: Sequence[Row], query: Query) -> Sequence[Row]:
    """Return one page of rows."""
    return rows[query.page * PAGE : (query.page + 1) * PAGE]


def facets(rows: Sequence[Row], query: Query, said: Said = MappingProxyType({})) -> dict[str, list[Facet]]:
    """Return the values of each filter, with how many attempts match them and all other filters."""
    active = _active(query, said)
    counts: dict[str, Counter[str]] = {name: Counter() for name in (*_FACETS, "label")}
    for row in rows:
        missed = _misses(row, active)
        for name in _FACETS:
            counts[name][_LISTS[name](row)] += not missed or missed == [name]
        for tag in said.get(row.attempt_id, NOBODY).tags:
            counts["label"][tag] += not missed or missed == ["label"]
    return {name: [Facet(*pair) for pair in counted.most_common()] for name, counted in counts.items()}


def _active(query: Query, said: Said) -> dict[str, Callable[[Row], bool]]:
    """Return the active filters by name."""
    active: dict[str, Callable[[Row], bool]] = {}
    for name, value in _LISTS.items():
        wanted: tuple[str, ...] = getattr(query, name)
        if wanted:
            active[name] = _one_of(value, frozenset(wanted))
    if query.label:
        tags = frozenset(query.label)
        active["label"] = lambda row: not tags.isdisjoint(said.get(row.attempt_id, NOBODY).tags)
    if query.steps is not None:
        low, high = query.steps
        active["steps"] = lambda row: low <= row.steps <= (row.steps if high is None else high)
    if query.text:
        words = query.text.lower().split()
        active["text"] = lambda row: _holds(row, words)
    return active


def _one_of(value: Callable[[Row], str], wanted: frozenset[str]) -> Callable[[Row], bool]:
    return lambda row: value(row) in wanted


def _misses(row: Row, active: Mapping[str, Callable[[Row], bool]]) -> list[str]:
    """Return the filters that an attempt fails; at most the first two."""
    missed: list[str] = []
    for name, passes in active.items():
        if not passes(row):
            missed.append(name)
            if len(missed) > 1:
                break
    return missed


def _holds(row: Row, words: Sequence[str]) -> bool:
    read = "\n".join(
        (row.instruction, row.answer or "", row.detail, row.site, row.domain, row.template, row.task_id, row.attempt_id)
    ).lower()
    return all(word in read for word in words)


def _only(params: Mapping[str, Sequence[str]], name: str) -> str:
    given = params.get(name, ())
    return given[-1] if given else ""


def _steps(text: str) -> tuple[int, int | None] | None:
    if not text:
        return None
    match = _STEPS.fullmatch(text)
    if match is None:
        raise RequestError(f"a number of steps is written 3, 3-5 or 3-, not {text!r}")
    low = int(match[1])
    if "-" not in text:
        return low, low
    return low, int(match[2]) if match[2] else None
