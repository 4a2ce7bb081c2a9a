"""`webgym setup`: install what is missing, announcing the size of each download, and prove that browsers work."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from typing import Annotated

import typer

from webgym.browser.config import ChromiumConfig
from webgym.cli import debian
from webgym.cli.machine_proof import is_proven, prove_machine
from webgym.cli.notes import note
from webgym.cli.packages import Extra, install_packages, missing_packages
from webgym.errors import ConfigError

DEBIAN_PACKAGES = ("chromium-headless-shell", "fonts-noto-color-emoji")
DEBIAN_PACKAGES_HEADED = ("chromium", "xvfb", "fonts-noto-color-emoji")
BESIDE_PLAYWRIGHTS = ("fonts-liberation", "fonts-noto-color-emoji")
_PLAYWRIGHT_BROWSER, _PLAYWRIGHT_BROWSER_HEADED = "chromium-headless-shell", "chromium"

NO_SETUP = "WEBGYM_NO_SETUP"
"""If set, only `webgym setup` installs anything, so that machines built from images stay unchanged."""


def setup(
    training: Annotated[
        bool, typer.Option("--training", help="Also install PyTorch, which `demo` and `train` need.")
    ] = False,
    headed: Annotated[
        bool,
        typer.Option("--headed", help="Install a headed browser and Xvfb, for live websites."),
    ] = False,
) -> None:
    """Install missing Python packages and a browser, and take one step in it."""
    if install_packages(*_extras(training=training)):
        _start_again()
    config = ChromiumConfig(headed=headed)
    path = install_browser(config)
    prove_machine(config)
    note(f"browser: {path}; a page was opened in it, and a click worked")


def ensure_ready(*, browser: bool = True, headed: bool = False, executable: str = "", training: bool = False) -> None:
    """Install what a command needs to run browsers or train; restart the process if packages were installed.

    Whatever is installed already is believed to work if `executable`, or else the browser found, has worked before.

    Raises:
        ConfigError: Something is missing and cannot, or must not, be installed; or no browser works here.
    """
    extras = _extras(training=training)
    allowed = not os.environ.get(NO_SETUP)
    if allowed and install_packages(*extras):
        _start_again()
    if not allowed and (wanted := missing_packages(*extras)):
        raise ConfigError(
            f"missing packages: {', '.join(wanted)}, and {NO_SETUP} is set: install them with webgym setup"
        )
    if browser:
        config = ChromiumConfig(headed=headed, executable=executable)
        if allowed:
            install_browser(config)
        else:
            _check_browser(config)
        if not is_proven(config):
            prove_machine(config)


def install_browser(config: ChromiumConfig) -> str:
    """Return the path of a Chromium, installing one if there is none, and the libraries that it lacks.

    Raises:
        ConfigError: Something is missing and cannot be installed; the message says what to do.
    """
    from webgym.browser.server.chromium.executable import VARIABLE

    try:
        path = _browser_here(config)
    except ConfigError:
        if config.executable or os.environ.get(VARIABLE):
            raise  # it overrides any browser that we could install
        _install_missing_browser(headed=config.headed)
        path = _browser_here(config)
    _install_libraries(config)
    return path


def _extras(*, training: bool) -> tuple[Extra, ...]:
    return ("server", "train") if training else ("server",)


def _start_again() -> None:
    os.execv(sys.executable, [sys.executable, "-m", "webgym", *sys.argv[1:]])  # noqa: S606 - ourselves again


def _browser_here(config: ChromiumConfig) -> str:
    from webgym.browser.server.chromium.display import check_headed
    from webgym.browser.server.chromium.executable import find_executable

    if config.headed:
        check_headed(config.executable)
    return find_executable(config.executable, headed=config.headed)


def _check_browser(config: ChromiumConfig) -> None:
    from webgym.browser.server.chromium.startable import check_startable

    _browser_here(config)
    check_startable(executable=config.executable, headed=config.headed)


def _install_missing_browser(*, headed: bool) -> None:
    """Install Debian's Chromium, or else Playwright's with the libraries that it needs."""
    from webgym.browser.server.chromium.libraries import packages_with
    from webgym.browser.server.chromium.startable import driver_lack

    lack = driver_lack()
    debian_packages = DEBIAN_PACKAGES_HEADED if headed else DEBIAN_PACKAGES
    debians = (*(packages_with(lack.libraries) if lack else ()), *debian_packages)
    playwrights = (*packages_with(), *BESIDE_PLAYWRIGHTS, *(("xvfb",) if headed else ()))
    missing = "there is no browser" if lack is None else f"{lack}, and there is no browser"
    if debian.is_debian() and debian.can_install():
        if debian.offers(debians):
            debian.install(debians)
            return
        if debian.offers(playwrights):
            debian.install(playwrights)
    elif debian.is_debian() and (lack or (debian.has_sudo() and debian.has_chromium())):
        without_root = "" if lack else f"\n\nOr, without root: {' '.join(_playwright(headed=headed))}"
        raise _needs_root(missing, debians if debian.has_chromium() else playwrights, without_root)
    if driver_lack():  # which is what would download it
        raise ConfigError(missing)
    note(f"downloading Playwright's {_playwright(headed=headed)[-1]}: more than 100 MB")
    if subprocess.run(_playwright(headed=headed), check=False).returncode != 0:
        remedy = f"As root: {debian.line_to_paste(debians)}\nOr install" if debian.has_chromium() else "Install"
        raise ConfigError(f"no browser could be installed. {remedy} one yourself and set WEBGYM_CHROMIUM to its path")


def _playwright(*, headed: bool) -> list[str]:
    browser = _PLAYWRIGHT_BROWSER_HEADED if headed else _PLAYWRIGHT_BROWSER
    return [sys.executable, "-m", "playwright", "install", browser]


def _install_libraries(config: ChromiumConfig) -> None:
    from webgym.browser.server.chromium.libraries import packages_with
    from webgym.browser.server.chromium.startable import lacks

    for lack in lacks(executable=config.executable, headed=config.headed):
        packages = packages_with(lack.libraries)
        if not debian.is_debian() or not packages:
            raise ConfigError(str(lack))
        if not debian.can_install():
            raise _needs_root(str(lack), packages)
        if not debian.offers(packages):
            raise ConfigError(f"{lack}, but apt-get cannot install that")
        debian.install(packages)


def _needs_root(missing: str, packages: Sequence[str], otherwise: str = "") -> ConfigError:
    line = debian.line_to_paste(packages)
    return ConfigError(f"{missing}. Installing needs root: paste this line, then try again.\n\n  {line}{otherwise}")
