"""Parses a judge's request for the scripted model: labelled blocks of JSON, pictures, and instructions.

A block is a line with a label in capitals (`FACTS`), followed by one line of JSON. The JSON is data; all other text
counts as instructions to the model.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any, cast

import msgspec

from webgym.testing.policy_replies import PolicyRequest

_LABEL = re.compile(r"^[A-Z]{4,}( [0-9]+)?$")


@dataclass(slots=True)
class Reading:
    """A parsed request."""

    wanted: str = ""
    """Name of the schema that the reply must follow."""
    facts: dict[str, str] = field(default_factory=dict[str, str])
    """Facts by id."""
    answer: str | None = None
    reference: str | None = None
    numbers: list[int] = field(default_factory=list[int])
    """Numbers of the pictures, as the request labels them."""
    pictures: list[bytes] = field(default_factory=list[bytes])
    told: str = ""
    """All text that is not data."""


def read(ask: PolicyRequest) -> Reading:
    """Parse a request."""
    found = Reading(wanted=_schema_name(ask.body), pictures=ask.pictures)
    told: list[str] = []
    for part in ask.parts:
        if part["type"] == "text":
            _read_text(part["text"], found, told)
    found.told = "\n".join(told)
    if len(found.numbers) != len(found.pictures):
        found.numbers = list(range(1, len(found.pictures) + 1))
    return found


def sentences(answer: str) -> list[str]:
    """Split an answer into its claims, one per sentence."""
    return [sentence.strip() for sentence in re.split(r"(?<=[.!?])\s+|\n+", answer) if sentence.strip()]


def _schema_name(body: dict[str, Any]) -> str:
    form = cast("dict[str, Any]", body.get("response_format") or {})
    schema = cast("dict[str, Any]", form.get("json_schema") or {})
    return str(schema.get("name", ""))


def _read_text(text: str, found: Reading, told: list[str]) -> None:
    label = ""
    for line in text.splitlines():
        data = _json(line) if label else None
        if data is not None:
            _take(label, data, found)
        else:
            told.append(line)
        if _LABEL.match(line):
            label = line
            if line.startswith("SCREENSHOT "):
                found.numbers.append(int(line.split()[1]))
        else:
            label = ""


def _json(line: str) -> Any:
    try:
        return msgspec.json.decode(line)
    except msgspec.DecodeError:
        return None


def _take(label: str, data: Any, found: Reading) -> None:
    match label:
        case "FACTS":
            found.facts = {entry["id"]: entry["fact"] for entry in data}
        case "ANSWER":
            found.answer = str(data)
        case "REFERENCE":
            found.reference = str(data)
        case _:
            pass
