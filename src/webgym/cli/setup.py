"""`webgym setup`: install what is missing, announcing the size of each download."""

from __future__ import annotations

import importlib.metadata
import importlib.util
import os
import re
import shutil
import subprocess
import sys
from typing import Annotated, Literal

import typer
from rich.console import Console
from rich.markup import escape

from webgym.errors import ConfigError

DEBIAN_PACKAGES = ("chromium-headless-shell", "fonts-noto-color-emoji")
DEBIAN_PACKAGES_HEADED = ("chromium", "xvfb", "fonts-noto-color-emoji")
_PLAYWRIGHT_BROWSER, _PLAYWRIGHT_BROWSER_HEADED = "chromium-headless-shell", "chromium"

NO_SETUP = "WEBGYM_NO_SETUP"
"""If set, only `webgym setup` installs anything, so that machines built from images stay unchanged."""

Extra = Literal["server", "train"]
_DOWNLOADS: dict[Extra, str] = {
    "server": "about 75 MB, most of it Playwright's driver",
    "train": "PyTorch and transformers, about 300 MB; several gigabytes if PyTorch includes CUDA",
}


def setup(
    training: Annotated[
        bool, typer.Option("--training", help="Also install PyTorch, which `demo` and `train` need.")
    ] = False,
    headed: Annotated[
        bool,
        typer.Option("--headed", help="Install a headed browser and Xvfb, for live websites."),
    ] = False,
) -> None:
    """Install missing Python packages and a browser."""
    install_packages("server", *(("train",) if training else ()))
    install_browser(headed=headed)


def install_packages(*extras: Extra) -> bool:
    """Install the missing packages of these extras; return whether there were any.

    Raises:
        ConfigError: They cannot be installed.
    """
    missing: dict[Extra, list[str]] = {extra: found for extra in extras if (found := _missing(extra))}
    wanted = list(dict.fromkeys(requirement for found in missing.values() for requirement in found))
    if not wanted:
        return False
    if importlib.util.find_spec("pip") is None:
        raise ConfigError(f"missing packages: {', '.join(wanted)}; pip is not available, so install them yourself")
    _say(f"installing {', '.join(wanted)} with pip ({', '.join(_DOWNLOADS[extra] for extra in missing)})")
    _run([sys.executable, "-m", "pip", "install", "--quiet", *wanted], "pip could not install the missing packages")
    importlib.invalidate_caches()
    return True


def install_browser(*, headed: bool = False) -> str:
    """Return the path of a Chromium, installing Debian's or else Playwright's if there is none.

    Unless `headed`, a headless shell is enough.
    """
    from webgym.browser.server.chromium.executable import VARIABLE

    try:
        path = _browser_here(headed=headed)
    except ConfigError:
        if os.environ.get(VARIABLE):
            raise  # it overrides any browser that we could install
        if not _install_from_debian(DEBIAN_PACKAGES_HEADED if headed else DEBIAN_PACKAGES):
            _install_from_playwright(_PLAYWRIGHT_BROWSER_HEADED if headed else _PLAYWRIGHT_BROWSER)
        path = _browser_here(headed=headed)
    _say(f"browser: {path}")
    return path


def _browser_here(*, headed: bool) -> str:
    from webgym.browser.server.chromium.display import check_headed
    from webgym.browser.server.chromium.executable import find_executable

    if headed:
        check_headed()
    return find_executable(headed=headed)


def _missing(extra: Extra) -> list[str]:
    try:
        lines = importlib.metadata.requires("webgym") or []
    except importlib.metadata.PackageNotFoundError:  # run from source: dependencies are up to the developer
        return []
    named = [line.partition(";")[0].strip() for line in lines if re.search(rf"""extra == ['"]{extra}['"]""", line)]
    # An extra may refer to another one of this package, which is listed by itself.
    return [one for one in named if not one.startswith("webgym[") and not _is_installed(one)]


def _is_installed(requirement: str) -> bool:
    name = re.split(r"[<>=!~\[ ]", requirement)[0]
    try:
        importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return False
    return True


def _install_from_debian(packages: tuple[str, ...]) -> bool:
    """Try to install Debian packages, which needs root or passwordless sudo; return whether it worked."""
    prefix = _privileged()
    if shutil.which("apt-get") is None or prefix is None:
        return False
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    apt = [*prefix, "apt-get"]
    subprocess.run([*apt, "update", "-qq"], env=environment, check=False)
    plan = subprocess.run(
        ["apt-get", "install", "--assume-no", "--no-install-recommends", *packages],
        env={**environment, "LC_ALL": "C"},
        capture_output=True,
        text=True,
        check=False,
    )
    size = re.search(r"Need to get (.+?) of archives", plan.stdout)
    if size is None:
        return False
    _say(f"installing Debian's {' and '.join(packages)} with apt-get: {size[1]} to download")
    command = [*apt, "install", "-y", "-qq", "--no-install-recommends", *packages]
    return subprocess.run(command, env=environment, stdout=subprocess.DEVNULL, check=False).returncode == 0


def _privileged() -> list[str] | None:
    if os.geteuid() == 0:
        return []
    sudo = shutil.which("sudo")
    if sudo and subprocess.run([sudo, "-n", "true"], capture_output=True, check=False).returncode == 0:
        return [sudo, "-n"]
    return None


def _install_from_playwright(browser: str) -> None:
    _say(f"downloading Playwright's {browser}: more than 100 MB")
    command = [sys.executable, "-m", "playwright", "install", browser]
    _run(command, "no browser could be installed. Install one yourself and set WEBGYM_CHROMIUM to its path")


def _run(command: list[str], what_failed: str) -> None:
    if subprocess.run(command, check=False).returncode != 0:
        raise ConfigError(f"{what_failed} (the command was: {' '.join(command)})")


def _say(text: str) -> None:
    Console(highlight=False, soft_wrap=True, emoji=False, stderr=True).print(f"[dim]setup:[/] {escape(text)}")


def ensure_ready(*, browser: bool = True, headed: bool = False, training: bool = False) -> None:
    """Install what a command needs to run browsers or train; restart the process if packages were installed.

    Raises:
        ConfigError: Something is missing and cannot, or must not, be installed.
    """
    if os.environ.get(NO_SETUP):
        _check_ready("server", *(("train",) if training else ()), browser=browser, headed=headed)
        return
    if install_packages("server", *(("train",) if training else ())):
        os.execv(sys.executable, [sys.executable, "-m", "webgym", *sys.argv[1:]])  # noqa: S606 - ourselves again
    if browser:
        install_browser(headed=headed)


def _check_ready(*extras: Extra, browser: bool, headed: bool) -> None:
    wanted = [requirement for extra in extras for requirement in _missing(extra)]
    if wanted:
        raise ConfigError(
            f"missing packages: {', '.join(wanted)}, and {NO_SETUP} is set: install them with webgym setup"
        )
    if browser:
        _browser_here(headed=headed)
