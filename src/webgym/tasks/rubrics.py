"""Parses rubrics of all known shapes into fact groups."""

from __future__ import annotations

from typing import Any, cast

import msgspec

from webgym.records.task import FactGroup
from webgym.tasks.problem import BadEntry

_KEYS = {"id", "description", "facts"}
MOST_FACTS = 200


def read_rubric(given: object) -> tuple[tuple[FactGroup, ...], bool]:
    """Return the fact groups, and whether writing them reproduces the input exactly.

    A string is one fact, unless it is a JSON list, as in a CSV cell. In a list, strings and `{description}` are single
    facts, and `{id, description, facts}` is a group. Duplicate ids are renumbered, because verdicts identify facts by
    them.

    Raises:
        BadEntry: A fact is not a string, or a group has none.
    """
    if given is None:
        return (), False
    if isinstance(given, str):
        listed = _listed(given)
        return ((_single(1, given),), False) if listed is None else (read_rubric(listed)[0], False)
    if not isinstance(given, list):
        raise BadEntry(f"evaluator_reference is {_named(given)}, not a list of fact groups")
    entries = cast("list[object]", given)
    groups = tuple(_group(number, entry) for number, entry in enumerate(entries, start=1))
    if len({group.id for group in groups}) < len(groups):
        groups = tuple(
            FactGroup(number, group.description, group.facts) for number, group in enumerate(groups, start=1)
        )
    if sum(len(group.facts) for group in groups) > MOST_FACTS:
        raise BadEntry(f"evaluator_reference has more than {MOST_FACTS} facts")
    return groups, all(map(_is_plain, entries, groups))


def write_rubric(groups: tuple[FactGroup, ...]) -> list[dict[str, Any]]:
    """Convert to the published format."""
    return [{"id": group.id, "description": group.description, "facts": list(group.facts)} for group in groups]


def _listed(text: str) -> list[object] | None:
    """Decode a string that is a JSON list; None if it is not."""
    if not text.lstrip().startswith("["):
        return None
    try:
        told: object = msgspec.json.decode(text)
    except (msgspec.DecodeError, RecursionError):
        return None
    return cast("list[object]", told) if isinstance(told, list) else None


def _is_plain(entry: object, group: FactGroup) -> bool:
    fields = cast("dict[str, Any]", entry)
    return isinstance(entry, dict) and fields.keys() == _KEYS and type(fields["id"]) is int and fields["id"] == group.id


def _group(number: int, entry: object) -> FactGroup:
    if isinstance(entry, str):
        return _single(number, entry)
    if not isinstance(entry, dict):
        raise BadEntry(f"fact group {number} is {_named(entry)}, not an object")
    fields = cast("dict[str, Any]", entry)
    description = fields.get("description", "")
    if not isinstance(description, str):
        raise BadEntry(f"the description of fact group {number} is {_named(description)}, not a string")
    if "facts" not in fields:
        return _single(number, description)
    facts = fields["facts"]
    if not isinstance(facts, list) or not facts:
        raise BadEntry(f"fact group {number} has no facts")
    texts = cast("list[object]", facts)
    if not all(isinstance(fact, str) and fact.strip() for fact in texts):
        raise BadEntry(f"fact group {number} has a fact that is empty or not a string")
    given: Any = fields.get("id")
    known = type(given) is int and -(2**31) <= given < 2**31
    return FactGroup(given if known else number, description, tuple(cast("list[str]", texts)))


def _single(number: int, text: str) -> FactGroup:
    if not text.strip():
        raise BadEntry(f"fact group {number} has no facts")
    return FactGroup(number, "", (text,))


def _named(value: object) -> str:
    names: dict[type, str] = {
        type(None): "null",
        dict: "an object",
        list: "a list",
        str: "a text",
        bool: "true or false",
    }
    return names.get(type(value), "a number")
