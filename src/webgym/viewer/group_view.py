"""The groups of a training run as shown on a page."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from webgym.records.base import Record
from webgym.store.rows import Row
from webgym.viewer.query import Facet
from webgym.viewer.rates import kind_of
from webgym.viewer.training import TrainingGroup

GROUPS = 50
"""Groups per page."""


class GroupMember(Record, frozen=True, omit_defaults=False):
    """One attempt of a group."""

    attempt_id: str
    outcome: str
    reward: float | None
    advantage: float | None
    """None if it was not learned from."""
    steps: int


class GroupView(Record, frozen=True, omit_defaults=False):
    """Attempts at one task that were compared with each other."""

    name: str
    iteration: int | None
    version: int | None
    fate: str
    task_id: str
    instruction: str
    site: str
    level: str
    solved: int
    graded: int
    """Attempts with a reward."""
    members: tuple[GroupMember, ...]


class GroupsPage(Record, frozen=True, omit_defaults=False):
    """One page of the groups of a run, newest iteration first."""

    total: int
    page: int
    pages: int
    fates: list[Facet]
    """How many groups of the chosen iteration have each fate."""
    iterations: list[int]
    """All iterations, newest first."""
    groups: list[GroupView]


def group_views(groups: Sequence[TrainingGroup], rows: Sequence[Row]) -> dict[str, GroupView]:
    """Return the groups by name, with their attempts."""
    members: dict[str, list[Row]] = {}
    for row in rows:
        members.setdefault(row.group or row.attempt_id, []).append(row)
    return {group.name: _view(group, members[group.name]) for group in groups if group.name in members}


def groups_page(
    found: Mapping[str, GroupView], *, fate: str = "", iteration: str = "", text: str = "", page: int = 0
) -> GroupsPage:
    """Return one page of the groups that match. An empty filter matches everything."""
    words = text.lower().split()
    of_iteration = [group for group in found.values() if iteration in ("", str(group.iteration))]
    matching = [
        group
        for group in of_iteration
        if fate in ("", group.fate)
        and all(word in f"{group.instruction} {group.site} {group.task_id}".lower() for word in words)
    ]
    # A group that is not settled yet is newer than every iteration.
    matching.sort(key=lambda one: (one.iteration is not None, -(one.iteration or 0)))
    return GroupsPage(
        total=len(matching),
        page=page,
        pages=-(-len(matching) // GROUPS),
        fates=[Facet(*counted) for counted in Counter(group.fate for group in of_iteration).most_common()],
        iterations=sorted({group.iteration for group in found.values() if group.iteration is not None}, reverse=True),
        groups=matching[page * GROUPS : (page + 1) * GROUPS],
    )


def _view(group: TrainingGroup, rows: Sequence[Row]) -> GroupView:
    first = rows[0]
    rewards = [row.reward for row in rows if row.reward is not None]
    return GroupView(
        group.name,
        group.iteration,
        group.version,
        group.fate,
        first.task_id,
        first.instruction,
        first.site,
        first.level,
        solved=sum(reward > 0 for reward in rewards),
        graded=len(rewards),
        members=tuple(
            GroupMember(row.attempt_id, kind_of(row), row.reward, group.advantages.get(row.attempt_id), row.steps)
            for row in sorted(rows, key=lambda row: row.member)
        ),
    )
