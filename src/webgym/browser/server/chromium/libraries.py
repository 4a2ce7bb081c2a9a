"""The shared libraries that a program lacks on this machine, and the Debian packages that contain them."""

from __future__ import annotations

import os
import platform
import re
import shutil
import subprocess
from collections.abc import Iterable, Sequence
from pathlib import Path

_PACKAGES = {
    "libX11-xcb.so.1": "libx11-xcb1",
    "libX11.so.6": "libx11-6",
    "libXcomposite.so.1": "libxcomposite1",
    "libXdamage.so.1": "libxdamage1",
    "libXext.so.6": "libxext6",
    "libXfixes.so.3": "libxfixes3",
    "libXi.so.6": "libxi6",
    "libXrandr.so.2": "libxrandr2",
    "libXrender.so.1": "libxrender1",
    "libasound.so.2": "libasound2",
    "libatk-1.0.so.0": "libatk1.0-0",
    "libatk-bridge-2.0.so.0": "libatk-bridge2.0-0",
    "libatomic.so.1": "libatomic1",
    "libatspi.so.0": "libatspi2.0-0",
    "libcairo.so.2": "libcairo2",
    "libcups.so.2": "libcups2",
    "libdbus-1.so.3": "libdbus-1-3",
    "libdrm.so.2": "libdrm2",
    "libexpat.so.1": "libexpat1",
    "libfontconfig.so.1": "libfontconfig1",
    "libfreetype.so.6": "libfreetype6",
    "libgbm.so.1": "libgbm1",
    "libgio-2.0.so.0": "libglib2.0-0",
    "libglib-2.0.so.0": "libglib2.0-0",
    "libgobject-2.0.so.0": "libglib2.0-0",
    "libnspr4.so": "libnspr4",
    "libnss3.so": "libnss3",
    "libnssutil3.so": "libnss3",
    "libpango-1.0.so.0": "libpango-1.0-0",
    "libsmime3.so": "libnss3",
    "libudev.so.1": "libudev1",
    "libxcb.so.1": "libxcb1",
    "libxkbcommon.so.0": "libxkbcommon0",
}
"""What the driver and the usual builds of Chromium are linked with."""
_RENAMED = ("libasound2", "libatk-bridge2.0-0", "libatk1.0-0", "libatspi2.0-0", "libcups2", "libglib2.0-0")
"""Packages whose names end in t64 since times have 64 bits on every architecture."""
_RENAMED_SINCE = {"debian": 13.0, "ubuntu": 24.04}
_LDD_SECONDS = 30.0
_WRAPPED = re.compile(r'^\s*(?:exec\s+)?(/\S+)\s.*"\$@"', re.MULTILINE)
"""The program that a wrapper script runs, such as Debian's chromium-headless-shell."""


def missing_libraries(program: str) -> tuple[str, ...]:
    """Return the names of the shared libraries that this program lacks; none if the loader cannot tell."""
    ldd = shutil.which("ldd")
    if ldd is None:
        return ()
    command = [ldd, _program_of(Path(program))]
    environment = {**os.environ, "LC_ALL": "C"}
    listed = subprocess.run(  # noqa: S603 - asks about a program that is about to be started
        command, capture_output=True, text=True, env=environment, timeout=_LDD_SECONDS, check=False
    )
    return tuple(dict.fromkeys(re.findall(r"^\s*(\S+) => not found", listed.stdout, re.MULTILINE)))


def packages_with(libraries: Iterable[str] = _PACKAGES) -> tuple[str, ...]:
    """Return the packages of this Debian or Ubuntu that contain these libraries; by default, all that are known."""
    known = dict.fromkeys(_PACKAGES[name] for name in libraries if name in _PACKAGES)
    suffix = "t64" if _are_renamed() else ""
    return tuple(name + suffix if name in _RENAMED else name for name in known)


def told_missing(program: str, libraries: Sequence[str]) -> str:
    """Return a sentence about the libraries that a program lacks, with the packages that contain them."""
    packages = packages_with(libraries)
    remedy = f"Debian and Ubuntu: apt-get install {' '.join(packages)}" if packages else "no package is known"
    return f"{program} cannot start, because this machine lacks {', '.join(libraries)} ({remedy})"


def _program_of(path: Path) -> str:
    """Return the program that a wrapper script runs, or the path itself if it is not a script that runs one."""
    with path.open("rb") as file:
        start = file.read(4096)
    wrapped = _WRAPPED.search(start.decode(errors="replace")) if start.startswith(b"#!") else None
    return wrapped[1] if wrapped else str(path)


def _are_renamed() -> bool:
    try:
        release = platform.freedesktop_os_release()
    except OSError:
        return False
    since = _RENAMED_SINCE.get(release["ID"])
    # The testing and unstable releases have no number.
    return since is not None and float(release.get("VERSION_ID", since)) >= since
