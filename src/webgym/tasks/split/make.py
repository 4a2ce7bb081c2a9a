"""Makes a split: one test task on each of N websites, with all other tasks of these websites set aside."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from webgym.errors import TaskSetError
from webgym.records.base import Record
from webgym.records.task import MOST_EASY_FACTS, MOST_MEDIUM_FACTS
from webgym.tasks.arrow import arrow, compute
from webgym.tasks.clean.duplicates import codes
from webgym.tasks.columns import schema
from webgym.tasks.filters import is_ready
from webgym.tasks.sets import TaskSet
from webgym.tasks.similarity.shingles import Places
from webgym.tasks.split.leaks import TEST, TRAIN, check_leaks
from webgym.tasks.split.traces import Websites, families_of, naming, same_text, websites_of

MOST_PER_SITE = 100


class SetAside(Record, frozen=True):
    """A task in neither split, because it would leak a test task."""

    task_id: str
    reason: str


@dataclass(frozen=True, slots=True)
class TaskSplit:
    """A split task set, and what was set aside."""

    tasks: TaskSet
    aside: tuple[SetAside, ...]

    def counts(self) -> dict[str, int]:
        """Count the tasks set aside, by reason."""
        return dict(Counter(task.reason for task in self.aside).most_common())


@dataclass(frozen=True, slots=True)
class SplitPlan:
    """The specification of the test split."""

    tasks: int
    """Number of test tasks, each on a website of its own."""
    seed: int = 0
    most_per_site: int = MOST_PER_SITE
    """Websites with more tasks stay in training: testing on them would cost too many."""
    ready_only: bool = True
    """Test only on tasks that can be attempted and judged."""


def make_split(tasks: TaskSet, plan: SplitPlan) -> TaskSplit:
    """Split a set, preserving the distribution of levels and domains in the test split as far as possible.

    Raises:
        TaskSetError: There are not enough websites.
    """
    table = tasks.table
    websites = websites_of(table)
    chosen = _chosen(table, websites, plan)
    aside = _aside(table, websites, chosen)
    split = np.full(table.num_rows, TRAIN, dtype=object)
    split[chosen] = TEST
    column = arrow().array(split, "string").dictionary_encode()
    at = table.column_names.index("split")
    marked = table.set_column(at, schema().field("split"), column.cast(schema().field("split").type))
    keep = np.ones(table.num_rows, bool)
    keep[list(aside)] = False
    step = (
        f"split by website, seed {plan.seed}: {len(chosen):,} test tasks, "
        f"{int(keep.sum()) - len(chosen):,} training tasks, {len(aside):,} set aside"
    )
    made = TaskSet(tasks.name, marked.filter(arrow().array(keep)).combine_chunks(), (*tasks.made, step))
    check_leaks(made)
    ids = table["task_id"].combine_chunks()
    told = tuple(SetAside(ids[place].as_py(), reason) for place, reason in sorted(aside.items()))
    return TaskSplit(made, told)


def _chosen(table: Any, websites: Websites, plan: SplitPlan) -> Places:
    """Choose one task per website, rarest strata first, so that they get their share."""
    rng = np.random.default_rng(plan.seed)
    candidates = _candidates(table, websites, plan)
    kinds = _kinds(table)[candidates]
    # Every website is equally likely, whatever its size: those with few tasks cost training little.
    sizes = np.bincount(websites.owner)[websites.owner[candidates]]
    order = np.argsort(rng.exponential(size=len(candidates)) * sizes, kind="stable")
    candidates, kinds = candidates[order], kinds[order]
    available = len(np.unique(websites.owner[candidates]))
    if available < plan.tasks:
        raise TaskSetError(
            f"only {available:,} websites can have a test task, not {plan.tasks:,}: ask for fewer, raise "
            "most_per_site, or check that tasks have websites and rubrics"
        )
    taken: set[int] = set()
    found: list[int] = []
    names, counts = np.unique(kinds, return_counts=True)
    shares = largest_remainders(counts.tolist(), plan.tasks)
    for kind, share in sorted(zip(names.tolist(), shares, strict=True), key=lambda pair: (pair[1], pair[0])):
        found += _draw(candidates[kinds == kind], websites.owner, taken, share)
    found += _draw(candidates, websites.owner, taken, plan.tasks - len(found))
    return np.sort(np.array(found, np.int64))


def _draw(places: Places, owner: Places, taken: set[int], count: int) -> list[int]:
    """Return the first `count` tasks whose website is not taken yet."""
    found: list[int] = []
    for place in places.tolist():
        if len(found) == count:
            break
        if int(owner[place]) not in taken:
            taken.add(int(owner[place]))
            found.append(int(place))
    return found


def _candidates(table: Any, websites: Websites, plan: SplitPlan) -> Places:
    owner = websites.owner
    mask = (owner != websites.nowhere) & (np.bincount(owner)[owner] <= plan.most_per_site)
    fit = is_ready(table) if plan.ready_only else compute().equal(table["sealed"].cast("string"), "")
    mask &= fit.combine_chunks().to_numpy(zero_copy_only=False).astype(bool)
    return np.flatnonzero(mask).astype(np.int64)


def _kinds(table: Any) -> Places:
    """Encode level and domain as one number: the stratum."""
    facts: Places = table["difficulty"].combine_chunks().to_numpy(zero_copy_only=False).astype(np.int64)
    level: Places = np.digitize(facts, (1, MOST_EASY_FACTS + 1, MOST_MEDIUM_FACTS + 1)).astype(np.int64)
    return codes(table["domain"]) * 4 + level


def _aside(table: Any, websites: Websites, chosen: Places) -> dict[int, str]:
    """Return all other tasks that would leak a chosen one, with the reason."""
    others = np.setdiff1d(np.arange(table.num_rows, dtype=np.int64), chosen)
    owners = np.unique(websites.owner[chosen])
    aside = {int(place): "on a test website" for place in others[np.isin(websites.owner[others], owners)].tolist()}
    rest = np.setdiff1d(others, np.array(list(aside), np.int64))
    names = {websites.names[int(owner)] for owner in owners}
    aside |= {place: "names a test website" for place, _ in naming(table, rest, names)}
    rest = np.setdiff1d(rest, np.array(list(aside), np.int64))
    pairs = same_text(table, chosen, rest)
    aside |= {int(place): "says nearly the same as a test task" for place in pairs.right.tolist()}
    rest = np.setdiff1d(rest, np.array(list(aside), np.int64))
    families = families_of(table)
    related = rest[np.isin(families[rest], families[chosen])]
    aside |= {int(place): "a part of the same task as a test task" for place in related.tolist()}
    return aside


def largest_remainders(weights: Sequence[float], total: int) -> list[int]:
    """Apportion the total into integers in these proportions (largest-remainder method)."""
    whole = sum(weights)
    if not whole:
        return [0 for _ in weights]
    exact = [weight * total / whole for weight in weights]
    shares = [int(share) for share in exact]
    by_rest = sorted(range(len(exact)), key=lambda place: (shares[place] - exact[place], place))
    for place in by_rest[: total - sum(shares)]:
        shares[place] += 1
    return shares
