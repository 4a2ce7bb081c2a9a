"""Counts and hashes all tasks of the catalogue."""

from __future__ import annotations

import hashlib
import time
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

import msgspec

from webgym.records.task import Level
from webgym_hermetic.catalogue import site
from webgym_hermetic.checks.report import LEVELS, Catalogue
from webgym_hermetic.tasks.generate import TASKS_PER_SITE, digest, tasks_of


class SiteCount(msgspec.Struct, frozen=True):
    """The tasks of one site."""

    levels: dict[Level, int]
    digest: str


def take_census(families: tuple[str, ...], per_family: int, processes: int) -> Catalogue:
    """Generate every task of these sites, using several processes."""
    started = time.perf_counter()
    places = [(name, number) for name in families for number in range(per_family)]
    with ProcessPoolExecutor(processes, mp_context=get_context("spawn")) as pool:
        counts = list(pool.map(count_site, *zip(*places, strict=True), chunksize=10))
    levels: Counter[Level] = Counter()
    for one in counts:
        levels.update(one.levels)
    total = hashlib.sha256("".join(one.digest for one in counts).encode()).hexdigest()
    return Catalogue(
        families=len(families),
        sites=len(places),
        tasks=sum(levels.values()),
        tasks_by_level={level: levels[level] for level in LEVELS},
        digest=total,
        seconds=time.perf_counter() - started,
    )


def count_site(family: str, number: int) -> SiteCount:
    """Generate and count the tasks of one site."""
    tasks = list(tasks_of(site(family, number), TASKS_PER_SITE))
    return SiteCount(dict(Counter(task.level for task in tasks)), digest(tasks))
