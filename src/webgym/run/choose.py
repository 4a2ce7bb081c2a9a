"""Resolve what to run: a new run from a configuration, or a run to resume."""

from __future__ import annotations

import platform
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, TypeVar

from webgym.errors import ConfigError
from webgym.run.config import RunConfig
from webgym.run.dotted import flat
from webgym.run.load import Override, config_from_as, load_with_notes, parsed, to_toml
from webgym.store.meta import RunKind, RunMeta, load_meta
from webgym.store.read import locate
from webgym.version import __version__

C = TypeVar("C", bound=RunConfig)

RESUMED: tuple[RunKind, ...] = ("rollout", "eval", "train")
"""Kinds of run that can be resumed; a `try` starts over."""
_OF_THE_MACHINE = (
    "browser.url",
    "browser.authority",
    "browser.sites",
    "browser.sessions",
    "browser.nodes",
    "policy.slots",
    "policy.servers",
    "pool.gates",
    "monitor",
)
"""Settings that affect where and how fast a run executes, but not its attempts: a resume may change them."""
_OF_TRAINING = (
    "iterations",
    "minutes",
    "trainer.processes",
    "trainer.step_seconds",
    "trainer.wait_seconds",
    "train.keep",
    "train.flow.evaluation_sessions",
    "train.flow.evaluation_device",
    "train.flow.evaluation_servers",
    "evaluate.later",
    "curves",
)
"""The same for training, and its length."""


@dataclass(frozen=True, slots=True)
class RunChoice(Generic[C]):
    """A resolved run: configuration and folder."""

    kind: RunKind
    config: C
    folder: Path
    meta: RunMeta | None
    """Metadata of a new run; None on resume."""
    notes: tuple[str, ...] = ()
    """What to tell about the configuration of a new run."""


@dataclass(frozen=True, slots=True)
class RunRequest:
    """A request to run, from the command line or from Python."""

    config: Path | None = None
    """A TOML file, or the name of one that ships with the package."""
    overrides: Sequence[Override] = ()
    resume: Path | None = None
    """Folder of a run to resume, or its name in `runs/`."""
    base: Mapping[str, Any] | None = None
    """Defaults, which the file and overrides replace."""
    command: str = ""
    """The command line, for the metadata."""


def choose(kind: RunKind, configured: type[C], wanted: RunRequest) -> RunChoice[C]:
    """Return the configuration and folder of a new run, or of one to resume.

    Raises:
        ConfigError: The settings are invalid or may not change on resume, the folder is in use, or the run to resume is
            of another kind.
        StoreError: There is no run to resume.
    """
    if wanted.resume is not None:
        return _resumed(kind, configured, wanted, wanted.resume)
    found = load_with_notes(configured, wanted.config, wanted.overrides, wanted.base)
    loaded = found.config
    name = loaded.name or f"{kind}-{time.strftime('%Y%m%d-%H%M%S')}"
    folder = Path(loaded.store.root) / name
    if folder.exists() and any(folder.iterdir()):
        go_on = f"resume it with --resume {folder}, or " if kind in RESUMED else ""
        raise ConfigError(f"{folder} already exists: {go_on}choose another name=")
    return RunChoice(kind, loaded, folder, made_meta(kind, name, loaded, wanted.command), found.notes)


def _resumed(kind: RunKind, configured: type[C], wanted: RunRequest, folder: Path) -> RunChoice[C]:
    given = [path for override in wanted.overrides for path in flat(parsed(override))]
    fixed = [path for path in given if not may_change(kind, path)]
    if wanted.config or fixed:
        leave_out = ["--config"] if wanted.config else []
        raise ConfigError(
            f"cannot be changed when a run is resumed: {', '.join([*leave_out, *fixed])}; "
            f"what can be changed: {', '.join(_changeable(kind))}"
        )
    folder = locate(folder)
    meta = load_meta(folder)
    if meta.kind != kind:
        instead = f": webgym {meta.kind} --resume {folder}" if meta.kind in RESUMED else ""
        raise ConfigError(f"{folder} is a run of `webgym {meta.kind}`, not of `webgym {kind}`{instead}")
    return RunChoice(kind, config_from_as(configured, meta.config, wanted.overrides), folder, None)


def may_change(kind: RunKind, path: str) -> bool:
    """Return whether a resume may change this setting of a run of this kind."""
    return any(path == one or path.startswith(f"{one}.") for one in _changeable(kind))


def _changeable(kind: RunKind) -> tuple[str, ...]:
    return (*_OF_THE_MACHINE, *(_OF_TRAINING if kind == "train" else ()))


def made_meta(kind: RunKind, name: str, config: RunConfig, command: str = "") -> RunMeta:
    """Return the metadata of a run that starts now."""
    return RunMeta(
        name=name,
        created=time.time(),
        command=command,
        config=to_toml(config),
        seed=config.seed,
        versions={"webgym": __version__, "python": platform.python_version()},
        kind=kind,
    )
