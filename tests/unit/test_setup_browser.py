"""What `webgym setup` does on machines where a browser, or something that it needs, is missing."""

from __future__ import annotations

import os
import platform
from dataclasses import dataclass
from pathlib import Path

import pytest
from tests.broken_programs import script

from webgym.browser.config import ChromiumConfig
from webgym.cli import setup
from webgym.errors import ConfigError

DEBIAN = {"ID": "debian", "VERSION_ID": "12"}
UBUNTU = {"ID": "ubuntu", "ID_LIKE": "debian", "VERSION_ID": "24.04"}
OPTIONS = "install -y --no-install-recommends"
LINE = f"sudo apt-get update && sudo apt-get {OPTIONS}"
APT = """
[ "$ROOT" = yes ] || { echo "E: Could not open lock file" >&2; exit 100; }
echo "apt-get $*" >> "$FOLDER/log"
case "$* " in *" chromium-headless-shell "*) browser=yes ;; *) browser= ;; esac
[ -z "$SNAPS" ] || [ -z "$browser" ] || { echo "E: no installation candidate" >&2; exit 100; }
case "$*" in
  *--assume-no*) echo "Need to get 64.2 MB of archives." ;;
  install*) rm -f "$FOLDER/missing"; [ -z "$browser" ] || "$FOLDER/make-browser" ;;
esac
"""
LDD = """
case "$1" in *node) [ ! -e "$FOLDER/missing" ] || cat "$FOLDER/missing" ;; esac
"""
SUDO = '[ "$1" = -n ] && shift && ROOT=yes exec "$@"'
SUDO_THAT_ASKS = 'echo "sudo: a password is required" >&2; exit 1'


@dataclass
class Machine:
    """A machine without a browser, for an ordinary user. What its programs were asked for is in `log`."""

    folder: Path

    @property
    def log(self) -> list[str]:
        path = self.folder / "log"
        return path.read_text().splitlines() if path.exists() else []

    def has(self, name: str, body: str) -> None:
        script(self.folder / name, body)

    def lacks(self, *libraries: str) -> None:
        (self.folder / "missing").write_text("".join(f"\t{name} => not found\n" for name in libraries))


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Machine:
    made = Machine(tmp_path)
    for name in ("env", "rm", "cat", "cp", "true"):
        (tmp_path / name).symlink_to(f"/usr/bin/{name}")
    made.has("browser", "exit 0")
    made.has("make-browser", 'cp "$FOLDER/browser" "$FOLDER/chromium-headless-shell"')
    made.has("playwright", 'echo "playwright $*" >> "$FOLDER/log"; "$FOLDER/make-browser"')
    made.has("apt-get", APT)
    made.has("ldd", LDD)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("FOLDER", str(tmp_path))
    monkeypatch.setenv("PLAYWRIGHT_BROWSERS_PATH", str(tmp_path / "none"))
    monkeypatch.delenv("WEBGYM_CHROMIUM", raising=False)
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    monkeypatch.setattr(platform, "freedesktop_os_release", lambda: DEBIAN)
    monkeypatch.setattr(setup, "_playwright", lambda *, headed: [str(tmp_path / "playwright"), "install"])
    return made


def test_a_sudo_without_password_makes_the_plan_too(machine: Machine):
    machine.has("sudo", SUDO)
    path = setup.install_browser(ChromiumConfig())
    assert path == str(machine.folder / "chromium-headless-shell")
    assert machine.log[-1].endswith(
        "install -y --no-install-recommends -qq chromium-headless-shell fonts-noto-color-emoji"
    )


def test_a_sudo_with_password_is_told_the_line_to_paste_and_nothing_is_downloaded(machine: Machine):
    machine.has("sudo", SUDO_THAT_ASKS)
    with pytest.raises(ConfigError, match="there is no browser") as told:
        setup.install_browser(ChromiumConfig())
    assert f"\n  {LINE} chromium-headless-shell fonts-noto-color-emoji" in str(told.value)
    assert "without root: " in str(told.value)
    assert not machine.log


