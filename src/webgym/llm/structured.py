"""Replies of a given form: how a server is asked for them."""

from __future__ import annotations

from typing import Any, Literal

import msgspec

Structured = Literal["schema", "object", "off"]
"""How JSON is asked for: with a schema that binds the server, as any JSON, or in words alone."""


def response_format(structured: Structured, name: str, kind: type) -> dict[str, Any]:
    """The field of a request that asks for it, as `extra_body`."""
    match structured:
        case "schema":
            wanted = {"name": name, "strict": True, "schema": schema_of(kind)}
            return {"response_format": {"type": "json_schema", "json_schema": wanted}}
        case "object":
            return {"response_format": {"type": "json_object"}}
        case "off":
            return {}


def schema_of(kind: type) -> dict[str, Any]:
    """As hosted models take it: an object at the top, all fields required, no others."""
    (top,), definitions = msgspec.json.schema_components([kind], ref_template="#/$defs/{name}")
    name = top["$ref"].rpartition("/")[2]
    schema = {**definitions.pop(name)}
    return {**schema, "$defs": definitions} if definitions else schema
