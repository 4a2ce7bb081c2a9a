"""Where commands must not install anything, they say what is missing."""

from __future__ import annotations

import subprocess

import pytest

from webgym.cli import packages, setup
from webgym.errors import ConfigError


@pytest.fixture(autouse=True)
def forbidden(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*command: object, **_: object) -> None:
        raise AssertionError(f"ran {command}")

    monkeypatch.setenv("WEBGYM_NO_SETUP", "1")
    monkeypatch.setattr(subprocess, "run", refuse)


def test_missing_packages_are_named_and_not_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(packages, "is_installed", lambda requirement: not requirement.startswith("playwright"))
    with pytest.raises(ConfigError, match=r"missing packages: playwright.*, and WEBGYM_NO_SETUP is set"):
        setup.ensure_ready()


def test_a_missing_browser_is_told_and_not_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WEBGYM_CHROMIUM", "/not/here")
    with pytest.raises(ConfigError, match="/not/here"):
        setup.ensure_ready()


def test_nothing_is_said_of_a_browser_that_is_not_needed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WEBGYM_CHROMIUM", "/not/here")
    setup.ensure_ready(browser=False)
