"""Packages of Debian and its descendants: installed as root or with a sudo that asks nothing, else told as a line."""

from __future__ import annotations

import os
import platform
import re
import shutil
import subprocess
from collections.abc import Sequence

from webgym.cli.notes import note
from webgym.errors import ConfigError

_INSTALL = ("install", "-y", "--no-install-recommends")


def is_debian() -> bool:
    """Return whether packages come from apt-get here."""
    return shutil.which("apt-get") is not None


def has_chromium() -> bool:
    """Return whether this release has Chromium as a package. Ubuntu has it only as a snap."""
    try:
        release = platform.freedesktop_os_release()
    except OSError:
        return False
    return "ubuntu" not in (release["ID"], *release.get("ID_LIKE", "").split())


def can_install() -> bool:
    """Return whether this process can become root without asking anybody."""
    return _prefix() is not None


def has_sudo() -> bool:
    """Return whether this user may be able to become root at all."""
    return os.geteuid() == 0 or shutil.which("sudo") is not None


def line_to_paste(packages: Sequence[str]) -> str:
    """Return the command line that installs these packages."""
    return f"sudo apt-get update && sudo apt-get {' '.join((*_INSTALL, *packages))}"


def offers(packages: Sequence[str]) -> bool:
    """Return whether apt-get could install all of these packages. Updates its lists first."""
    _apt("update", "-qq")
    return _download_size(packages) is not None


def install(packages: Sequence[str]) -> None:
    """Install these packages, announcing the size of the download.

    Raises:
        ConfigError: It does not work.
    """
    note(f"installing {', '.join(packages)} with apt-get: {_download_size(packages)} to download")
    if _apt(*_INSTALL, "-qq", *packages).returncode != 0:
        raise ConfigError(f"apt-get failed, see above; the command was: {line_to_paste(packages)}")


def _download_size(packages: Sequence[str]) -> str | None:
    """Return how much there is to download, as apt-get says it; None if it cannot install these packages."""
    # With the rights of the installation: without them apt-get cannot even lock the database to make a plan.
    plan = _apt("install", "--assume-no", "--no-install-recommends", *packages, quiet=True)
    size = re.search(r"Need to get (.+?) of archives", plan.stdout)
    return size[1] if size else None


def _apt(*words: str, quiet: bool = False) -> subprocess.CompletedProcess[str]:
    # Through env, because sudo passes on few variables.
    settings = ("env", "LC_ALL=C", "DEBIAN_FRONTEND=noninteractive")
    command = [*(_prefix() or ()), *settings, "apt-get", *words]
    return subprocess.run(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE if quiet else None, text=True, check=False
    )


def _prefix() -> tuple[str, ...] | None:
    if os.geteuid() == 0:
        return ()
    sudo = shutil.which("sudo")
    if sudo and subprocess.run([sudo, "-n", "true"], capture_output=True, check=False).returncode == 0:
        return (sudo, "-n")
    return None
