"""Statistics over a task set."""

from __future__ import annotations

from typing import Any

import numpy as np

from webgym.records.base import Record
from webgym.tasks.arrow import arrow, compute
from webgym.tasks.card import Card, counts
from webgym.tasks.filters import in_level
from webgym.tasks.sets import TaskSet

LEVELS = ("easy", "medium", "hard")
LARGEST_SITES = 25
_MOST_FACTS = 15


class Concentration(Record, frozen=True, omit_defaults=False):
    """How tasks are concentrated on websites."""

    websites: tuple[int, ...]
    """Numbers of largest websites."""
    shares: tuple[float, ...]
    """The share of tasks, among those with a website, that they hold."""


class Figures(Record, frozen=True, omit_defaults=False):
    """The statistics of one task set."""

    card: Card
    facts: dict[str, int]
    """Tasks by number of facts; the last bin is open-ended."""
    levels_by_source: dict[str, dict[str, int]]
    subdomains: dict[str, int]
    benchmarks: dict[str, int]
    sites: dict[str, int]
    """Tasks on the largest websites."""
    single_task_sites: int
    """Number of websites with a single task."""
    concentration: Concentration
    words: dict[str, int]
    """Words per instruction: 5th, 50th and 95th percentile, and maximum."""
    groups: float
    """Mean number of fact groups per task with a rubric."""


def figures_of(tasks: TaskSet) -> Figures:
    """Compute the statistics of a set."""
    table = tasks.table
    sites = {site: number for site, number in counts(table["site"]).items() if site}
    return Figures(
        card=tasks.card(),
        facts=_facts(table),
        levels_by_source=_by_source(table),
        subdomains=counts(table["subdomain"]),
        benchmarks=counts(table["benchmark"]),
        sites=dict(list(sites.items())[:LARGEST_SITES]),
        single_task_sites=sum(number == 1 for number in sites.values()),
        concentration=_concentration(list(sites.values())),
        words=_words(table),
        groups=_groups(table),
    )


def _facts(table: Any) -> dict[str, int]:
    capped = np.minimum(_numpy(table["difficulty"]), _MOST_FACTS)
    found = np.bincount(capped, minlength=_MOST_FACTS + 1)
    names = [*map(str, range(_MOST_FACTS)), f"{_MOST_FACTS}+"]
    return {name: int(number) for name, number in zip(names, found, strict=True)}


def _by_source(table: Any) -> dict[str, dict[str, int]]:
    found: dict[str, dict[str, int]] = {name: {} for name in counts(table["source"])}
    for level in LEVELS:
        part = table.filter(in_level(table["difficulty"], level))
        for source, number in counts(part["source"]).items():
            found[source][level] = number
    none = table.filter(compute().equal(table["difficulty"], 0))
    for source, number in counts(none["source"]).items():
        found[source]["no rubric"] = number
    return found


def _concentration(sizes: list[int]) -> Concentration:
    """Sampled at 1, 2, 5, 10, 20, 50… websites."""
    total = sum(sizes)
    if not total:
        return Concentration((), ())
    held = np.cumsum(np.array(sizes, np.int64))
    steps = [first * 10**power for power in range(8) for first in (1, 2, 5)]
    at = [step for step in steps if step < len(sizes)] + [len(sizes)]
    return Concentration(tuple(at), tuple(round(float(held[number - 1]) / total, 4) for number in at))


def _words(table: Any) -> dict[str, int]:
    clear = table.filter(compute().equal(table["sealed"].cast("string"), ""))
    if not clear.num_rows:
        return {}
    numbers = _numpy(compute().add(compute().count_substring_regex(clear["instruction"], r"\s+"), 1))
    low, middle, high = np.percentile(numbers, (5, 50, 95))
    return {"p5": int(low), "median": int(middle), "p95": int(high), "longest": int(numbers.max())}


def _groups(table: Any) -> float:
    lengths = _numpy(compute().list_value_length(table["rubric"]))
    some = lengths[lengths > 0]
    return round(float(some.mean()), 2) if len(some) else 0.0


def _numpy(column: Any) -> Any:
    flat = column.combine_chunks() if isinstance(column, arrow().ChunkedArray) else column
    return flat.to_numpy(zero_copy_only=False).astype(np.int64)
