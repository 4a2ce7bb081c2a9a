"""A Qwen3-VL of a few thousand weights, and requests for it."""

from __future__ import annotations

import pytest
from tests.unit.engine.tiny import write_tiny

from webgym.engine.engine import Engine
from webgym.engine.settings import EngineSettings
from webgym_nano.folder import read_model


@pytest.fixture(scope="session")
def folder(tmp_path_factory):
    return write_tiny(tmp_path_factory.mktemp("tiny"), seed=1)


@pytest.fixture(scope="session")
def other_folder(tmp_path_factory):
    """The same model with other weights."""
    return write_tiny(tmp_path_factory.mktemp("other"), seed=2)


@pytest.fixture(scope="session")
def model(folder):
    return read_model(folder)


@pytest.fixture(scope="session")
def other_model(other_folder):
    return read_model(other_folder)


@pytest.fixture
def engine(folder):
    return Engine(folder, EngineSettings(device="cpu", slots=4, length=512, threads=1))
