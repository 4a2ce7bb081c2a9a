"""Load configurations from TOML files and dotted overrides, and write them as TOML."""

from __future__ import annotations

import copy
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, TypeVar, cast

import tomli_w
from pydantic import ValidationError

from webgym.errors import ConfigError
from webgym.run.config import RunConfig
from webgym.run.problems import problems_of
from webgym.run.settings_of_weights import for_kind, notes_on, settings_of
from webgym.run.shipped_configs import find_config
from webgym.run.shipped_policies import shipped_policy
from webgym.run.spelling import respelled

C = TypeVar("C", bound=RunConfig)
Override = str | Mapping[str, Any]
"""As on the command line, `tasks.count=50`, or as a mapping, `{"tasks": {"count": 50}}`."""


@dataclass(frozen=True, slots=True)
class ConfigFile(Generic[C]):
    """A configuration, and what its user should be told about it."""

    config: C
    notes: tuple[str, ...] = ()


def load_config(
    path: Path | None = None, overrides: Iterable[Override] = (), base: Mapping[str, Any] | None = None
) -> RunConfig:
    """Load a configuration: defaults, then a file (or a shipped one by name), then overrides such as `tasks.count=50`.

    Raises:
        ConfigError: A file, key or value is invalid; the message names it.
    """
    return load_config_as(RunConfig, path, overrides, base)


def load_config_as(
    kind: type[C], path: Path | None = None, overrides: Iterable[Override] = (), base: Mapping[str, Any] | None = None
) -> C:
    """Load a configuration as `load_config` does, of another kind of run."""
    return load_with_notes(kind, path, overrides, base).config


def load_with_notes(
    kind: type[C], path: Path | None = None, overrides: Iterable[Override] = (), base: Mapping[str, Any] | None = None
) -> ConfigFile[C]:
    """Load a configuration as `load_config_as` does, with what to tell about its weights."""
    chosen: dict[str, Any] = {}
    if path is not None:
        _merge(chosen, respelled(_read(find_config(path))))
    for override in overrides:
        _merge(chosen, parsed(override))
    data: dict[str, Any] = {}
    _merge(data, respelled(copy.deepcopy(dict(base or {}))))
    trains = "evaluate" in kind.model_fields
    if shipped := shipped_policy(_model_of(chosen)) or shipped_policy(_model_of(data)):
        _merge(data, for_kind(shipped.settings, trains=trains))
    weights = settings_of(chosen, trains=trains)
    _merge(data, weights.settings if weights else {})
    _merge(data, chosen)
    config = _checked(kind, data)
    shown = weights is not None and config.agent.use == "vlm" and config.agent.policy in ("auto", "engine")
    return ConfigFile(config, tuple(notes_on(weights, chosen, config)) if weights and shown else ())


def config_from(text: str) -> RunConfig:
    """Parse a configuration that `to_toml` wrote."""
    return config_from_as(RunConfig, text)


def config_from_as(kind: type[C], text: str, overrides: Iterable[Override] = ()) -> C:
    """Parse a configuration of another kind of run that `to_toml` wrote, and apply overrides."""
    data = respelled(tomllib.loads(text))
    for override in overrides:
        _merge(data, parsed(override))
    return _checked(kind, data)


def sections_from(text: str, *names: str) -> RunConfig:
    """Parse only these sections of a stored configuration, of any kind of run; all others get their defaults."""
    stored = respelled(tomllib.loads(text))
    return _checked(RunConfig, {name: stored[name] for name in names if name in stored})


def to_toml(config: RunConfig) -> str:
    """Write a configuration in full, with defaults and recipes, so that later changes to these do not affect it."""
    return tomli_w.dumps(config.spelled_out().model_dump(mode="json", exclude_none=True))


def _model_of(settings: Mapping[str, Any]) -> str:
    """Return the policy that settings name, if any."""
    policy: Any = settings.get("policy")
    return str(cast("dict[str, Any]", policy).get("model", "")) if isinstance(policy, dict) else ""


def _checked(kind: type[C], data: Mapping[str, Any]) -> C:
    try:
        return kind.model_validate(data)
    except ValidationError as error:
        problems = problems_of(error, kind, more=f"`webgym {kind.COMMAND} --print-config` shows all")
        raise ConfigError("invalid configuration:\n  " + "\n  ".join(problems)) from None


def _read(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise ConfigError(f"{path} cannot be read: {error.strerror}") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path} is not TOML: {error}") from error


def parsed(override: Override) -> Mapping[str, Any]:
    """Return the settings of an override as a nested mapping.

    Raises:
        ConfigError: It cannot be parsed.
    """
    return respelled(_parsed(override) if isinstance(override, str) else copy.deepcopy(dict(override)))


def _parsed(override: str) -> dict[str, Any]:
    key, equals, value = override.partition("=")
    if not equals or not key.strip():
        raise ConfigError(f"an override looks like tasks.count=50, not {override!r}")
    try:
        return tomllib.loads(f"{key} = {value}")
    except tomllib.TOMLDecodeError:
        pass
    try:
        return tomllib.loads(f"{key} = {_quoted(value.strip())}")
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(f"an override looks like tasks.count=50, not {override!r}: {error}") from error


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def _merge(into: dict[str, Any], more: Mapping[str, Any]) -> None:
    for key, value in more.items():
        if isinstance(value, Mapping):
            inner = into.setdefault(key, {})
            if isinstance(inner, dict):
                _merge(cast("dict[str, Any]", inner), cast("Mapping[str, Any]", value))
                continue
        into[key] = value
