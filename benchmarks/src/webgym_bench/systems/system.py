"""The interface of a system under test."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass

from webgym.stages import Browser
from webgym_bench.conditions import Conditions
from webgym_bench.pages.server import Pages


@dataclass(frozen=True)
class System:
    """A provider of sessions. All its processes descend from this one, so that they can be measured."""

    name: str
    start: Callable[[Pages, Conditions], AbstractAsyncContextManager[Browser]]
    about: str
    """One-line description for the report."""
