"""What every system does on the pages: steps that were recorded once, so that all systems take the same ones."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from webgym.records.action import Action

Kind = Literal["loads", "actions"]
KINDS: tuple[Kind, ...] = ("loads", "actions")


@dataclass(frozen=True, slots=True)
class Move:
    """One step."""

    action: Action
    path: str
    """Path of the page that it led to when it was recorded."""


@dataclass(frozen=True, slots=True)
class Walk:
    """Steps of one session, the first of which loads a page."""

    kind: Kind
    """`loads`: page loads only. `actions`: clicks, typing, scrolling and going back on one page after its load."""
    moves: tuple[Move, ...]


@dataclass(frozen=True, slots=True)
class Tour:
    """All recorded walks."""

    walks: tuple[Walk, ...]

    def of(self, kind: Kind) -> tuple[Walk, ...]:
        """Return the walks of this kind."""
        return tuple(walk for walk in self.walks if walk.kind == kind)

    @property
    def steps(self) -> int:
        return sum(len(walk.moves) for walk in self.walks)
