"""Gives a bare machine the host's way to packages: how apt and pip are configured here, and how names are resolved.

Prints the folders that the machine must see, one a line.
"""

from __future__ import annotations

import ast
import configparser
import shutil
import subprocess
import sys
from pathlib import Path

_AUTHORITIES = "usr/local/share/ca-certificates"
"""Where Debian keeps the authorities that an administrator added, e.g. that of a proxy."""


def pip_settings() -> dict[str, str]:
    """Return pip's settings here, from its files and from the environment, which comes last and so wins."""
    command = [sys.executable, "-m", "pip", "config", "list"]
    listed = subprocess.run(command, capture_output=True, text=True, check=False)  # no pip, no settings
    settings: dict[str, str] = {}
    for line in listed.stdout.splitlines():
        name, _, value = line.partition("=")
        settings[name.rpartition(".")[2]] = str(ast.literal_eval(value))
    return settings


def folders_in(setting: str, value: str) -> list[Path]:
    """Return the folders of this machine that a setting refers to. Pages of an index link to its neighbours."""
    paths = [Path(word.removeprefix("file://")) for word in value.split()]
    folders = [path for path in paths if path.is_absolute() and path.is_dir()]
    return [path.parent for path in folders] if setting.endswith("index-url") else folders


def main(machine: Path) -> None:
    settings = pip_settings()
    settings.pop("cert", None)  # a bundle of this machine; the authorities in it that count are copied
    pip = configparser.RawConfigParser()
    pip["global"] = settings
    with (machine / "etc/pip.conf").open("w") as file:
        pip.write(file)
    if shutil.which("apt-config"):
        apt = subprocess.run(["apt-config", "dump", "Acquire"], capture_output=True, text=True, check=True)
        (machine / "etc/apt/apt.conf.d/90host").write_text(apt.stdout)
    shutil.copytree(Path("/", _AUTHORITIES), machine / _AUTHORITIES, dirs_exist_ok=True)
    for name in ("etc/resolv.conf", "etc/hosts"):
        shutil.copyfile(Path("/", name), machine / name)
    for folder in sorted({folder for name, value in settings.items() for folder in folders_in(name, value)}):
        print(folder)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
