"""A task as stored in a task set: with its provenance and all other fields of its source."""

from __future__ import annotations

from webgym.records.base import Record
from webgym.records.task import FactGroup, Level, level_of

TASK_ROW_VERSION = 1


class Provenance(Record, frozen=True):
    """Where a task comes from."""

    source: str = ""
    """The importer that read it, such as `webvoyager`."""
    source_id: str = ""
    """The task's id in the source."""
    file: str = ""
    """File name, without its folder."""
    line: int = 0
    """Line, or position in the list, from 1."""
    licence: str = ""
    """An SPDX identifier, or `unknown`."""
    revision: str = ""
    """Version, commit or date of the source."""


class TaskRow(Record, frozen=True):
    """One row of a task set.

    `benchmark` to `decomposed_from` are the fields of the published format, under the names of `Task`. The rest are
    WebGym's own; `extra` holds what fits no other field, so that a row can be written back as it was read.
    """

    task_id: str
    instruction: str
    website: str = ""
    """Start URL; empty while unknown."""
    rubric: tuple[FactGroup, ...] = ()
    """Empty until one is written."""
    benchmark: str = ""
    domain: str = ""
    subdomain: str = ""
    answer: str | None = None
    """The reference answer, if any."""
    decomposed_from: str | None = None
    """`task_id` of the task of whose fact groups this one has a subset."""
    split: str = ""
    template: str = ""
    """The template of a generated task."""
    exact: str = ""
    """As in `Task.exact`."""
    original: str = ""
    """The original instruction, if its dates were made relative."""
    sealed: str = ""
    """Encryption scheme of instruction and answer; empty if they are plain text."""
    inferred: tuple[str, ...] = ()
    """Fields missing in the source, and what filled them in: `website:names`, `rubric:gpt-4o`."""
    provenance: Provenance = Provenance()
    extra: str = ""
    """`{"fields": {…}, "missing": […]}` as JSON; empty if there is nothing to keep."""

    @property
    def difficulty(self) -> int:
        """The number of facts; 0 without a rubric."""
        return sum(len(group.facts) for group in self.rubric)

    @property
    def level(self) -> Level | None:
        """None without a rubric."""
        return level_of(self.difficulty) if self.rubric else None
