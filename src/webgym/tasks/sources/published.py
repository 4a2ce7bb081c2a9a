"""The published WebGym set, and other files in its format."""

from __future__ import annotations

import msgspec

from webgym.records.task_row import Provenance, TaskRow
from webgym.tasks.published import read_published
from webgym.tasks.sources.source import Entry, Source, simple

_LICENCE = "CDLA-Permissive-2.0"


def _read(entry: Entry, origin: Provenance) -> TaskRow:
    row = read_published(entry, origin)
    if row.provenance is not origin or row.provenance.source_id:
        return row
    return msgspec.structs.replace(row, provenance=msgspec.structs.replace(origin, source_id=row.task_id))


WEBGYM = Source(
    "webgym",
    "",
    _LICENCE,
    "microsoft/webgym_tasks, train.jsonl and test.jsonl; also what `webgym tasks export` writes",
    simple(_read),
)
