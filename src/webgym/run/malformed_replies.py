"""Tells in the middle of a run that most replies of its policy are malformed, rather than only afterwards."""

from __future__ import annotations

from collections.abc import Callable

from webgym.records.event import Event, StepDecided
from webgym.store.malformed import malformed_warning


class MalformedReplies:
    """An event sink that counts replies, and warns once if most of the first ones are malformed."""

    def __init__(self, say: Callable[[str], None]) -> None:
        self._say = say
        self._replies = 0
        self._malformed = 0
        self._told = False

    def __call__(self, event: Event) -> None:
        """Count the reply, if the event is one."""
        match event:
            case StepDecided(action=action) if not self._told:
                self._replies += 1
                self._malformed += action == "malformed"
                if warning := malformed_warning(self._malformed, self._replies):
                    self._told = True
                    self._say(f"warning: {warning}")
            case _:
                pass
