"""Base classes of all records."""

from __future__ import annotations

import msgspec


def _snake(name: str) -> str:
    return "".join(f"_{c.lower()}" if c.isupper() and i else c.lower() for i, c in enumerate(name))


class Record(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """A frozen value. Unknown fields are ignored when decoding, for forward compatibility.

    Being frozen, records cannot form reference cycles, so they are exempt from garbage collection: with a thousand
    open attempts, its pauses would stop the event loop for a third of a second at a time.
    """


class Variant(Record, frozen=True, tag_field="kind", tag=_snake):
    """A member of a tagged union, discriminated by `kind`."""
