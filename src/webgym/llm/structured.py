"""Structured output: requests for replies that match a schema."""

from __future__ import annotations

from typing import Any, Literal

import msgspec

Structured = Literal["schema", "object", "off"]
"""How JSON is requested: constrained by a schema, as any JSON object, or only in the prompt."""


def response_format(structured: Structured, name: str, kind: type) -> dict[str, Any]:
    """Return the request field for structured output, for `extra_body`."""
    match structured:
        case "schema":
            wanted = {"name": name, "strict": True, "schema": schema_of(kind)}
            return {"response_format": {"type": "json_schema", "json_schema": wanted}}
        case "object":
            return {"response_format": {"type": "json_object"}}
        case "off":
            return {}


def schema_of(kind: type) -> dict[str, Any]:
    """Return the JSON schema of a type, with an object at the top level as hosted models require.

    Without docstrings, which msgspec adds as descriptions: editing one must not change what a model is asked.
    """
    (top,), found = msgspec.json.schema_components([kind], ref_template="#/$defs/{name}")
    definitions = {
        name: {key: definition[key] for key in definition if key != "description"} for name, definition in found.items()
    }
    schema = definitions.pop(top["$ref"].rpartition("/")[2])
    return {**schema, "$defs": definitions} if definitions else schema
