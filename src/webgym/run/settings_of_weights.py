"""Settings that go with weights, applied when `policy.model` names their folder."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from pydantic import ValidationError

from webgym.agent.dialects.registry import NAMES
from webgym.agent.prompts.files import VERSIONS
from webgym.agent.settings import AgentSettings
from webgym.errors import ConfigError, StoreError
from webgym.run.config import RunConfig
from webgym.run.dotted import flat
from webgym.run.known_weights import sign_of
from webgym.run.models import folder_here
from webgym.run.problems import problems_of
from webgym.store.meta import load_meta
from webgym.store.weights_manner import MANNER_FILE, load_manner

_WEIGHTS = "policies"
_LIMITS = ("easy", "medium", "hard", "tokens", "seconds", "malformed", "repeats", "wall_seconds")
_TAKEN: Mapping[str, tuple[str, ...]] = {
    "agent": ("use", *AgentSettings.model_fields),
    "browser": ("width", "height"),
    "policy": ("max_tokens", "length"),
    "limits": _LIMITS,
}
"""Settings that belong to weights: what they see and say, and how long. Not those of sampling and hardware."""
_SEEN = ("agent.dialect", "agent.prompt", "browser.width", "browser.height")
"""Settings without which a policy does not understand what it sees, or is not understood."""
_HARMLESS = ("agent.use", "agent.settle_seconds", "agent.quality")


@dataclass(frozen=True, slots=True)
class OfWeights:
    """The settings of weights, and where they are from."""

    folder: Path
    settings: Mapping[str, Any]
    source: str
    """How they are known, for people; empty if nothing is known."""
    guessed: bool = False
    """Whether the weights do not say so themselves."""
    is_own: bool = True
    """Whether the configuration names a folder: models of the hub without settings were not trained here."""


def settings_of(config: Mapping[str, Any], *, trains: bool) -> OfWeights | None:
    """Return the settings of the weights that a configuration names; None if it names no folder.

    A folder says so itself, or lies in its training run, or is known by its files. Training runs take over both the
    training and the evaluation limits; other runs get the evaluation limits.

    Raises:
        ConfigError: The settings of the weights name code or files of their own, which have to be given explicitly.
        ModelError: What the folder says cannot be read.
    """
    folder = _folder(config)
    if folder is None:
        return None
    run = _settings_of_run(folder)
    carried = load_manner(folder)
    if carried is not None:
        found, path = _only_known(carried.settings), folder / MANNER_FILE
        _check_values(found, path)
        _check_owned(found, run or {}, config, path)
        return OfWeights(folder, for_kind(found, trains=trains), f"according to {path}")
    if run is not None:
        return OfWeights(folder, for_kind(run, trains=trains), f"according to the run {folder.parent.parent}")
    sign = sign_of(folder)
    if sign is not None:
        return OfWeights(folder, for_kind(sign.settings, trains=trains), f"because {sign.what}", guessed=True)
    return OfWeights(folder, {}, "", guessed=True, is_own=Path(str(config["policy"]["model"])).expanduser() == folder)


def settings_for_weights(trained: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """Return those settings of a training run that belong to its weights."""
    return _only_known(trained)


def notes_on(found: OfWeights, given: Mapping[str, Any], config: RunConfig) -> Iterator[str]:
    """Yield what to tell about the settings of weights: those that are guessed, and explicit ones that contradict."""
    told, wanted = flat(given), flat(found.settings)
    if found.guessed and (found.source or found.is_own) and not all(one in told for one in _SEEN):
        agent, view = config.agent, f"{config.browser.width}x{config.browser.height}"
        why = f", {found.source}" if found.source else ""
        yield (
            f"{found.folder} has no {MANNER_FILE} that says what its weights were trained to see and say: using the "
            f"dialect {agent.dialect}, the prompt {agent.prompt} and a viewport of {view}{why}; to use others, set "
            f"{', '.join(_SEEN)}"
        )
    contrary = {
        name: value
        for name, value in wanted.items()
        if name.startswith(("agent.", "browser.")) and name not in _HARMLESS and told.get(name, value) != value
    }
    if contrary:
        trained = ", ".join(f"{name}={value}" for name, value in contrary.items())
        here = ", ".join(f"{name}={told[name]}" for name in contrary)
        yield f"the weights in {found.folder} go with {trained}, {found.source}; this run sets {here}"


def _folder(config: Mapping[str, Any]) -> Path | None:
    policy: Any = config.get("policy")
    model: Any = cast("dict[str, Any]", policy).get("model") if isinstance(policy, dict) else None
    return folder_here(model) if isinstance(model, str) and model else None


def _settings_of_run(folder: Path) -> dict[str, dict[str, Any]] | None:
    """Return the settings of the training run that weights lie in; None if they lie in none."""
    if folder.parent.name != _WEIGHTS:
        return None
    try:
        meta = load_meta(folder.parent.parent)
    except StoreError:
        return None
    return _only_known(tomllib.loads(meta.config)) if meta.kind == "train" else None


def _only_known(settings: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """Return the settings that belong to weights, whatever else there is: a file may come from anywhere."""
    found = {section: _picked(settings.get(section), names) for section, names in _TAKEN.items()}
    evaluate: Any = settings.get("evaluate")
    limits = _picked(cast("dict[str, Any]", evaluate).get("limits") if isinstance(evaluate, dict) else None, _LIMITS)
    return {section: own for section, own in found.items() if own} | (
        {"evaluate": {"limits": limits}} if limits else {}
    )


def _picked(section: Any, names: tuple[str, ...]) -> dict[str, Any]:
    given = cast("dict[str, Any]", section) if isinstance(section, dict) else {}
    return {name: given[name] for name in names if name in given}


def for_kind(settings: Mapping[str, Any], *, trains: bool) -> dict[str, Any]:
    """Return these settings for runs that train, or for others, which take the limits of evaluations."""
    if trains:
        return dict(settings)
    limits = settings.get("evaluate", {}).get("limits", {})
    kept = {section: own for section, own in settings.items() if section not in ("limits", "evaluate")}
    return kept | ({"limits": limits} if limits else {})


def _check_values(settings: Mapping[str, Any], path: Path) -> None:
    own = {section: values for section, values in settings.items() if section != "evaluate"}
    try:
        RunConfig.model_validate(own)
    except ValidationError as error:
        raise ConfigError(f"{path}: {'; '.join(problems_of(error, RunConfig))}") from None


def _check_owned(settings: Mapping[str, Any], run: Mapping[str, Any], config: Mapping[str, Any], path: Path) -> None:
    """Refuse to import code, or read prompts, that only a file of foreign weights names."""
    given, trusted = flat(config), flat(run)
    for name, value in flat(settings).items():
        if name not in given and trusted.get(name) != value and _names_code(name, value):
            raise ConfigError(
                f"{path} says that these weights need {name}={value}, which is not part of WebGym: set {name} to use "
                "it, or another one"
            )


def _names_code(name: str, value: Any) -> bool:
    match name:
        case "agent.use":
            return value != "vlm"
        case "agent.dialect":
            return value not in NAMES
        case "agent.prompt":
            return value not in VERSIONS
        case _:
            return False
