"""Study files: a base configuration, seeds, and arms with the settings that differ."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

from pydantic import Field, ValidationError

from webgym.errors import ConfigError
from webgym.run.config import RunSettings
from webgym.run.dotted import flat
from webgym.run.load import Override, parsed
from webgym.run.problems import problems_of
from webgym.run.shipped_configs import find_config

Seed = Annotated[int, Field(ge=0)]
Settings = dict[str, Any] | tuple[str, ...]
"""A table, or overrides as on the command line: `["iterations=20", "train.lr=1e-5"]`."""

OWN = {"seed": "seeds = [0, 1, 2]", "name": "the names of arms", "store.root": "--folder"}
"""Settings that the study sets for each run, and how to specify them instead."""

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")


class StudyFile(RunSettings):
    """The contents of a study file."""

    base: str
    """Base training configuration: a file, also relative to this one, or the name of one that ships with WebGym."""
    seeds: Annotated[tuple[Seed, ...], Field(min_length=1)] = (0, 1, 2)
    settings: Settings = {}
    """Settings common to all arms."""
    arms: Annotated[dict[str, Settings], Field(min_length=1)]
    """Settings of each arm by name; the other arms are compared with the first."""


@dataclass(frozen=True, slots=True)
class ArmDesign:
    """An arm: a configuration to train with every seed."""

    name: str
    settings: tuple[Override, ...]
    """Overrides common to all arms, then its own."""


@dataclass(frozen=True, slots=True)
class Design:
    """A study to run."""

    name: str
    base: Path
    arms: tuple[ArmDesign, ...]
    seeds: tuple[int, ...]


def load_design(path: Path, overrides: Sequence[str] = (), seeds: Sequence[int] = ()) -> Design:
    """Load a study file.

    Args:
        path: The file, or the name of one that ships with the package.
        overrides: Additional settings common to all arms, as on the command line.
        seeds: Replace the seeds in the file.

    Raises:
        ConfigError: The file cannot be read, or the study cannot be run; the message says what to change.
    """
    path = find_config(path)
    told = _read(path)
    chosen = tuple(seeds) or told.seeds
    if min(chosen) < 0:
        raise ConfigError(f"a seed must be 0 or more, not {min(chosen)}")
    if len(set(chosen)) < len(chosen):
        raise ConfigError(f"a seed is given twice: {', '.join(map(str, chosen))}")
    common, more = _overrides(told.settings), tuple(overrides)
    _check_not_own("settings common to all arms", (*common, *more))
    arms = tuple(_arm(name, settings, common, more) for name, settings in told.arms.items())
    beside = path.parent / told.base
    return Design(path.stem, beside if beside.is_file() else find_config(Path(told.base)), arms, chosen)


def _read(path: Path) -> StudyFile:
    try:
        data = tomllib.loads(path.read_text("utf-8"))
    except OSError as error:
        raise ConfigError(f"{path} cannot be read: {error.strerror}") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path} is not TOML: {error}") from error
    if "arms" not in data:
        raise ConfigError(f"{path} is not a study: it has no [arms.NAME]; docs/studies.md shows what one looks like")
    try:
        return StudyFile.model_validate(data)
    except ValidationError as error:
        problems = problems_of(error, StudyFile)
        raise ConfigError(f"{path} cannot be used:\n  " + "\n  ".join(problems)) from None


def _arm(name: str, settings: Settings, common: tuple[Override, ...], more: tuple[str, ...]) -> ArmDesign:
    if not _NAME.fullmatch(name):
        raise ConfigError(f"arm {name!r}: it names folders, so use only letters, digits, dots, dashes and underscores")
    own = _overrides(settings)
    _check_not_own(f"arm {name}", own)
    typed = _named(more)
    for mine in _named(own):
        for path in typed:
            if path == mine or path.startswith(f"{mine}.") or mine.startswith(f"{path}."):
                raise ConfigError(f"arm {name} sets {mine} itself: change the study's file instead of adding {path}")
    return ArmDesign(name, (*common, *more, *own))


def _overrides(settings: Settings) -> tuple[Override, ...]:
    return (settings,) if isinstance(settings, dict) else settings


def _named(overrides: Sequence[Override]) -> list[str]:
    """Return the dotted names of all settings, such as `train.lr`."""
    return [path for override in overrides for path in flat(parsed(override))]


def _check_not_own(where: str, overrides: Sequence[Override]) -> None:
    for path in _named(overrides):
        if path in OWN:
            raise ConfigError(f"{where}: a study sets {path} for each run; use {OWN[path]} instead")
