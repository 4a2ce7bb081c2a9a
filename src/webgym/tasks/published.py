"""The published format: one JSON object per task, read and written losslessly."""

from __future__ import annotations

import hashlib
from typing import Any, cast

import msgspec

from webgym.records.task_row import TASK_ROW_VERSION, Provenance, TaskRow
from webgym.tasks.address import as_url
from webgym.tasks.extra import extra_of, keep
from webgym.tasks.problem import BadEntry
from webgym.tasks.rubrics import read_rubric, write_rubric

FIELDS = (
    "benchmark_name",
    "task_name",
    "domain",
    "subdomain",
    "website",
    "definite_answer",
    "task_id",
    "evaluator_reference",
    "difficulty",
    "task_id_decomposed_from",
)
OURS = "webgym"
"""Field that holds what the published format has no place for."""
LONGEST_INSTRUCTION = 20_000
_OWN = ("split", "template", "exact", "original", "sealed", "inferred", "provenance")


def read_published(given: object, provenance: Provenance) -> TaskRow:
    """Parse an object of the published format, or of ours.

    Raises:
        BadEntry: It is not valid; the message says why.
    """
    if not isinstance(given, dict):
        raise BadEntry("not a JSON object")
    fields = cast("dict[str, Any]", given)
    own = _own(fields, provenance)
    groups, exact = read_rubric(fields.get("evaluator_reference"))
    if not groups and own is None:
        raise BadEntry("the rubric (evaluator_reference) is empty")
    _check_difficulty(fields)
    row = TaskRow(
        task_id=_identifier(fields, "task_id") or derived_id(fields),
        instruction=check_instruction(fields.get("task_name")),
        website=as_url(_text(fields, "website")),
        rubric=groups,
        benchmark=_text(fields, "benchmark_name"),
        domain=_text(fields, "domain"),
        subdomain=_text(fields, "subdomain"),
        answer=_answer(fields),
        decomposed_from=_identifier(fields, "task_id_decomposed_from"),
        provenance=provenance,
    )
    if own is not None:
        row = msgspec.structs.replace(row, **own)
    return msgspec.structs.replace(row, extra=_rest(row, fields, exact_rubric=exact, ours=own is not None))


def write_published(row: TaskRow, *, ours: bool = True) -> dict[str, Any]:
    """Return the row as an object with its extra fields; `ours` adds what the published format has no place for."""
    kept = extra_of(row)
    fields = _plain(row)
    for name in kept.missing:
        del fields[name]
    fields |= kept.fields
    if ours:
        fields[OURS] = _ours(row)
    return fields


def derived_id(fields: dict[str, Any]) -> str:
    """Derive a stable id for a task that has none."""
    told = [fields.get(name) for name in ("benchmark_name", "website", "task_name")]
    return hashlib.sha256(msgspec.json.encode(told)).hexdigest()[:16]


def check_instruction(given: object) -> str:
    """Validate an instruction.

    Raises:
        BadEntry: It is not a string, empty, or too long.
    """
    if not isinstance(given, str):
        raise BadEntry("the instruction is missing" if given is None else "the instruction is not a string")
    if not given.strip():
        raise BadEntry("the instruction is empty")
    if len(given) > LONGEST_INSTRUCTION:
        raise BadEntry(f"the instruction has {len(given):,} characters; the longest allowed is {LONGEST_INSTRUCTION:,}")
    return given


def _plain(row: TaskRow) -> dict[str, Any]:
    return {
        "benchmark_name": row.benchmark,
        "task_name": row.instruction,
        "domain": row.domain,
        "subdomain": row.subdomain,
        "website": row.website,
        "definite_answer": row.answer,
        "task_id": row.task_id,
        "evaluator_reference": write_rubric(row.rubric),
        "difficulty": row.difficulty,
        "task_id_decomposed_from": row.decomposed_from,
    }


def _rest(row: TaskRow, fields: dict[str, Any], *, exact_rubric: bool, ours: bool) -> str:
    """Collect what would be lost if only our fields were written."""
    written = _plain(row)
    rest: dict[str, Any] = {}
    for name, value in fields.items():
        if name == "evaluator_reference":
            same = exact_rubric
        elif name == OURS:
            same = ours
        else:
            same = name in written and type(value) is type(written[name]) and value == written[name]
        if not same:
            rest[name] = value
    return keep(rest, tuple(name for name in FIELDS if name not in fields))


def _ours(row: TaskRow) -> dict[str, Any]:
    told = msgspec.to_builtins(row)
    return {"version": TASK_ROW_VERSION} | {name: told[name] for name in _OWN if name in told}


class _Own(msgspec.Struct, frozen=True):
    version: int
    split: str = ""
    template: str = ""
    exact: str = ""
    original: str = ""
    sealed: str = ""
    inferred: tuple[str, ...] = ()
    provenance: Provenance | None = None


def _own(fields: dict[str, Any], provenance: Provenance) -> dict[str, Any] | None:
    """Return our own fields, if we wrote this line."""
    given = fields.get(OURS)
    if not isinstance(given, dict) or "version" not in given:
        return None
    try:
        own = msgspec.convert(given, _Own)
    except msgspec.ValidationError as error:
        raise BadEntry(f"{OURS}: {error}") from error
    if own.version > TASK_ROW_VERSION:
        raise BadEntry(f"{OURS} has format version {own.version}; this WebGym reads up to {TASK_ROW_VERSION}")
    found = {name: getattr(own, name) for name in _OWN}
    return found | {"provenance": own.provenance or provenance}


def _text(fields: dict[str, Any], name: str) -> str:
    value = fields.get(name)
    if value is None:
        return ""
    if not isinstance(value, str):
        raise BadEntry(f"{name} is not a string")
    return value


def _answer(fields: dict[str, Any]) -> str | None:
    value = fields.get("definite_answer")
    if value is None or isinstance(value, str):
        return value
    if value == [] or value != value:  # noqa: PLR0124 - NaN, a missing value in numeric tables
        return None
    if isinstance(value, dict):
        raise BadEntry("definite_answer is not a string")
    return msgspec.json.encode(value).decode()


def _identifier(fields: dict[str, Any], name: str) -> str | None:
    value = fields.get(name)
    if value is None or value == "":  # an empty CSV cell; as a parent id it would merge all such tasks into one family
        return None
    if isinstance(value, str | int) and not isinstance(value, bool):
        return str(value)
    raise BadEntry(f"{name} is neither a string nor an integer")


def _check_difficulty(fields: dict[str, Any]) -> None:
    value = fields.get("difficulty")
    if value is not None and (isinstance(value, bool) or not isinstance(value, int | float)):
        raise BadEntry("difficulty is not a number")
