"""Split the CPU cores evenly, so that the times of concurrent runs are comparable."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection
from pathlib import Path

_TOPOLOGY = "/sys/devices/system/cpu/cpu{}/topology/thread_siblings_list"


def available() -> frozenset[int]:
    """Return the cores that this process may use; empty if the platform does not report them."""
    return frozenset(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else frozenset()


def siblings_of(core: int) -> str:
    """Return the hardware threads of the same physical core; empty if unknown."""
    try:
        return Path(_TOPOLOGY.format(core)).read_text("ascii").strip()
    except OSError:
        return ""


def shares(cores: Collection[int], at_once: int, siblings: Callable[[int], str] = siblings_of) -> list[frozenset[int]]:
    """Return disjoint, equal sets of cores for `at_once` concurrent runs; surplus cores stay unused.

    Hardware threads of one physical core stay together where possible. All sets are empty, which means any core, if
    there is one run at a time or fewer cores than runs.
    """
    each = len(cores) // at_once
    if at_once == 1 or not each:
        return [frozenset()] * at_once
    first = {one: core for core in sorted(cores, reverse=True) if (one := siblings(core))}
    ordered = sorted(cores, key=lambda core: (first.get(siblings(core), core), core))
    return [frozenset(ordered[place * each : (place + 1) * each]) for place in range(at_once)]
