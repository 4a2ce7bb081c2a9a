"""What the page of each seed asks for, read once in a browser: it exists nowhere but in the page."""

from __future__ import annotations

import gzip
from functools import cache
from importlib.resources import files
from pathlib import Path

import msgspec

_NAME = "utterances.json.gz"


class Utterances(msgspec.Struct, frozen=True):
    """The utterances of all tasks, for the seeds from 0."""

    fingerprint: str
    """Of the pages that they were read from (`Pages.fingerprint`)."""
    by_name: dict[str, list[str]]


@cache
def utterances() -> Utterances:
    """Return those that ship with the package."""
    return msgspec.json.decode(gzip.decompress((files("webgym_miniwob") / _NAME).read_bytes()), type=Utterances)


def write_utterances(read: Utterances) -> Path:
    """Replace those that ship with the package. Returns where they are."""
    path = Path(__file__).with_name(_NAME)
    path.write_bytes(gzip.compress(msgspec.json.encode(read), mtime=0))
    return path
