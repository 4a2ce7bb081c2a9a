"""A generic importer with a user-defined mapping of fields."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from webgym.errors import ConfigError
from webgym.records.task_row import Provenance, TaskRow
from webgym.tasks.rubrics import read_rubric
from webgym.tasks.sources.source import Entry, Source, as_answer, located, made, need, simple

TARGETS = ("instruction", "website", "name", "task_id", "answer", "rubric", "domain", "subdomain", "benchmark")


def parse_mapping(given: Sequence[str]) -> dict[str, str]:
    """Parse a mapping such as `instruction=question`.

    Raises:
        ConfigError: It is malformed, or names a field we do not have.
    """
    mapping: dict[str, str] = {}
    for pair in given:
        ours, equals, theirs = pair.partition("=")
        if not equals or not theirs or ours not in TARGETS:
            raise ConfigError(f"--map {pair!r}: write OURS=THEIRS, where OURS is one of {', '.join(TARGETS)}")
        mapping[ours] = theirs
    if "instruction" not in mapping:
        raise ConfigError("--map instruction=FIELD says which field holds the instruction")
    return mapping


def mapped(name: str, mapping: Mapping[str, str], *, benchmark: str = "", licence: str = "unknown") -> Source:
    """Create an importer from a mapping. A rubric may be a string, a list of strings, or fact groups."""

    def read(entry: Entry, origin: Provenance) -> TaskRow:
        def of(ours: str) -> object:
            return entry.get(mapping[ours]) if ours in mapping else None

        def text(ours: str, otherwise: str = "") -> str:
            value = of(ours)
            return otherwise if value is None else str(value)

        return made(
            entry,
            origin,
            need(entry, mapping["instruction"]),
            source_id=of("task_id"),
            drop=tuple(mapping.values()),
            answer=as_answer(of("answer")),
            rubric=read_rubric(of("rubric") or None)[0],
            domain=text("domain"),
            subdomain=text("subdomain"),
            benchmark=text("benchmark", benchmark),
            **located(of("website"), of("name")),
        )

    return Source(name, benchmark, licence, "any file, by --map", simple(read))
