"""Decomposes a whole task set."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from webgym.environments.optional import RowSource
from webgym.environments.registry import environment_named
from webgym.errors import ConfigError, SiteError, TaskSetError
from webgym.llm.config import ModelConfig
from webgym.llm.structured import Structured
from webgym.records.task_row import TaskRow
from webgym.run.task_sets.decompose.jobs import Subtask, is_wanted, parts_to_make
from webgym.run.task_sets.decompose.written import KINDS, written_part
from webgym.run.task_sets.writing.journal import open_journal
from webgym.run.task_sets.writing.journaled_client import GaveUp, JournaledClient, open_journaled_client
from webgym.run.task_sets.writing.pool import Reject, for_all
from webgym.tasks.decompose.alike import SeenTasks
from webgym.tasks.decompose.rule import MOST_PARTS


@dataclass(frozen=True, slots=True)
class DecomposePlan:
    """Options of a decomposition."""

    most: int = MOST_PARTS
    """Maximum subtasks per task."""
    test: bool = False
    """Decompose test tasks, too."""
    structured: Structured = "schema"
    rounds: int = 3
    """Maximum instructions a model may write for one subtask, including the first."""


@dataclass(slots=True)
class Decomposition:
    """Progress and result of a decomposition."""

    cut: int
    """Number of tasks that can be decomposed."""
    planned: int
    """Number of subtasks to generate."""
    left: int = 0
    """Number of them that need a model, if none is configured."""
    parts: list[TaskRow] = field(default_factory=list[TaskRow])
    done: int = 0
    alike: int = 0
    """Number of subtasks that turned out to duplicate another task."""
    rejects: list[Reject] = field(default_factory=list[Reject])
    stopped: str = ""
    asked: int = 0
    remembered: int = 0
    dollars: float = 0.0


Watch = Callable[[Decomposition], None]


async def decompose(
    rows: Sequence[TaskRow],
    plan: DecomposePlan,
    config: ModelConfig | None = None,
    journal: Path | None = None,
    watch: Watch = lambda _: None,
) -> Decomposition:
    """Generate the subtasks of all tasks; without a model, only of those whose environment words them.

    Raises:
        TaskSetError: The journal cannot be used.
        ConfigError: The environment variable of the API key is not set.
    """
    seen = SeenTasks(rows)
    known = frozenset(row.task_id for row in rows)
    jobs = list(parts_to_make(rows, seen, known, plan.most, test=plan.test))
    outcome = Decomposition(sum(is_wanted(row, test=plan.test) for row in rows), len(jobs))
    made: dict[str, TaskRow] = {}
    for part in jobs:
        if part.row.exact:
            _by_template(part, outcome, made)
            watch(outcome)
    to_write = [part for part in jobs if not part.row.exact]
    if config is None or journal is None:
        outcome.left = len(to_write)
    elif to_write:
        await _by_model(to_write, plan, config, journal, outcome, made, watch)
    _collect(jobs, made, seen, outcome)
    return outcome


def _collect(jobs: Sequence[Subtask], made: dict[str, TaskRow], seen: SeenTasks, outcome: Decomposition) -> None:
    """Collect the results in the order of the tasks, so that deduplication is deterministic."""
    for part in jobs:
        row = made.get(part.task_id)
        if row is None:
            continue
        if seen.add(row):
            outcome.parts.append(row)
        else:
            outcome.alike += 1


def _by_template(part: Subtask, outcome: Decomposition, made: dict[str, TaskRow]) -> None:
    try:
        made[part.task_id] = _source(part.row.provenance.source).part(part.row, part.places)
    except (ConfigError, TaskSetError, SiteError) as error:
        outcome.rejects.append(Reject(part.task_id, "unusable", str(error)))
    outcome.done += 1


@functools.cache
def _source(name: str) -> RowSource:
    """Return the environment of this name that rows are from."""
    environment = environment_named(name)
    if not isinstance(environment, RowSource):
        raise TaskSetError(f"env={name} cannot cut tasks into smaller ones")
    return environment


async def _by_model(
    jobs: Sequence[Subtask],
    plan: DecomposePlan,
    config: ModelConfig,
    journal: Path,
    outcome: Decomposition,
    made: dict[str, TaskRow],
    watch: Watch,
) -> None:
    async def one(client: JournaledClient, part: Subtask) -> None:
        try:
            made[part.task_id] = await written_part(client, part, plan.rounds)
        except GaveUp as error:
            shown = error.said.text if error.said else ""
            outcome.rejects.append(Reject(part.task_id, error.fault, str(error), shown))
        outcome.done += 1
        outcome.dollars = client.dollars
        watch(outcome)

    with open_journal(journal) as book:
        async with open_journaled_client(config, book, KINDS, structured=plan.structured, rounds=plan.rounds) as client:
            await for_all(client, jobs, lambda part: one(client, part), 2 * config.concurrency * len(config.servers))
            outcome.stopped, outcome.asked, outcome.remembered = client.stop_reason, client.asked, client.remembered
            outcome.dollars = client.dollars
