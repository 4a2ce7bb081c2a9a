"""Conversion between task rows and Arrow columns. The Parquet files of task sets have these columns in this order."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, TypeVar

from webgym.errors import TaskSetError
from webgym.records.task import FactGroup
from webgym.records.task_row import TASK_ROW_VERSION, Provenance, TaskRow
from webgym.tasks.arrow import arrow
from webgym.tasks.websites import site_of

_T = TypeVar("_T")
VERSION_KEY = b"webgym.task_rows"
_OF_PROVENANCE = ("source", "source_id", "file", "line", "licence", "revision")
_ROWS_AT_ONCE = 8192


@functools.cache
def schema() -> Any:
    """The schema of a task set. `site` and `difficulty` are derived, and stored for filtering."""
    pa = arrow()
    group = pa.struct([("id", pa.int32()), ("description", pa.string()), ("facts", pa.list_(pa.string()))])
    kinds = {
        "task_id": pa.string(),
        "instruction": pa.string(),
        "website": pa.string(),
        "site": pa.string(),
        "rubric": pa.list_(group),
        "difficulty": pa.int32(),
        **dict.fromkeys(("benchmark", "domain", "subdomain"), _repeated(pa)),
        "answer": pa.string(),
        "decomposed_from": pa.string(),
        "split": _repeated(pa),
        "template": _repeated(pa),
        "exact": pa.string(),
        "original": pa.string(),
        "sealed": _repeated(pa),
        "inferred": pa.list_(pa.string()),
        **{name: pa.string() if name == "source_id" else _repeated(pa) for name in _OF_PROVENANCE},
        "extra": pa.string(),
    }
    kinds["line"] = pa.int64()
    return pa.schema(list(kinds.items()), metadata={VERSION_KEY: str(TASK_ROW_VERSION)})


def table_of(rows: Iterable[TaskRow]) -> Any:
    """Convert rows to a table."""
    pa = arrow()
    batches = [batch_of(part) for part in _parts(rows)]
    return pa.Table.from_batches(batches, schema=schema()).unify_dictionaries()


def batch_of(rows: Sequence[TaskRow]) -> Any:
    """Convert rows to one record batch."""
    pa = arrow()
    columns: list[Any] = []
    for field in schema():
        match field.name:
            case "rubric":
                columns.append(_rubrics(rows, field.type))
            case "site":
                columns.append(pa.array([site_of(row.website) for row in rows], field.type))
            case name if name in _OF_PROVENANCE:
                columns.append(_plain([getattr(row.provenance, name) for row in rows], field.type))
            case name:
                columns.append(_plain([getattr(row, name) for row in rows], field.type))
    return pa.RecordBatch.from_arrays(columns, schema=schema())


def rows_of(table: Any) -> Iterator[TaskRow]:
    """Yield the rows of a table that has all columns."""
    for batch in table.to_batches(max_chunksize=_ROWS_AT_ONCE):
        yield from rows_of_batch(batch)


def rows_of_batch(batch: Any) -> list[TaskRow]:
    """Return the rows of one record batch."""
    columns: dict[str, list[Any]] = {
        name: _values(batch.column(name)) for name in batch.schema.names if name not in {"rubric", "site"}
    }
    columns["rubric"] = _read_rubrics(batch.column("rubric"))
    columns["inferred"] = list(map(tuple, columns["inferred"]))
    columns["provenance"] = [
        Provenance(*values) for values in zip(*(columns[name] for name in _OF_PROVENANCE), strict=True)
    ]
    return [TaskRow(*values) for values in zip(*(columns[name] for name in TaskRow.__struct_fields__), strict=True)]


def check_columns(found: Any, where: str) -> None:
    """Reject a file that is not a task set, or has a newer version.

    Raises:
        TaskSetError: The file cannot be used.
    """
    metadata: dict[bytes, bytes] = found.metadata or {}
    version = metadata.get(VERSION_KEY)
    if version is None:
        raise TaskSetError(f"{where} is not a WebGym task set: import it with `webgym tasks import`")
    if int(version) > TASK_ROW_VERSION:
        raise TaskSetError(f"{where} has format version {int(version)}; this WebGym reads up to {TASK_ROW_VERSION}")
    missing = set(schema().names) - set(found.names)
    if missing:
        raise TaskSetError(f"{where} is damaged: it has no column {', '.join(sorted(missing))}")


def _repeated(pa: Any) -> Any:
    return pa.dictionary(pa.int32(), pa.string())


def _plain(values: list[Any], kind: Any) -> Any:
    pa = arrow()
    if pa.types.is_dictionary(kind):
        return pa.array(values, pa.string()).dictionary_encode().cast(kind)
    return pa.array(values, kind)


def _rubrics(rows: Sequence[TaskRow], kind: Any) -> Any:
    """Built from flat arrays, which is many times faster than from dicts."""
    pa = arrow()
    groups = [group for row in rows for group in row.rubric]
    per_row = [0, *itertools.accumulate(len(row.rubric) for row in rows)]
    per_group = [0, *itertools.accumulate(len(group.facts) for group in groups)]
    facts = pa.array([fact for group in groups for fact in group.facts], pa.string())
    members = [
        pa.array([group.id for group in groups], pa.int32()),
        pa.array([group.description for group in groups], pa.string()),
        pa.ListArray.from_arrays(pa.array(per_group, pa.int32()), facts),
    ]
    structs = pa.StructArray.from_arrays(members, fields=list(kind.value_type))
    return pa.ListArray.from_arrays(pa.array(per_row, pa.int32()), structs, type=kind)


def _read_rubrics(column: Any) -> list[tuple[FactGroup, ...]]:
    structs = column.flatten()
    lists = structs.field("facts")
    facts = _cut(lists.flatten().to_pylist(), lists.value_lengths().to_pylist())
    members = zip(structs.field("id").to_pylist(), structs.field("description").to_pylist(), facts, strict=True)
    return _cut([FactGroup(*member) for member in members], column.value_lengths().to_pylist())


def _values(column: Any) -> list[Any]:
    if not arrow().types.is_dictionary(column.type):
        return column.to_pylist()
    distinct: list[str] = column.dictionary.to_pylist()
    return [distinct[place] for place in column.indices.to_pylist()]  # ten times faster than `to_pylist`


def _cut(values: list[_T], lengths: list[int]) -> list[tuple[_T, ...]]:
    """Cut a list into tuples of these lengths."""
    ends = list(itertools.accumulate(lengths))
    return [tuple(values[end - length : end]) for end, length in zip(ends, lengths, strict=True)]


def _parts(rows: Iterable[TaskRow]) -> Iterator[list[TaskRow]]:
    left = iter(rows)
    while part := list(itertools.islice(left, _ROWS_AT_ONCE)):
        yield part
