"""AReaL writes where it is told to, and says little."""

from __future__ import annotations

import os

import pytest

# Nothing here is large enough to be worth a compiler, or more than one thread.
os.environ.setdefault("TORCHDYNAMO_DISABLE", "1")
os.environ.setdefault("OMP_NUM_THREADS", "1")


@pytest.fixture(scope="session")
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(autouse=True)
def home_of_its_own(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WEBGYM_HOME", str(tmp_path_factory.getbasetemp() / "home"))
