"""Which Chromium the baselines run."""

from __future__ import annotations

import os
import shutil

from webgym.errors import ConfigError

FULL = ("chromium", "chromium-browser", "google-chrome-stable", "google-chrome")
HEADLESS_SHELL = ("chromium-headless-shell", "chrome-headless-shell", "headless_shell")


def published_executable() -> str:
    """The published system runs full Chromium; where there is none it gets the headless shell, which costs it less."""
    return _first(FULL) or headless_shell()


def headless_shell() -> str:
    """What sessions share by default."""
    found = os.environ.get("WEBGYM_CHROMIUM") or _first(HEADLESS_SHELL) or _first(FULL)
    if not found:
        raise ConfigError("no Chromium found: install chromium-headless-shell, or set WEBGYM_CHROMIUM")
    return found


def _first(names: tuple[str, ...]) -> str:
    return next((path for name in names if (path := shutil.which(name))), "")
