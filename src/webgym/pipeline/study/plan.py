"""The runs of a study: each with its configuration, checked before any begins, and how far it has come."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from webgym.curves.file import read
from webgym.errors import ConfigError, StoreError
from webgym.pipeline.runs.choose import may_change
from webgym.pipeline.runs.load import config_from_as, flat, load_config_as, to_toml
from webgym.pipeline.study.design import Arm, Design
from webgym.pipeline.study.typed import typed
from webgym.pipeline.train.config import TrainConfig
from webgym.pipeline.train.folders import Folders
from webgym.store.meta import META_FILE, load_meta

_UNSET = "not set"

Standing = Literal["new", "begun", "done"]


@dataclass(frozen=True, slots=True)
class StudyRun:
    """One run of a study."""

    arm: str
    seed: int
    folder: Path
    config: TrainConfig
    standing: Standing
    arguments: tuple[str, ...]
    """Of `webgym train`: to begin with it, or to go on."""

    @property
    def name(self) -> str:
        return self.folder.name

    @property
    def log(self) -> Path:
        return self.folder.with_name(f"{self.folder.name}.log")


def runs_of(design: Design, folder: Path) -> tuple[StudyRun, ...]:
    """Seed by seed, and all arms with each: a study that is ended early has as many runs of every arm.

    Raises:
        ConfigError: A configuration cannot be used, two arms are the same, or a run that is there has other settings.
    """
    configs = {(arm.name, seed): _config(design, arm, seed, folder) for seed in design.seeds for arm in design.arms}
    _check_different(design, configs)
    return tuple(
        _run(design, arm, seed, folder, configs[arm.name, seed]) for seed in design.seeds for arm in design.arms
    )


def is_done(folder: Path, config: TrainConfig) -> bool:
    """Whether a run made all of its iterations and was evaluated after the last, unless that is for later."""
    try:
        curve = read(Folders(folder).curve)
    except StoreError:  # the run says so when it goes on
        return False
    over = [one for one in curve if one.iteration >= config.iterations]
    return any(config.evaluate.later or one.evaluation for one in over)


def _config(design: Design, arm: Arm, seed: int, folder: Path) -> TrainConfig:
    own: dict[str, Any] = {"seed": seed, "name": f"{arm.name}-{seed}", "store": {"root": str(folder)}}
    try:
        return load_config_as(TrainConfig, design.base, (*arm.settings, own))
    except ConfigError as error:
        raise ConfigError(f"arm {arm.name}: {error}") from None


def _check_different(design: Design, configs: Mapping[tuple[str, int], TrainConfig]) -> None:
    seen: dict[str, str] = {}
    for arm in design.arms:
        same = to_toml(configs[arm.name, design.seeds[0]].model_copy(update={"name": ""}))
        if same in seen:
            raise ConfigError(f"arms {seen[same]} and {arm.name} have the same settings: there is nothing to compare")
        seen[same] = arm.name


def _run(design: Design, arm: Arm, seed: int, folder: Path, config: TrainConfig) -> StudyRun:
    own = folder / f"{arm.name}-{seed}"
    if not (own / META_FILE).is_file():
        if own.exists() and any(own.iterdir()):
            raise ConfigError(f"{own} is there and holds no run: remove it, or choose another --folder")
        settings = ({"seed": seed, "name": own.name, "store": {"root": str(folder)}}, *arm.settings)
        return StudyRun(arm.name, seed, own, config, "new", ("--config", str(design.base), *typed(settings)))
    changes = _changes(own, config)
    standing = "done" if is_done(own, config) else "begun"
    return StudyRun(arm.name, seed, own, config, standing, ("--resume", str(own), *typed([changes])))


def _changes(folder: Path, config: TrainConfig) -> dict[str, Any]:
    """What may be different from when the run began, and is.

    Raises:
        ConfigError: Something else is.
    """
    stored = config_from_as(TrainConfig, load_meta(folder).config)
    before, now = (flat(tomllib.loads(to_toml(one))) for one in (stored, config))
    different = [path for path in sorted(before.keys() | now.keys()) if before.get(path) != now.get(path)]
    # Where it lies is another thing than what it is: its folder may have been moved, or named otherwise.
    different = [path for path in different if path not in ("name", "store.root")]
    fixed = [path for path in different if path not in now or not may_change("train", path)]
    if fixed:
        told = ", ".join(f"{path} was {before.get(path, _UNSET)!r} and is {now.get(path, _UNSET)!r}" for path in fixed)
        raise ConfigError(
            f"{folder} was begun with other settings: {told}; choose another --folder, or go back to them"
        )
    return {path: now[path] for path in different}