def test_a_driver_that_cannot_start_is_told_before_anything_is_tried_with_it(machine: Machine):
    machine.lacks("libatomic.so.1")
    with pytest.raises(ConfigError, match=r"lacks libatomic\.so\.1 .*, and there is no browser") as told:
        setup.install_browser(ChromiumConfig())
    assert f"\n  {LINE} libatomic1 chromium-headless-shell fonts-noto-color-emoji" in str(told.value)
    assert not machine.log


def test_the_libraries_of_the_driver_are_installed_with_the_browser(machine: Machine):
    machine.has("sudo", SUDO)
    machine.lacks("libatomic.so.1")
    setup.install_browser(ChromiumConfig())
    assert " libatomic1 chromium-headless-shell " in machine.log[-1]
    assert len([line for line in machine.log if " -y " in line]) == 1


def test_a_library_that_is_missing_beside_a_browser_is_installed(machine: Machine):
    machine.has("sudo", SUDO)
    machine.has("chromium-headless-shell", "")
    machine.lacks("libatomic.so.1", "libnss3.so")
    setup.install_browser(ChromiumConfig())
    assert machine.log[-1].endswith(" -qq libatomic1 libnss3")


def test_a_library_in_no_known_package_is_named_and_not_looked_for(machine: Machine):
    machine.has("sudo", SUDO)
    machine.has("chromium-headless-shell", "")
    machine.lacks("libq.so.6")
    with pytest.raises(ConfigError, match=r"lacks libq\.so\.6 \(no package is known\)"):
        setup.install_browser(ChromiumConfig())


def test_without_sudo_on_debian_playwrights_browser_is_taken_if_its_driver_can_start(machine: Machine):
    setup.install_browser(ChromiumConfig())
    assert machine.log == ["playwright install"]


def test_where_chromium_is_a_snap_playwrights_is_taken_with_its_libraries(
    machine: Machine, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(platform, "freedesktop_os_release", lambda: UBUNTU)
    monkeypatch.setenv("SNAPS", "yes")
    machine.has("sudo", SUDO)
    machine.lacks("libatomic.so.1")
    setup.install_browser(ChromiumConfig())
    installed, downloaded = machine.log[-2:]
    assert {"libatomic1", "libasound2t64", "libnss3", "fonts-liberation"} <= set(installed.split())
    assert downloaded == "playwright install"


def test_without_sudo_on_ubuntu_the_line_has_all_that_playwrights_browser_needs(
    machine: Machine, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(platform, "freedesktop_os_release", lambda: UBUNTU)
    machine.lacks("libatomic.so.1")
    with pytest.raises(ConfigError) as told:
        setup.install_browser(ChromiumConfig())
    [line] = [line for line in str(told.value).splitlines() if line.startswith(f"  {LINE} ")]
    assert {"libatomic1", "libasound2t64", "libgbm1"} <= set(line.split())
    assert "chromium-headless-shell" not in line


def test_where_apt_has_nothing_the_driver_is_told_and_not_tried(machine: Machine):
    machine.has("sudo", SUDO)
    machine.has("apt-get", 'echo "apt-get $*" >> "$FOLDER/log"; exit 100')
    machine.lacks("libatomic.so.1")
    with pytest.raises(ConfigError, match=r"lacks libatomic\.so\.1 .*, and there is no browser"):
        setup.install_browser(ChromiumConfig())
    assert "playwright install" not in machine.log


def test_where_there_is_no_apt_playwrights_browser_is_taken(machine: Machine):
    (machine.folder / "apt-get").unlink()
    setup.install_browser(ChromiumConfig())
    assert machine.log == ["playwright install"]


def test_where_there_is_no_apt_a_library_is_named(machine: Machine):
    (machine.folder / "apt-get").unlink()
    machine.lacks("libatomic.so.1")
    with pytest.raises(ConfigError, match=r"lacks libatomic\.so\.1") as told:
        setup.install_browser(ChromiumConfig())
    assert "sudo" not in str(told.value)
    assert not machine.log
