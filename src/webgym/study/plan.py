"""Plan the runs of a study: check every configuration before any run starts, and find what is already done."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from webgym.curves.file import read
from webgym.errors import ConfigError, StoreError
from webgym.run.choose import may_change
from webgym.run.dotted import flat
from webgym.run.folders import Folders
from webgym.run.load import config_from_as, load_config_as, to_toml
from webgym.run.train_config import TrainConfig
from webgym.store.meta import META_FILE, load_meta
from webgym.study.design import ArmDesign, Design
from webgym.study.typed import typed

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
    """Arguments of `webgym train` that start or resume the run."""

    @property
    def name(self) -> str:
        return self.folder.name

    @property
    def log(self) -> Path:
        return self.folder.with_name(f"{self.folder.name}.log")


def runs_of(design: Design, folder: Path) -> tuple[StudyRun, ...]:
    """Return the runs ordered by seed, then arm, so that a study stopped early has as many runs of every arm.

    Raises:
        ConfigError: A configuration is invalid, two arms are equal, or an existing run has other settings.
    """
    configs = {(arm.name, seed): _config(design, arm, seed, folder) for seed in design.seeds for arm in design.arms}
    _check_different(design, configs)
    return tuple(
        _run(design, arm, seed, folder, configs[arm.name, seed]) for seed in design.seeds for arm in design.arms
    )


def is_done(folder: Path, config: TrainConfig) -> bool:
    """Return whether a run has finished all iterations and, unless deferred, its last evaluation."""
    try:
        curve = read(Folders(folder).curve)
    except StoreError:  # reported when the run is resumed
        return False
    over = [one for one in curve if one.iteration >= config.iterations]
    return any(config.evaluate.later or one.evaluation for one in over)


def _config(design: Design, arm: ArmDesign, seed: int, folder: Path) -> TrainConfig:
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


def _run(design: Design, arm: ArmDesign, seed: int, folder: Path, config: TrainConfig) -> StudyRun:
    own = folder / f"{arm.name}-{seed}"
    if not (own / META_FILE).is_file():
        if own.exists() and any(own.iterdir()):
            raise ConfigError(f"{own} exists but contains no run: remove it, or choose another --folder")
        settings = ({"seed": seed, "name": own.name, "store": {"root": str(folder)}}, *arm.settings)
        return StudyRun(arm.name, seed, own, config, "new", ("--config", str(design.base), *typed(settings)))
    changes = _changes(own, config)
    standing = "done" if is_done(own, config) else "begun"
    return StudyRun(arm.name, seed, own, config, standing, ("--resume", str(own), *typed([changes])))


def _changes(folder: Path, config: TrainConfig) -> dict[str, Any]:
    """Return the settings that differ from those the run was started with, if a resume may change them.

    Raises:
        ConfigError: A setting differs that must not change.
    """
    stored = config_from_as(TrainConfig, load_meta(folder).config)
    before, now = (flat(tomllib.loads(to_toml(one))) for one in (stored, config))
    different = [path for path in sorted(before.keys() | now.keys()) if before.get(path) != now.get(path)]
    # The run's folder may have been moved or renamed.
    different = [path for path in different if path not in ("name", "store.root")]
    fixed = [path for path in different if path not in now or not may_change("train", path)]
    if fixed:
        told = ", ".join(f"{path} was {before.get(path, _UNSET)!r} and is {now.get(path, _UNSET)!r}" for path in fixed)
        raise ConfigError(f"{folder} was started with other settings: {told}; choose another --folder, or restore them")
    return {path: now[path] for path in different}
