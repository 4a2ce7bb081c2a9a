"""Programs that cannot start, as a machine without some library has them."""

from __future__ import annotations

from pathlib import Path

_NEEDED, _MISSING = b"libc.so.6\0", b"libq.so.6\0"
MISSING = "libq.so.6"


def lacking_a_library(path: Path) -> Path:
    """A real executable that is linked with a library that no machine has."""
    working = Path("/bin/true").read_bytes()
    assert _NEEDED in working
    return script(path, working.replace(_NEEDED, _MISSING))


def script(path: Path, body: str | bytes) -> Path:
    path.write_bytes(f"#!/bin/sh\n{body}\n".encode() if isinstance(body, str) else body)
    path.chmod(0o755)
    return path
