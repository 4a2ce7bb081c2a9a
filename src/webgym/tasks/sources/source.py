"""The importer interface: how to read one entry of a source, and the source's metadata."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

import msgspec

from webgym.records.task_row import Provenance, TaskRow
from webgym.tasks.address import as_url
from webgym.tasks.extra import keep
from webgym.tasks.problem import BadEntry
from webgym.tasks.published import FIELDS, OURS, check_instruction
from webgym.tasks.sources.names import website_named

Entry = Mapping[str, Any]
EntryReader = Callable[[Entry, Provenance], TaskRow]


@dataclass(frozen=True, slots=True)
class Source:
    """A benchmark or dataset."""

    name: str
    benchmark: str
    """Name of the benchmark in the published set."""
    licence: str
    """Licence of the data, as an SPDX identifier."""
    about: str
    """Origin and format of the entries, in one line."""
    reader: Callable[[Path], EntryReader]
    """Return the reader of a file's entries, which raises `BadEntry` or `SkippedEntry` for those not to import."""


def simple(read: EntryReader) -> Callable[[Path], EntryReader]:
    """Wrap a reader that does not depend on the file."""
    return lambda _path: read


def made(
    entry: Entry,
    origin: Provenance,
    instruction: object,
    *,
    source_id: object = None,
    drop: tuple[str, ...] = (),
    **fields: Any,
) -> TaskRow:
    """Build a row. Fields of the entry that are neither ours nor in `drop` are kept as extra data."""
    text = check_instruction(instruction)
    identifier = "" if source_id is None else str(source_id).strip()
    kept = {key: value for key, value in entry.items() if key not in drop and key not in FIELDS and key != OURS}
    return TaskRow(
        task_id=f"{origin.source}-{identifier or digest(text, fields.get('website', ''))}",
        instruction=text,
        provenance=msgspec.structs.replace(origin, source_id=identifier),
        extra=keep(kept),
        **fields,
    )


def located(website: object, name: object = None) -> dict[str, Any]:
    """Return where a task starts, given a URL or, failing that, a name to look up.

    Raises:
        BadEntry: The URL is invalid.
    """
    if website is not None and not isinstance(website, str):
        raise BadEntry("the website is not a string")
    if website and website.strip():
        return {"website": as_url(website)}
    found = website_named(name) if isinstance(name, str) else ""
    return {"website": found, "inferred": ("website:names",)} if found else {}


def as_answer(given: object) -> str | None:
    """Convert an answer to text; None if there is none."""
    if given is None or isinstance(given, str):
        return given or None
    if given == [] or given != given:  # noqa: PLR0124 - NaN, a missing value in numeric tables
        return None
    return msgspec.json.encode(given).decode()


def digest(*parts: str) -> str:
    """Return a short stable hash, as an id for a task without one."""
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:12]


def need(entry: Entry, *names: str) -> Any:
    """Return the first of these fields that is present.

    Raises:
        BadEntry: None is present.
    """
    for name in names:
        if entry.get(name) is not None:
            return entry[name]
    raise BadEntry(f"there is no field {' or '.join(names)}")


def length_of(given: object) -> int:
    """Return the length of a list; 0 for anything else."""
    return len(cast("list[object]", given)) if isinstance(given, list) else 0
