"""Content digests of files."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from pathlib import Path

_CHUNK = 2**24


def files_digest(paths: Iterable[Path]) -> str:
    """Return the SHA-256 of the concatenated contents of these files."""
    digest = hashlib.sha256()
    for path in paths:
        with path.open("rb") as file:
            while chunk := file.read(_CHUNK):
                digest.update(chunk)
    return digest.hexdigest()
