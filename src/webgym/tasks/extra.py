"""What a source said beyond our fields, kept as JSON beside them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from webgym.records.task_row import TaskRow


class Extra(msgspec.Struct, frozen=True, omit_defaults=True):
    """What is needed to write a row as it was read."""

    fields: dict[str, Any] = {}
    """Fields that are not ours, and ours where the value read differs from the one written."""
    missing: tuple[str, ...] = ()
    """Of the published fields: those that were not there."""


_DECODER = msgspec.json.Decoder(Extra)


def extra_of(row: TaskRow) -> Extra:
    """What was kept of a row's source."""
    return _DECODER.decode(row.extra) if row.extra else Extra()


def keep(fields: Mapping[str, Any], missing: tuple[str, ...] = ()) -> str:
    """As `TaskRow.extra` holds it."""
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
    """The row with other values. What was kept of the old ones is forgotten, so that the new ones are written."""
    if row.extra:
        stale = {name for field in changes for name in _PUBLISHED_AS.get(field, ())}
        kept = extra_of(row)
        fields = {name: value for name, value in kept.fields.items() if name not in stale}
        changes["extra"] = keep(fields, tuple(name for name in kept.missing if name not in stale))
    return msgspec.structs.replace(row, **changes)
