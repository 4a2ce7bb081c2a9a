"""Whether the driver and the browser can start on this machine at all. Costs milliseconds, and starts neither."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import playwright

from webgym.browser.server.chromium.executable import find_executable
from webgym.browser.server.chromium.libraries import missing_libraries, told_missing
from webgym.errors import ConfigError

DRIVER = "Playwright's driver"
_NODE = "PLAYWRIGHT_NODEJS_PATH"
"""Playwright's own variable: another Node.js than the one it ships."""


@dataclass(frozen=True, slots=True)
class Lack:
    """A program that cannot start here."""

    program: str
    libraries: tuple[str, ...]

    def __str__(self) -> str:
        return told_missing(self.program, self.libraries)


def driver_executable() -> str:
    """Return the Node.js that runs Playwright's driver.

    Raises:
        ConfigError: There is none, or it may not be executed.
    """
    path = os.environ.get(_NODE) or str(Path(playwright.__file__).with_name("driver") / "node")
    return _executable(DRIVER, path)


def driver_lack() -> Lack | None:
    """Return what keeps the driver from starting, or None.

    Raises:
        ConfigError: There is no driver.
    """
    return _lack(DRIVER, driver_executable())


def lacks(*, executable: str = "", headed: bool = False) -> Iterator[Lack]:
    """Yield what keeps the driver from starting, then what keeps the browser from it.

    Raises:
        ConfigError: There is no driver or no browser, or it may not be executed.
    """
    browser = find_executable(executable, headed=headed)
    driver = driver_lack()
    if driver:
        yield driver
    program = f"the browser {browser}"
    lack = _lack(program, _executable(program, browser))
    if lack:
        yield lack


def check_startable(*, executable: str = "", headed: bool = False) -> None:
    """Check that the driver and the browser have what they need.

    Raises:
        ConfigError: They do not, with what to install.
    """
    for lack in lacks(executable=executable, headed=headed):
        raise ConfigError(f"{lack}; `webgym setup` installs it")


def _lack(program: str, path: str) -> Lack | None:
    libraries = missing_libraries(path)
    return Lack(program, libraries) if libraries else None


def _executable(program: str, path: str) -> str:
    if not os.access(path, os.X_OK) or not Path(path).is_file():
        found = "is not executable" if Path(path).exists() else "is missing"
        raise ConfigError(f"{program} cannot start: {path} {found}; install the packages and the browser again")
    return path
