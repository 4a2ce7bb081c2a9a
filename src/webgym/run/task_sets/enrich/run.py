"""Enriches a whole task set."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from webgym.llm.config import ModelConfig
from webgym.llm.structured import Structured
from webgym.records.task_row import TaskRow
from webgym.run.task_sets.enrich.fill import ENRICH, Enrichment, filled_in, question
from webgym.run.task_sets.enrich.needs import FIELDS, Field, lacking
from webgym.run.task_sets.writing.journal import open_journal
from webgym.run.task_sets.writing.journaled_client import GaveUp, JournaledClient, open_journaled_client
from webgym.run.task_sets.writing.pool import Reject, for_all
from webgym.tasks.sealing import opened


@dataclass(frozen=True, slots=True)
class EnrichPlan:
    """Options of an enrichment."""

    fields: Collection[Field] = FIELDS
    refile: bool = False
    """Replace domains outside the taxonomy, too."""
    sealed: bool = False
    """Include sealed tasks, which are sent to the model in plain text."""
    limit: int = 0
    """Maximum number of tasks; 0: all."""
    structured: Structured = "schema"
    rounds: int = 3
    """Maximum replies per prompt, including the first."""


@dataclass(slots=True)
class EnrichmentProgress:
    """Progress and result of an enrichment."""

    rows: list[TaskRow]
    """All rows, in the original order."""
    wanted: int
    """Number of tasks that lacked something."""
    done: int = 0
    filled: Counter[str] = field(default_factory=Counter[str])
    rejects: list[Reject] = field(default_factory=list[Reject])
    stopped: str = ""
    """Why the run ended early; empty if it did not."""
    asked: int = 0
    remembered: int = 0
    dollars: float = 0.0
    """Total over all runs with this journal."""


Watch = Callable[[EnrichmentProgress], None]
Job = tuple[int, TaskRow, tuple[Field, ...]]


def jobs_of(rows: Sequence[TaskRow], plan: EnrichPlan) -> list[Job]:
    """Return the tasks that lack something, with their indices."""
    found: list[Job] = []
    for place, row in enumerate(rows):
        fields = () if row.sealed and not plan.sealed else lacking(row, plan.fields, refile=plan.refile)
        if fields:
            found.append((place, row, fields))
        if plan.limit and len(found) == plan.limit:
            break
    return found


async def enrich(
    rows: Sequence[TaskRow], config: ModelConfig, journal: Path, plan: EnrichPlan, watch: Watch = lambda _: None
) -> EnrichmentProgress:
    """Fill in what the rows lack. Rows that the model could not fill are left unchanged and reported as rejects.

    Raises:
        TaskSetError: The journal cannot be used, or a task cannot be decrypted.
        ConfigError: The environment variable of the API key is not set.
    """
    jobs = jobs_of(rows, plan)
    outcome = EnrichmentProgress(list(rows), len(jobs))
    with open_journal(journal) as book:
        kinds = {ENRICH: Enrichment}
        async with open_journaled_client(config, book, kinds, structured=plan.structured, rounds=plan.rounds) as client:
            outcome.dollars = book.dollars

            async def one(job: Job) -> None:
                await _enrich(client, outcome, job)
                outcome.dollars = client.dollars
                watch(outcome)

            await for_all(client, jobs, one, 2 * config.concurrency * len(config.servers))
            outcome.stopped, outcome.asked, outcome.remembered = client.stop_reason, client.asked, client.remembered
    return outcome


async def _enrich(client: JournaledClient, outcome: EnrichmentProgress, job: Job) -> None:
    place, row, fields = job
    clear = opened(row)
    try:
        outcome.rows[place] = await client.settle(
            ENRICH, row.task_id, question(clear, fields), lambda said: filled_in(row, clear, fields, said)
        )
        outcome.filled.update(fields)
    except GaveUp as error:
        shown = error.said.text if error.said and not row.sealed else ""
        outcome.rejects.append(Reject(row.task_id, error.fault, str(error), shown))
    outcome.done += 1
