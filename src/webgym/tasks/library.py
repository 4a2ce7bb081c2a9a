"""Location and naming of task sets: `webgym:test`, `folder`, `folder:train`, `folder:all`."""

from __future__ import annotations

import os
import re
from pathlib import Path

EVERY = "all"
"""In place of a split: all tasks, of any split or none."""
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*\Z")
_SPLIT = re.compile(r"[a-z][a-z0-9_]*\Z")


def library() -> Path:
    """Return the folder of named sets: in `WEBGYM_HOME`, else in the user's data folder."""
    home = os.environ.get("WEBGYM_HOME")
    data = Path(home) if home else Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share") / "webgym"
    return data / "tasks"


def folder_of(place: str) -> Path:
    """Return the folder of a set: the path if it exists, else the set of that name."""
    path = Path(place)
    if path.exists() or not _NAME.match(place):
        return path
    return library() / place


def split_reference(reference: str) -> tuple[str, str]:
    """Split a reference into place and split; the split is empty if none is named."""
    place, colon, split = reference.rpartition(":")
    if colon and place and _SPLIT.match(split) and not Path(reference).exists():
        return place, split
    return reference, ""
