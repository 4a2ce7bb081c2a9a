"""`webgym setup`: get what is missing to run browsers here, saying what is downloaded and how big it is."""

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
"""If set, no command but `webgym setup` installs anything: machines that are built from images stay as they are."""

Extra = Literal["server", "train"]
_DOWNLOADS: dict[Extra, str] = {
    "server": "about 75 MB, most of it Playwright's driver",
    "train": "PyTorch and transformers, about 300 MB; several gigabytes where PyTorch brings CUDA",
}


def setup(
    training: Annotated[
        bool, typer.Option("--training", help="What `demo` and `train` need as well: PyTorch.")
    ] = False,
    headed: Annotated[
        bool,
        typer.Option("--headed", help="A browser with windows, and Xvfb to show them to nobody: for live websites."),
    ] = False,
) -> None:
    """Install the server's Python packages and a browser, unless they are here."""
    install_packages("server", *(("train",) if training else ()))
    install_browser(headed=headed)


def install_packages(*extras: Extra) -> bool:
    """Install the packages of these extras that are missing; whether there were any.

    Raises:
        ConfigError: They cannot be installed; the message has the command.
    """
    missing: dict[Extra, list[str]] = {extra: found for extra in extras if (found := _missing(extra))}
    wanted = list(dict.fromkeys(requirement for found in missing.values() for requirement in found))
    if not wanted:
        return False
    if importlib.util.find_spec("pip") is None:
        raise ConfigError(f"{', '.join(wanted)}: missing, and there is no pip here to install them with; install them")
    _say(f"installing {', '.join(wanted)} with pip ({', '.join(_DOWNLOADS[extra] for extra in missing)})")
    _run([sys.executable, "-m", "pip", "install", "--quiet", *wanted], "pip could not install what is missing")
    importlib.invalidate_caches()
    return True


def install_browser(*, headed: bool = False) -> str:
    """Find a Chromium, or install one: Debian's, else Playwright's; a headless shell, or one that can be headed.

    Returns its path.
    """
    from webgym.browser.server.chromium.executable import VARIABLE

    try:
        path = _browser_here(headed=headed)
    except ConfigError:
        if os.environ.get(VARIABLE):
            raise  # the user has named one: another would not be used
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
    except importlib.metadata.PackageNotFoundError:  # run from its source, by somebody who knows what it needs
        return []
    named = [line.partition(";")[0].strip() for line in lines if re.search(rf"""extra == ['"]{extra}['"]""", line)]
    # An extra may name another of this package, which is installed for itself.
    return [one for one in named if not one.startswith("webgym[") and not _is_installed(one)]


def _is_installed(requirement: str) -> bool:
    name = re.split(r"[<>=!~\[ ]", requirement)[0]
    try:
        importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return False
    return True


def _install_from_debian(packages: tuple[str, ...]) -> bool:
    """Whether these packages of Debian's could be installed: only as root, or with a sudo that does not ask."""
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
    """For commands that run browsers, or train: install what is missing, then start over if packages were.

    Raises:
        ConfigError: Something is missing that cannot, or must not, be installed.
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
        raise ConfigError(f"{', '.join(wanted)}: missing, and {NO_SETUP} is set; webgym setup installs what is missing")
    if browser:
        _browser_here(headed=headed)
