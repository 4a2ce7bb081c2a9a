"""Fields of a source that our schema lacks, kept as JSON."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from webgym.records.task_row import TaskRow


class Extra(msgspec.Struct, frozen=True, omit_defaults=True):
    """What is needed to reproduce a row as it was read."""

    fields: dict[str, Any] = {}
    """Foreign fields, and own fields whose original value differs from the one that would be written."""
    missing: tuple[str, ...] = ()
    """Published fields that were absent."""


_DECODER = msgspec.json.Decoder(Extra)


def extra_of(row: TaskRow) -> Extra:
    """Return the extra data of a row."""
    return _DECODER.decode(row.extra) if row.extra else Extra()


def keep(fields: Mapping[str, Any], missing: tuple[str, ...] = ()) -> str:
    """Encode for `TaskRow.extra`."""
    return msgspec.json.encode(Extra(dict(fields), missing)).decode() if fields or missing else ""


_PUBLISHED_AS = {
    "instruction": ("task_name",),
    "website": ("website",),
    "rubric": ("evaluator_reference", "difficulty"),
    "benchmark": ("benchmark_name",),
    "domain": ("domain",),
    "subdomain": ("subdomain",),
    "answer": ("definite_answer",),
    "task_id": ("task_id",),
    "decomposed_from": ("task_id_decomposed_from",),
}


def revised(row: TaskRow, **changes: Any) -> TaskRow:
    """Return the row with changed values, without the originals kept for them, so that the new values are written."""
    if row.extra:
        stale = {name for field in changes for name in _PUBLISHED_AS.get(field, ())}
        kept = extra_of(row)
        fields = {name: value for name, value in kept.fields.items() if name not in stale}
        changes["extra"] = keep(fields, tuple(name for name in kept.missing if name not in stale))
    return msgspec.structs.replace(row, **changes)
