"""The tasks of hermetic sites as rows of a task set."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from webgym.errors import ConfigError
from webgym.records.task import Task
from webgym.records.task_row import Provenance, TaskRow
from webgym_hermetic.catalogue import sites
from webgym_hermetic.registry import FAMILIES
from webgym_hermetic.tasks.generate import TASKS_PER_SITE, tasks_of

SOURCE = "hermetic"
LICENCE = "Apache-2.0"


def hermetic_rows(
    sites_per_family: int, per_site: int = TASKS_PER_SITE, families: Collection[str] = ()
) -> Iterator[TaskRow]:
    """Yield the first tasks of each site, with the sites' own splits.

    Raises:
        ConfigError: There is no such family.
    """
    unknown = set(families) - set(FAMILIES)
    if unknown:
        raise ConfigError(f"unknown site family: {', '.join(sorted(unknown))}; choose from {', '.join(FAMILIES)}")
    for site in sites(sites_per_family, tuple(families) or FAMILIES):
        for task in tasks_of(site, per_site):
            yield row_of(task)


def row_of(task: Task) -> TaskRow:
    """Convert a generated task to a row."""
    return TaskRow(
        task_id=task.task_id,
        instruction=task.instruction,
        website=task.website,
        rubric=task.rubric,
        benchmark=task.benchmark,
        domain=task.domain,
        subdomain=task.subdomain,
        decomposed_from=task.decomposed_from,
        split=task.split,
        template=task.template,
        exact=task.exact,
        provenance=Provenance(source=SOURCE, source_id=task.task_id, licence=LICENCE),
    )
