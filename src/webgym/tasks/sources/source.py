"""What an importer is: how to read one entry of a source, and what is known about all of them."""

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
    """One benchmark or data set."""

    name: str
    benchmark: str
    """As the published set names it."""
    licence: str
    """Of the data, as an SPDX identifier."""
    about: str
    """Where it is from and what its entries look like, in a line."""
    reader: Callable[[Path], EntryReader]
    """How to read the entries of a file; raises `BadEntry` or `SkippedEntry` for those that are not taken over."""


def simple(read: EntryReader) -> Callable[[Path], EntryReader]:
    """A reader that needs to know nothing about the file."""
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
    """A row from what an importer found in an entry; its fields that are neither ours nor among `drop` are kept."""
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
    """Where a task starts, and who says so: the source, or the table of names.

    Raises:
        BadEntry: The address is none.
    """
    if website is not None and not isinstance(website, str):
        raise BadEntry("the website is not a text")
    if website and website.strip():
        return {"website": as_url(website)}
    found = website_named(name) if isinstance(name, str) else ""
    return {"website": found, "inferred": ("website:names",)} if found else {}


def as_answer(given: object) -> str | None:
    """An answer as text; None if there is none."""
    if given is None or isinstance(given, str):
        return given or None
    if given == [] or given != given:  # noqa: PLR0124 - NaN, which is how tables of numbers say that there is none
        return None
    return msgspec.json.encode(given).decode()


def digest(*parts: str) -> str:
    """A short name for a task that has none, the same for the same task."""
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:12]


def need(entry: Entry, *names: str) -> Any:
    """The first of these fields that there is.

    Raises:
        BadEntry: There is none.
    """
    for name in names:
        if entry.get(name) is not None:
            return entry[name]
    raise BadEntry(f"there is no field {' or '.join(names)}")


def length_of(given: object) -> int:
    """How many there are, if it is a list."""
    return len(cast("list[object]", given)) if isinstance(given, list) else 0
