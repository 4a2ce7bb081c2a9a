"""Python packages of this project's extras: which are missing, and their installation with pip."""

from __future__ import annotations

import importlib
import importlib.metadata
import re
import subprocess
import sys
from typing import Literal

from webgym.cli.notes import note
from webgym.cli.torch_build import install_cpu_build
from webgym.errors import ConfigError

Extra = Literal["server", "train"]
_DOWNLOADS: dict[Extra, str] = {
    "server": "about 75 MB, most of it Playwright's driver",
    "train": "about 70 MB, and PyTorch",
}


def missing_packages(*extras: Extra) -> tuple[str, ...]:
    """Return the requirements of these extras that are not installed."""
    return tuple(dict.fromkeys(requirement for extra in extras for requirement in _missing(extra)))


def install_packages(*extras: Extra) -> bool:
    """Install the missing packages of these extras; return whether there were any.

    Raises:
        ConfigError: They cannot be installed.
    """
    wanted = missing_packages(*extras)
    if not wanted:
        return False
    if not is_installed("pip"):
        raise ConfigError(f"missing packages: {', '.join(wanted)}; pip is not available, so install them yourself")
    sizes = ", ".join(_DOWNLOADS[extra] for extra in extras if _missing(extra))
    note(f"installing {', '.join(wanted)} with pip ({sizes})")
    for torch in (requirement for requirement in wanted if _name_of(requirement) == "torch"):
        install_cpu_build(torch)
    command = [sys.executable, "-m", "pip", "install", *wanted]
    if subprocess.run(command, check=False).returncode != 0:
        raise ConfigError(f"pip could not install the missing packages (the command was: {' '.join(command)})")
    importlib.invalidate_caches()
    return True


def _missing(extra: Extra) -> list[str]:
    try:
        lines = importlib.metadata.requires("webgym") or []
    except importlib.metadata.PackageNotFoundError:  # run from source: dependencies are up to the developer
        return []
    named = [line.partition(";")[0].strip() for line in lines if re.search(rf"""extra == ['"]{extra}['"]""", line)]
    # An extra may refer to another one of this package, which is listed by itself.
    return [one for one in named if not one.startswith("webgym[") and not is_installed(one)]


def is_installed(requirement: str) -> bool:
    """Return whether any version of a required package is installed."""
    try:
        importlib.metadata.version(_name_of(requirement))
    except importlib.metadata.PackageNotFoundError:
        return False
    return True


def _name_of(requirement: str) -> str:
    return re.split(r"[<>=!~\[ ]", requirement)[0]
