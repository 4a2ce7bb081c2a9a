"""Finds and parses tool calls in a reply."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any, NoReturn, cast

from webgym.agent.dialects.arguments import Complaint, shown
from webgym.agent.untrusted import one_line
from webgym.records.prompt import Completion

OPEN = "<tool_call>"
CLOSE = "</tool_call>"
_BLANK = re.compile(r"\s*")
_MOST_CALLS = 4
"""Calls to collect before giving up: more than one is an error anyway."""
_MOST_TRIES = 50
"""Opening braces to try as the start of a JSON object, in a text without tags."""


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not JSON")


# Not strict: line breaks inside strings are accepted.
_JSON = json.JSONDecoder(strict=False, parse_constant=_no_constant)


@dataclass(frozen=True, slots=True)
class ParsedCall:
    """A parsed tool call."""

    tool: str
    arguments: dict[str, object]
    text: str
    """The call as the model wrote it."""


@dataclass(frozen=True, slots=True)
class UnparsedReply:
    """The prose of a reply and its unparsed calls."""

    prose: str
    calls: tuple[str, ...]
    """Each is meant to be JSON with `name` and `arguments`."""


def find_calls(completion: Completion, text: str, *, loose: bool) -> UnparsedReply:
    """Return the calls of a reply: separate ones, else tagged ones, else if `loose` JSON objects that look like one."""
    if completion.calls:
        return UnparsedReply(text, tuple(_rendered(call.name, call.arguments) for call in completion.calls))
    found = _tagged(text)
    return found if found.calls or not loose else _untagged(text)


def read_call(text: str) -> ParsedCall:
    """Parse a call; raises `Complaint` if it is invalid."""
    value = _object(text)
    name, arguments = value.get("name"), value.get("arguments", {})
    if isinstance(arguments, str):
        arguments = _object(arguments)
    if not isinstance(name, str) or not isinstance(arguments, dict):
        form = '{"name": ..., "arguments": {...}}'
        raise Complaint("bad_argument", f"a tool call has the form {form}, not {one_line(text, 80)}")
    return ParsedCall(name, cast("dict[str, object]", arguments), text)


def write_call(tool: str, arguments: dict[str, object]) -> str:
    """Return a call between tags. `<` is escaped, so that arguments cannot contain a tag."""
    body = json.dumps({"name": tool, "arguments": arguments}, ensure_ascii=False).replace("<", "\\u003c")
    return f"{OPEN}\n{body}\n{CLOSE}"


def _object(text: str) -> dict[str, object]:
    try:
        value: object = _JSON.decode(text)
    except (ValueError, RecursionError) as error:
        why = (
            f"{error.msg} at character {error.pos}" if isinstance(error, json.JSONDecodeError) else "it cannot be read"
        )
        raise Complaint("bad_json", f"the tool call is not valid JSON ({why}): {one_line(text, 80)}") from None
    if not isinstance(value, dict):
        raise Complaint("bad_json", f"a tool call is a JSON object, not {shown(value)}")
    return cast("dict[str, object]", value)


def _tagged(text: str) -> UnparsedReply:
    bodies: list[str] = []
    at = text.find(OPEN)
    prose = text if at < 0 else text[:at]
    while at >= 0 and len(bodies) < _MOST_CALLS:
        start = at + len(OPEN)
        end = _end(text, start)
        bodies.append(text[start:end].strip())
        at = text.find(OPEN, end)
    return UnparsedReply(prose, tuple(bodies))


def _end(text: str, start: int) -> int:
    """Return where the JSON ends, as a tag inside a string does not end it; if it is not JSON, the next tag."""
    blank = _BLANK.match(text, start)
    end = _read_at(text, blank.end() if blank else start)[1]
    if end:
        return end
    ends = [at for tag in (OPEN, CLOSE) if (at := text.find(tag, start)) >= 0]
    return min(ends, default=len(text))


def _untagged(text: str) -> UnparsedReply:
    bodies: list[str] = []
    first = len(text)
    at = text.find("{")
    for _ in range(_MOST_TRIES):
        if at < 0:
            break
        value, end = _read_at(text, at)
        if end and isinstance(value, dict) and "name" in value and "arguments" in value:
            bodies.append(text[at:end])
            first = min(first, at)
        at = text.find("{", max(end, at + 1))
    return UnparsedReply(text[:first].removesuffix("```json\n"), tuple(bodies))


def _read_at(text: str, at: int) -> tuple[Any, int]:
    """Return the JSON value at a position and its end; an end of 0 if it is invalid."""
    try:
        return _JSON.raw_decode(text, at)
    except (ValueError, RecursionError):
        return None, 0


def _rendered(name: str, arguments: str) -> str:
    """Return name and arguments as one JSON object; arguments stay as written, and become a string if not an object."""
    value, end = _read_at(arguments, 0)
    if arguments.strip() and not (end and isinstance(value, dict)):
        return json.dumps({"name": name, "arguments": arguments}, ensure_ascii=False)
    return f'{{"name": {json.dumps(name, ensure_ascii=False)}, "arguments": {arguments.strip() or "{}"}}}'
