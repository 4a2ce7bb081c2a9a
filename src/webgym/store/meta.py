"""Metadata of a run: how and with what it was started."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import msgspec

from webgym.errors import StoreError
from webgym.files import write_whole
from webgym.records.base import Record

META_VERSION = 1
META_FILE = "run.json"
CONFIG_FILE = "config.toml"
RunKind = Literal["rollout", "eval", "try", "train"]

_MUST_MATCH = ("name", "kind", "seed", "config")


class RunMeta(Record, frozen=True):
    """Metadata of a run, written once when it is created."""

    name: str
    created: float
    """Unix time in seconds."""
    command: str = ""
    """The command line as typed."""
    config: str = ""
    """The complete configuration, as TOML."""
    seed: int = 0
    versions: dict[str, str] = {}
    """Versions of WebGym, Python and other relevant software, by name."""
    kind: RunKind = "rollout"
    version: int = META_VERSION


_BEGUN = "begun"
"""Key beside those of `RunMeta`: whether the database was created, so that it was lost if it is not there."""


class _CreationMark(Record, frozen=True):
    begun: bool = False


def load_meta(folder: Path) -> RunMeta:
    """Load the metadata of the run in this folder.

    Raises:
        StoreError: There is no run, or this version cannot read it.
    """
    path = folder / META_FILE
    try:
        data = path.read_bytes()
    except (FileNotFoundError, NotADirectoryError):
        raise StoreError(f"there is no run in {folder}: {META_FILE} is missing") from None
    except OSError as error:
        raise StoreError(f"{path} cannot be read: {error}") from error
    try:
        meta = msgspec.json.decode(data, type=RunMeta)
    except msgspec.MsgspecError as error:
        raise StoreError(f"{path} is damaged: {error}") from error
    if meta.version > META_VERSION:
        raise StoreError(
            f"{folder} was written by a newer WebGym (run version {meta.version}, this WebGym reads {META_VERSION})"
        )
    return meta


def save_meta(folder: Path, meta: RunMeta, *, begun: bool = False) -> None:
    """Write the metadata atomically, and the config also to a file of its own for people to read.

    `begun`: note that the database of the run exists.
    """
    told = msgspec.json.format(msgspec.json.encode(_with_defaults(meta) | {_BEGUN: begun}), indent=2)
    write_whole(folder / META_FILE, told, durable=True)
    if meta.config:
        write_whole(folder / CONFIG_FILE, meta.config, durable=True)


def has_begun(folder: Path) -> bool:
    """Return whether a run whose metadata can be loaded has, or had, a database."""
    return msgspec.json.decode((folder / META_FILE).read_bytes(), type=_CreationMark).begun


def check_same_run(found: RunMeta, given: RunMeta) -> None:
    """Check that a run is resumed with the settings it was started with.

    Raises:
        StoreError: Name, kind, seed or config differs.
    """
    for name in _MUST_MATCH:
        if getattr(found, name) != getattr(given, name):
            raise StoreError(
                f"run {found.name!r} was started with a different {name}; "
                "resume it with the original one, or choose a new name"
            )


def _with_defaults(meta: RunMeta) -> dict[str, object]:
    return {name: getattr(meta, name) for name in meta.__struct_fields__}
