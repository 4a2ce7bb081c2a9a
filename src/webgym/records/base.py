"""What all records have in common."""

from __future__ import annotations

import msgspec


def _snake(name: str) -> str:
    return "".join(f"_{c.lower()}" if c.isupper() and i else c.lower() for i, c in enumerate(name))


class Record(msgspec.Struct, frozen=True, omit_defaults=True):
    """A frozen value. Unknown fields are ignored when read, so that newer writers can be read."""


class Variant(Record, frozen=True, tag_field="kind", tag=_snake):
    """A member of a union, told apart by `kind`."""
