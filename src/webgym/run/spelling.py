"""Other spellings of settings: short forms, and names of earlier versions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

Settings = dict[str, Any]


def respelled(settings: Settings) -> Settings:
    """Return nested settings with every key as it is called now; the settings are changed in place."""
    for spell in _SPELLINGS:
        spell(settings)
    evaluate = settings.get("evaluate")
    if isinstance(evaluate, dict):
        respelled(cast("Settings", evaluate))
    return settings


def _short_environment(settings: Settings) -> None:
    if isinstance(use := settings.get("env"), str):
        settings["env"] = {"use": use}


def _weather(settings: Settings) -> None:
    """Faults were called the weather."""
    if isinstance(settings.get("weather"), dict):
        settings["faults"] = settings.pop("weather") | settings.get("faults", {})


_SPELLINGS: tuple[Callable[[Settings], None], ...] = (_short_environment, _weather)
