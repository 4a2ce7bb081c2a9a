"""Finds the Chromium executables of the baselines."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Literal

from webgym.browser.server.chromium.executable import find_executable
from webgym.errors import ConfigError

BaselineBrowser = Literal["auto", "full", "shell"]
"""`auto`: a full Chromium if there is one."""

FULL = ("chromium", "chromium-browser", "google-chrome-stable", "google-chrome")


def published_executable(chosen: BaselineBrowser) -> str:
    """Return the Chromium for the published sequence.

    Raises:
        ConfigError: A full Chromium was chosen, and there is none.
    """
    full = next((path for name in FULL if (path := shutil.which(name))), "")
    if chosen == "full" and not full:
        raise ConfigError("there is no full Chromium on the PATH; on Debian: apt-get install chromium")
    return full if full and chosen != "shell" else headless_shell()


def is_full(executable: str) -> bool:
    """Return whether this is a full Chromium, as the published system uses, and not the cheaper headless shell."""
    return Path(executable).name in FULL


def headless_shell() -> str:
    """Return the headless shell that our sessions use."""
    return find_executable()
