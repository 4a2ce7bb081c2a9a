"""Fixtures for tests of this package, wherever they are started from."""

from __future__ import annotations

import pytest


@pytest.fixture(scope="session")
def anyio_backend() -> str:
    """Playwright runs on asyncio only."""
    return "asyncio"


@pytest.fixture(autouse=True)
def home_of_its_own(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """Tests never read or write the user's own tokens."""
    monkeypatch.setenv("WEBGYM_HOME", str(tmp_path_factory.getbasetemp() / "home"))
