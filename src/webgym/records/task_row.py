"""A task as a task set keeps it: the task, where it comes from, and whatever else its source said."""

from __future__ import annotations

from webgym.records.base import Record
from webgym.records.task import FactGroup, Level, level_of

TASK_ROW_VERSION = 1


class Provenance(Record, frozen=True):
    """Where a task comes from."""

    source: str = ""
    """The importer that read it, such as `webvoyager`."""
    source_id: str = ""
    """What the source itself calls it."""
    file: str = ""
    """The name of the file, without its folder."""
    line: int = 0
    """Its line, or which entry of the list it is, from 1."""
    licence: str = ""
    """An SPDX identifier, or `unknown`."""
    revision: str = ""
    """Of the source: a version, a commit or a date."""


class TaskRow(Record, frozen=True):
    """One row of a task set.

    `benchmark` to `decomposed_from` are the fields of the published format, under the names of `Task`. The rest is
    ours, and `extra` is what was read and has no other place, so that a row can be written as it was read.
    """

    task_id: str
    instruction: str
    website: str = ""
    """Where it starts: a URL, or empty as long as nobody knows."""
    rubric: tuple[FactGroup, ...] = ()
    """Empty as long as none was written."""
    benchmark: str = ""
    domain: str = ""
    subdomain: str = ""
    answer: str | None = None
    """The reference answer, where there is one."""
    decomposed_from: str | None = None
    """The `task_id` of the task whose fact groups this one has some of."""
    split: str = ""
    template: str = ""
    """Of generated tasks: the kind of task it is."""
    exact: str = ""
    """What the site's own judge needs, as `Task.exact`."""
    original: str = ""
    """The instruction as it was given, if its dates were made relative."""
    sealed: str = ""
    """How instruction and answer are encrypted; empty if they are not."""
    inferred: tuple[str, ...] = ()
    """What the source did not say, and who filled it in: `website:names`, `rubric:gpt-4o`."""
    provenance: Provenance = Provenance()
    extra: str = ""
    """`{"fields": {…}, "missing": […]}` as JSON; empty if there is nothing to keep."""

    @property
    def difficulty(self) -> int:
        """The number of facts; 0 as long as there is no rubric."""
        return sum(len(group.facts) for group in self.rubric)

    @property
    def level(self) -> Level | None:
        """None as long as there is no rubric."""
        return level_of(self.difficulty) if self.rubric else None
