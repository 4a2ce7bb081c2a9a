"""Subtasks of hermetic tasks, worded by the site's templates, with exact checks and without a model."""

from __future__ import annotations

import functools
from collections.abc import Sequence

from webgym.errors import SiteUnknown, TaskSetError
from webgym.records.task import Task
from webgym.records.task_row import TaskRow
from webgym_hermetic.catalogue import SITES_PER_FAMILY, site, sites
from webgym_hermetic.host import site_name_of
from webgym_hermetic.registry import FAMILIES
from webgym_hermetic.rows import row_of
from webgym_hermetic.site import Site
from webgym_hermetic.tasks.generate import part_of

_MOST_SITES = 1000
"""Number of sites of a family searched for a name."""


def hermetic_part(row: TaskRow, places: Sequence[int]) -> TaskRow:
    """Build the subtask of these fact groups, given as indices.

    Raises:
        TaskSetError: The row does not match what its site generates.
    """
    whole = Task(row.task_id, row.instruction, row.website, row.rubric, template=row.template, exact=row.exact)
    part = row_of(part_of(site_of_row(row), whole, [place + 1 for place in places]))
    wanted = [row.rubric[place].facts for place in places]
    if [group.facts for group in part.rubric] != wanted:
        raise TaskSetError(f"task {row.task_id} and its site have different facts: it is from another WebGym version")
    return part


def site_of_row(row: TaskRow) -> Site:
    """Return the site of a hermetic task.

    Raises:
        TaskSetError: There is no such site.
    """
    name = site_name_of(row.website)
    try:
        return _site_named(row.domain, name)
    except SiteUnknown as error:
        raise TaskSetError(f"task {row.task_id}: {error}") from error


@functools.lru_cache(maxsize=4096)
def _site_named(family: str, name: str) -> Site:
    if family not in FAMILIES:
        raise SiteUnknown(f"there is no family of sites {family!r}")
    for one in sites(SITES_PER_FAMILY, (family,)):
        if one.name == name:
            return one
    later = (site(family, number) for number in range(SITES_PER_FAMILY, _MOST_SITES))
    found = next((one for one in later if one.name == name), None)
    if found is None:
        raise SiteUnknown(f"there is no site {name!r} among the first {_MOST_SITES} of {family}")
    return found
