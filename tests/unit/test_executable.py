"""Which browser is started."""

from __future__ import annotations

from pathlib import Path

import pytest

from webgym.browser.server.chromium.display import check_headed
from webgym.browser.server.chromium.executable import VARIABLE, find_executable
from webgym.errors import ConfigError


@pytest.fixture
def programs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A machine with nothing but what is put here."""
    monkeypatch.delenv(VARIABLE, raising=False)
    monkeypatch.delenv("DISPLAY", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("PLAYWRIGHT_BROWSERS_PATH", str(tmp_path / "playwright"))
    return tmp_path


def put(folder: Path, name: str) -> str:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.touch(0o755)
    return str(path)


def test_a_headless_shell_is_preferred_unless_windows_are_wanted(programs: Path):
    shell, full = put(programs, "chromium-headless-shell"), put(programs, "chromium")
    assert find_executable() == shell
    assert find_executable(headed=True) == full


def test_playwrights_own_is_used_headed_only_if_it_is_a_full_browser(programs: Path):
    put(programs, "playwright/chromium_headless_shell-1/linux/headless_shell")
    with pytest.raises(ConfigError, match="apt-get install chromium xvfb"):
        find_executable(headed=True)
    full = put(programs, "playwright/chromium-1/linux/chrome")
    assert find_executable(headed=True) == full


def test_a_headless_shell_that_was_named_cannot_be_headed(programs: Path, monkeypatch: pytest.MonkeyPatch):
    shell = put(programs, "chromium-headless-shell")
    put(programs, "chromium")
    monkeypatch.setenv(VARIABLE, shell)
    with pytest.raises(ConfigError, match=f"{VARIABLE} names .* which only runs headless"):
        find_executable(headed=True)


def test_headed_needs_a_display_or_xvfb(programs: Path, monkeypatch: pytest.MonkeyPatch):
    put(programs, "chromium")
    with pytest.raises(ConfigError, match="apt-get install chromium xvfb"):
        check_headed()
    monkeypatch.setenv("DISPLAY", ":0")
    check_headed()
    monkeypatch.delenv("DISPLAY")
    put(programs, "Xvfb")
    check_headed()
