"""Finds the Chromium executables of the baselines."""

from __future__ import annotations

import shutil

from webgym.browser.server.chromium.executable import find_executable

FULL = ("chromium", "chromium-browser", "google-chrome-stable", "google-chrome")


def published_executable() -> str:
    """Return full Chromium, as the published system uses, or else the headless shell, which is cheaper to run."""
    return next((path for name in FULL if (path := shutil.which(name))), "") or headless_shell()


def headless_shell() -> str:
    """Return the headless shell that our sessions use."""
    return find_executable()
