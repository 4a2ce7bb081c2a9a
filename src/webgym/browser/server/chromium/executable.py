"""Locates the browser executable, on the PATH or among Playwright's. Imports and starts nothing."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

from webgym.errors import ConfigError

VARIABLE = "WEBGYM_CHROMIUM"
FULL = ("chromium", "chromium-browser", "google-chrome-stable", "google-chrome")
SHELLS = ("chromium-headless-shell", "chrome-headless-shell")
"""Half the CPU time of a full Chromium for the same pages, but no windows."""
PLAYWRIGHTS_FULL = ("chromium-*/*/chrome",)
PLAYWRIGHTS_SHELLS = (
    "chromium_headless_shell-*/*/headless_shell",
    "chromium_headless_shell-*/*/chrome-headless-shell",
)

_HELP = (
    "Run `webgym setup` to install one, or name one with `executable` in the configuration "
    f"or the environment variable {VARIABLE}."
)
HELP_HEADED = "Run `webgym setup --headed`, or on Debian `apt-get install chromium xvfb`."


def find_executable(configured: str = "", *, headed: bool = False) -> str:
    """Return the browser to launch: as configured, from the environment, from the PATH, or Playwright's own.

    Raises:
        ConfigError: None was found, or the named one is not executable, or cannot run headed.
    """
    for named, source in ((configured, "the configuration"), (os.environ.get(VARIABLE, ""), VARIABLE)):
        if named:
            return _checked(named, source, headed=headed)
    names = FULL if headed else (*SHELLS, *FULL)
    found = next((path for name in names if (path := shutil.which(name))), None) or _playwrights_own(headed=headed)
    if found is None:
        kind, remedy = ("headed Chromium", HELP_HEADED) if headed else ("Chromium", _HELP)
        raise ConfigError(f"no {kind} was found on the PATH ({', '.join(names)}). {remedy}")
    return found


def _checked(named: str, source: str, *, headed: bool) -> str:
    path = shutil.which(named)
    if path is None:
        raise ConfigError(f"{source} names the browser {named!r}, which is not an executable. {_HELP}")
    if headed and "headless" in Path(path).resolve().name:
        raise ConfigError(f"{source} names the browser {named!r}, which only runs headless. {HELP_HEADED}")
    return path


def _playwrights_own(*, headed: bool) -> str | None:
    """Return the newest browser installed by `playwright install`."""
    folder = Path(os.environ.get("PLAYWRIGHT_BROWSERS_PATH") or Path.home() / ".cache" / "ms-playwright")
    for pattern in PLAYWRIGHTS_FULL if headed else (*PLAYWRIGHTS_SHELLS, *PLAYWRIGHTS_FULL):
        found = sorted(folder.glob(pattern), key=lambda path: path.stat().st_mtime)
        if found:
            return str(found[-1])
    return None
