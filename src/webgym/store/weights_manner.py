"""What weights were trained to see and say, in a file of their folder, so that it travels with them."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec

from webgym.errors import ModelError
from webgym.files import write_whole
from webgym.records.base import Record
from webgym.version import __version__

MANNER_FILE = "webgym.json"
MANNER_VERSION = 1


class WeightsManner(Record, frozen=True, omit_defaults=False):
    """The settings of a run that belong to its weights rather than to the run."""

    version: int
    webgym: str
    """The version of WebGym that wrote it."""
    settings: dict[str, dict[str, Any]]
    """By section, as in a configuration: `agent`, `browser`, `policy`, `limits` of training, `evaluate`."""


def load_manner(folder: Path) -> WeightsManner | None:
    """Return what the weights in this folder were trained to see and say; None if the folder does not tell.

    Raises:
        ModelError: The file cannot be read, or was written by a newer WebGym.
    """
    path = folder / MANNER_FILE
    try:
        found = msgspec.json.decode(path.read_bytes(), type=WeightsManner)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except (OSError, msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise ModelError(f"{path} cannot be read: {error}") from error
    if found.version > MANNER_VERSION:
        raise ModelError(
            f"{path} was written by a newer WebGym, {found.webgym} (version {found.version} of the file, this one "
            f"reads {MANNER_VERSION}): update, or remove the file and give the settings of the weights yourself"
        )
    return found


def save_manner(folder: Path, settings: Mapping[str, dict[str, Any]]) -> None:
    """Write what the weights in this folder were trained to see and say."""
    told = msgspec.json.encode(WeightsManner(MANNER_VERSION, __version__, dict(settings)))
    write_whole(folder / MANNER_FILE, msgspec.json.format(told, indent=2) + b"\n")
