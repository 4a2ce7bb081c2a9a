"""Where the browser is. Looked for on the PATH and where Playwright keeps its own; nothing is imported or started."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

from webgym.errors import ConfigError

VARIABLE = "WEBGYM_CHROMIUM"
NAMES = (
    "chromium-headless-shell",  # half the processor time of the others for the same pages
    "chrome-headless-shell",
    "chromium",
    "chromium-browser",
    "google-chrome-stable",
    "google-chrome",
)
PLAYWRIGHTS_OWN = (
    "chromium_headless_shell-*/*/headless_shell",
    "chromium_headless_shell-*/*/chrome-headless-shell",
    "chromium-*/*/chrome",
)

_HELP = (
    "Run `webgym setup` to install one, or name one with `executable` in the configuration "
    f"or the environment variable {VARIABLE}."
)


def find_executable(configured: str = "") -> str:
    """The browser to start: as configured, from the environment, from the PATH, or Playwright's own.

    Raises:
        ConfigError: There is none, or what was named is no program.
    """
    for named, source in ((configured, "the configuration"), (os.environ.get(VARIABLE, ""), VARIABLE)):
        if named:
            return _checked(named, source)
    found = next((path for name in NAMES if (path := shutil.which(name))), None) or _playwrights_own()
    if found is None:
        raise ConfigError(f"no Chromium was found on the PATH ({', '.join(NAMES)}). {_HELP}")
    return found


def _checked(named: str, source: str) -> str:
    path = shutil.which(named)
    if path is None:
        raise ConfigError(f"{source} names the browser {named!r}, which is not a program. {_HELP}")
    return path


def _playwrights_own() -> str | None:
    """The newest browser that `playwright install` has put where it puts them."""
    folder = Path(os.environ.get("PLAYWRIGHT_BROWSERS_PATH") or Path.home() / ".cache" / "ms-playwright")
    for pattern in PLAYWRIGHTS_OWN:
        found = sorted(folder.glob(pattern), key=lambda path: path.stat().st_mtime)
        if found:
            return str(found[-1])
    return None
