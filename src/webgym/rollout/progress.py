"""Whether an attempt gets anywhere: what repeats and what changes nothing."""

from __future__ import annotations

from webgym.records.action import Action
from webgym.records.observation import Changed, Observation

_LOOP = 3
"""The same action on the same page, so often in a row, is a loop."""
_STILL = 5
"""So many actions in a row without effect are no progress."""


class Progress:
    """Follows one attempt."""

    def __init__(self) -> None:
        self._last: tuple[str, str, Action] | None = None
        self._still = 0
        self._notes: dict[str, int] = {}
        self.repeats = 0
        """Times in a row that the same action was taken on the same page."""

    @property
    def notes(self) -> tuple[str, ...]:
        """What was seen, for people."""
        return tuple(f"{what}, up to {times} in a row" for what, times in self._notes.items())

    def took(self, seen: Observation, action: Action) -> None:
        """This was seen, and then done."""
        screenshot = seen.screenshot.address if seen.screenshot else seen.url
        key = (seen.url, screenshot, action)
        self.repeats = self.repeats + 1 if key == self._last else 1
        self._last = key
        if self.repeats >= _LOOP:
            self._note("the same action on the same page", self.repeats)

    def led_to(self, seen: Observation) -> None:
        """This came of it."""
        self._still = 0 if isinstance(seen.effect, Changed) else self._still + 1
        if self._still >= _STILL:
            self._note("actions without effect", self._still)

    def _note(self, what: str, times: int) -> None:
        self._notes[what] = max(times, self._notes.get(what, 0))
