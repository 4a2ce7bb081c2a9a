"""A small model, as the tests of the engine have it."""

from __future__ import annotations

from tests.unit.engine.conftest import folder

__all__ = ["folder"]
