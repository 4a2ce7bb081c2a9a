"""What all records have in common."""

from __future__ import annotations

import msgspec


def _snake(name: str) -> str:
    return "".join(f"_{c.lower()}" if c.isupper() and i else c.lower() for i, c in enumerate(name))


class Record(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """A frozen value. Unknown fields are ignored when read, so that newer writers can be read.

    Records hold only what was there before them, so they are in no cycle, and the garbage collector need not look at
    them: with a thousand attempts open it would stop the event loop for a third of a second at a time.
    """


class Variant(Record, frozen=True, tag_field="kind", tag=_snake):
    """A member of a union, told apart by `kind`."""
