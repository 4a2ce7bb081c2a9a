"""Requests for replies that match a schema."""

import msgspec

from webgym.llm.structured import response_format, schema_of


class Part(msgspec.Struct):
    """For readers of the code."""

    words: str


class Whole(msgspec.Struct):
    """For them too."""

    parts: list[Part]


def test_a_schema_is_an_object_at_the_top_with_its_parts_below():
    schema = schema_of(Whole)
    assert (schema["type"], schema["required"]) == ("object", ["parts"])
    assert schema["$defs"]["Part"]["properties"] == {"words": {"type": "string"}}


def test_docstrings_are_not_sent_to_models():
    assert "description" not in str(response_format("schema", "whole", Whole))
