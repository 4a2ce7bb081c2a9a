"""Which Chromium the baselines run."""

from __future__ import annotations

import shutil

from webgym.browser.server.chromium.executable import find_executable

FULL = ("chromium", "chromium-browser", "google-chrome-stable", "google-chrome")


def published_executable() -> str:
    """The published system runs full Chromium; where there is none it gets the headless shell, which costs it less."""
    return next((path for name in FULL if (path := shutil.which(name))), "") or headless_shell()


def headless_shell() -> str:
    """What our sessions share."""
    return find_executable()
