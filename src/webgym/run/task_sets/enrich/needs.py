"""Determines what a task lacks."""

from __future__ import annotations

from collections.abc import Collection
from typing import Literal

from webgym.records.task_row import TaskRow
from webgym.run.task_sets.enrich.taxonomy import DOMAIN_OF

Field = Literal["website", "domain", "rubric"]
FIELDS: tuple[Field, ...] = ("website", "domain", "rubric")


def lacking(row: TaskRow, wanted: Collection[Field], *, refile: bool = False) -> tuple[Field, ...]:
    """Return the wanted fields that are empty, and with `refile` also a domain outside the taxonomy.

    Hermetic tasks lack nothing. Sealed tasks get no rubric: it would reveal in plain text what they ask for.
    """
    if row.exact:
        return ()
    filed = DOMAIN_OF.get(row.subdomain) == row.domain if refile else bool(row.domain and row.subdomain)
    empty: dict[Field, bool] = {
        "website": not row.website,
        "domain": not filed,
        "rubric": not row.rubric and not row.sealed,
    }
    return tuple(field for field in FIELDS if field in wanted and empty[field])
