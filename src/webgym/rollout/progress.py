"""Detection of attempts that make no progress: loops and actions without effect."""

from __future__ import annotations

from webgym.records.action import Action
from webgym.records.observation import Observation, PageChange

_LOOP = 3
"""Consecutive repeats of the same action on the same page that make a loop."""
_STILL = 5
"""Consecutive actions without effect that count as no progress."""


class Progress:
    """Tracks the progress of one attempt."""

    def __init__(self) -> None:
        self._last: tuple[str, str, Action] | None = None
        self._still = 0
        self._notes: dict[str, int] = {}
        self.repeats = 0
        """Consecutive times that the same action was taken on the same page."""

    @property
    def notes(self) -> tuple[str, ...]:
        """The detected problems, in words."""
        return tuple(f"{what}, up to {times} in a row" for what, times in self._notes.items())

    def took(self, seen: Observation, action: Action) -> None:
        """Note the action taken on this observation."""
        screenshot = seen.screenshot.address if seen.screenshot else seen.url
        key = (seen.url, screenshot, action)
        self.repeats = self.repeats + 1 if key == self._last else 1
        self._last = key
        if self.repeats >= _LOOP:
            self._note("the same action on the same page", self.repeats)

    def led_to(self, seen: Observation) -> None:
        """Note the observation that followed the action."""
        self._still = 0 if isinstance(seen.effect, PageChange) else self._still + 1
        if self._still >= _STILL:
            self._note("actions without effect", self._still)

    def _note(self, what: str, times: int) -> None:
        self._notes[what] = max(times, self._notes.get(what, 0))
