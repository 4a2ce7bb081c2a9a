"""Equal shares of the processor, so that runs beside each other are comparable."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection
from pathlib import Path

_TOPOLOGY = "/sys/devices/system/cpu/cpu{}/topology/thread_siblings_list"


def available() -> frozenset[int]:
    """Cores that this process may use; none where that cannot be told."""
    return frozenset(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else frozenset()


def siblings_of(core: int) -> str:
    """Threads of the same core of the processor; empty if the system does not tell."""
    try:
        return Path(_TOPOLOGY.format(core)).read_text("ascii").strip()
    except OSError:
        return ""


def shares(cores: Collection[int], at_once: int, siblings: Callable[[int], str] = siblings_of) -> list[frozenset[int]]:
    """For each of so many runs at once, cores of its own: as many for each, what is left over for nobody.

    Threads of one core stay together as far as they can. All shares are empty, which means any core, if there is one
    run at a time or there are fewer cores than runs.
    """
    each = len(cores) // at_once
    if at_once == 1 or not each:
        return [frozenset()] * at_once
    first = {one: core for core in sorted(cores, reverse=True) if (one := siblings(core))}
    ordered = sorted(cores, key=lambda core: (first.get(siblings(core), core), core))
    return [frozenset(ordered[place * each : (place + 1) * each]) for place in range(at_once)]
