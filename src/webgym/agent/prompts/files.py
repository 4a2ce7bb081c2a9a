"""Reads the files of a prompt version: a folder of this package, or the path of a user's folder."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import lru_cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from string import Template

import msgspec

from webgym.errors import ConfigError
from webgym.records.base import Record

_FOLDERS = {
    "vanilla-1": ("vanilla-1", "shared-1"),
    "complete-1": ("complete-1", "shared-1"),
    "bare-1": ("bare-1", "shared-1"),
    "nano-1": ("nano-1", "shared-1"),
    "vanilla-2": ("shared-2", "vanilla-1", "shared-1"),
    "complete-2": ("shared-2", "complete-1", "shared-1"),
}
"""Where the files of a version are looked for, in this order."""
_NEWEST_SHARED = ("shared-2", "shared-1")
VERSIONS = tuple(_FOLDERS)


class PromptWording(Record, frozen=True, forbid_unknown_fields=True):
    """Templates of what the model is told in the conversation, from `words.toml`. Empty texts are omitted."""

    task: str
    past: str
    past_line: str
    past_left_out: str
    memory: str
    changed: str
    unchanged: str
    failed: str
    malformed: str
    short_changed: str
    short_unchanged: str
    short_failed: str
    short_malformed: str
    short_unknown: str
    unsettled: str
    no_picture: str
    tabs: str
    tab: str
    active_tab: str
    dialog: str
    dialog_answer: str
    dialog_prompt: str
    closed_dialog: str
    download: str
    marks: str
    no_marks: str
    marks_left_out: str
    silent: str
    """Placeholder for an empty turn, which servers reject."""
    effects: dict[str, str]
    """Words for each kind of change in `PageChange`."""
    downloads: dict[str, str]
    """Words for each state of a download."""
    entered: str = ""
    """What is unexpected about the value of a field that something was entered into."""
    pending: str = ""
    """What an unsettled page was waiting for; `unsettled` if this is empty or nothing is known."""


@lru_cache(maxsize=256)
def read(version: str, name: str) -> str:
    """Return the text of a file of this version, or of the folder it shares with others.

    Raises:
        ConfigError: There is no such version or file, or the file is not text.
    """
    for folder in _folders(version):
        file = folder.joinpath(name)
        if file.is_file():
            try:
                return file.read_text(encoding="utf-8").rstrip("\n")
            except UnicodeDecodeError as error:
                raise ConfigError(f"{file} is not UTF-8 text: {error}") from error
    raise ConfigError(f"the prompt version {version!r} has no file {name!r}")


def fill(template: str, values: Mapping[str, object]) -> str:
    """Replace the `$names` of a template. Substituted values are not expanded again.

    Raises:
        ConfigError: The template is invalid or uses an unknown name.
    """
    try:
        return Template(template).substitute(values)
    except (KeyError, ValueError) as error:
        known = ", ".join(sorted(values))
        raise ConfigError(f"a prompt template cannot be filled in ({error!r}); it may name {known}") from None


@lru_cache(maxsize=16)
def words(version: str) -> PromptWording:
    """Return the conversation templates of this version."""
    try:
        table = tomllib.loads(read(version, "words.toml"))
        return msgspec.convert(_trimmed(table), PromptWording)
    except (tomllib.TOMLDecodeError, msgspec.ValidationError) as error:
        raise ConfigError(f"words.toml of the prompt version {version!r}: {error}") from error


@lru_cache(maxsize=32)
def tool_schema(version: str, name: str) -> str:
    """Return a tool's schema as one line of JSON."""
    try:
        return msgspec.json.encode(msgspec.json.decode(read(version, f"{name}.json"))).decode()
    except msgspec.DecodeError as error:
        raise ConfigError(f"{name}.json of the prompt version {version!r}: {error}") from error


def _folders(version: str) -> list[Traversable]:
    here = files("webgym.agent.prompts")
    if version in _FOLDERS:
        return [here.joinpath(folder) for folder in _FOLDERS[version]]
    if "/" in version and Path(version).is_dir():
        return [Path(version), *(here.joinpath(folder) for folder in _NEWEST_SHARED)]
    raise ConfigError(
        f"no prompt version is called {version!r}; there are {', '.join(VERSIONS)}, and paths of folders of your own"
    )


def _trimmed(table: dict[str, object]) -> dict[str, object]:
    """Strip line breaks around texts, which begin on the line after their quotes."""
    return {name: text.strip("\n") if isinstance(text, str) else text for name, text in table.items()}
