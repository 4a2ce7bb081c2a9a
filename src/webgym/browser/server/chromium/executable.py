"""Where the browser is. Playwright is asked last, and only imported then."""

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

_HELP = (
    "Install one (Debian: `apt install chromium-headless-shell`; elsewhere: `playwright install "
    "chromium-headless-shell`), "
    f"or say where it is with `executable` in the configuration or the environment variable {VARIABLE}."
)


def find_executable(configured: str = "") -> str:
    """The browser to start: as configured, from the environment, from the PATH; "" leaves it to Playwright.

    Raises:
        ConfigError: What was named is no program.
    """
    for named, source in ((configured, "the configuration"), (os.environ.get(VARIABLE, ""), VARIABLE)):
        if named:
            return _checked(named, source)
    return next((path for name in NAMES if (path := shutil.which(name))), "")


def missing_browser(playwrights_own: str) -> ConfigError | None:
    """The error to raise if Playwright's own browser, the last resort, is not there either."""
    if Path(playwrights_own).is_file():
        return None
    return ConfigError(f"No Chromium was found: none of {', '.join(NAMES)} is on the PATH. {_HELP}")


def _checked(named: str, source: str) -> str:
    path = shutil.which(named)
    if path is None:
        raise ConfigError(f"{source} names the browser {named!r}, which is not a program. {_HELP}")
    return path
