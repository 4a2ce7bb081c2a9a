"""The settings of the runs of a study: what the arms share, and what sets them apart."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from webgym.curves.study_page import StudySetting
from webgym.errors import StoreError
from webgym.run.dotted import flat
from webgym.store.meta import load_meta
from webgym.study.design import OWN

SHARED = (
    "policy.model",
    "train.recipe",
    "train.mode",
    "iterations",
    "train.source.groups",
    "train.source.members",
    "train.lr",
)
"""Settings worth telling even where all runs have them."""
_NOT_SET = "not set"
_MIXED = "differs between its runs"


@dataclass(frozen=True, slots=True)
class ArmSettings:
    """The settings of all arms."""

    shared: Mapping[str, str]
    """Some of those that all runs have in common."""
    different: tuple[StudySetting, ...]
    """All that are not the same in every run, but for those that a study sets for each run."""
    notes: tuple[str, ...]
    """Why arms may not differ in what they should alone."""


def settings_of(arms: Mapping[str, Sequence[Path]]) -> ArmSettings:
    """Read the settings of all runs. Blocks."""
    notes: list[str] = []
    read = {name: [_read(folder, notes) for folder in folders] for name, folders in arms.items()}
    runs = [one for of_arm in read.values() for one in of_arm]
    names = dict.fromkeys(name for run in runs for name in run if name not in OWN)
    values = {name: tuple(_value(name, of_arm) for of_arm in read.values()) for name in names}
    different = tuple(StudySetting(name, told) for name, told in values.items() if len(set(told)) > 1 or _MIXED in told)
    mixed = [one.name for one in different if _MIXED in one.values]
    if mixed:
        notes.append(f"runs of the same arm differ in more than their seed: {', '.join(mixed)}")
    shared = {
        name: values[name][0] for name in SHARED if name in values and name not in {one.name for one in different}
    }
    return ArmSettings(shared, different, tuple(notes))


def _value(name: str, runs: Sequence[Mapping[str, str]]) -> str:
    told = {run.get(name, _NOT_SET) for run in runs if run}
    return told.pop() if len(told) == 1 else _MIXED if told else _NOT_SET


def _read(folder: Path, notes: list[str]) -> dict[str, str]:
    """Return the flat settings of a run; none if they cannot be read, which only leaves them untold."""
    try:
        stored: Mapping[str, Any] = tomllib.loads(load_meta(folder).config)
    except (StoreError, tomllib.TOMLDecodeError):
        stored = {}
    if not stored:
        notes.append(f"the settings of {folder} cannot be read")
    return {name: _written(value) for name, value in flat(stored).items()}


def _written(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
