"""What a message announces, put into the calendar."""

# ruff: noqa: ARG002  not every goal needs all that goals are given

from __future__ import annotations

from typing import Any

import msgspec

from webgym_hermetic.families.mail.goals import saying, steps
from webgym_hermetic.families.mail.goals.diary import NewEvent
from webgym_hermetic.families.mail.records import REMINDERS, World
from webgym_hermetic.goal import End, Fact, Goal
from webgym_hermetic.view import Intent, View

ANNOUNCED: dict[str, tuple[str, str, str]] = {
    "appointment": ("appointment", "hour", "the new appointment"),
    "candidate": ("interview", "at", "the interview"),
    "ticket": ("show", "doors", "the opening of the doors"),
    "meeting": ("day", "begins", "the meeting"),
    "flight": ("flies", "leaves", "the departure of the flight"),
    "train": ("travels", "departs", "the departure of the train"),
    "dinner": ("on", "table", "the dinner"),
    "club": ("meeting", "start", "the yearly meeting"),
}
"""By topic: the details with date and time, and what they are of."""


class EventFromMail(Goal, frozen=True):
    """An event whose date and time a conversation tells."""

    thread: str
    title: str
    reminder: int = -1
    wrong: str = ""
    """The fact to get wrong."""

    def _event(self, world: World) -> NewEvent:
        thread = world.thread(self.thread)
        on, at, _ = ANNOUNCED[thread.topic]
        values = {one.name: one.value for one in thread.details}
        return NewEvent(title=self.title, date=values[on], start=values[at], reminder=self.reminder)

    def facts(self, world: Any) -> tuple[Fact, ...]:
        return self._event(world).facts(world)

    def holds(self, fact: str, end: End) -> bool:
        return self._event(end.world).holds(fact, end)

    def next(self, view: View) -> Intent | None:
        event = self._event(view.world)
        wanted = event.spoil(self.wrong, view.world) if self.wrong else event
        step = wanted.next(view)
        if step is None or view.visited(f"/thread/{self.thread}"):
            return step
        return steps.to_thread(view, self.thread)

    def spoil(self, fact: str, world: Any) -> Goal:
        return msgspec.structs.replace(self, wrong=fact)

    def clauses(self, world: Any) -> tuple[str, ...]:
        what = ANNOUNCED[world.thread(self.thread).topic][2]
        mail = saying.called(world, self.thread)
        reminder = f", with the reminder set to {dict(REMINDERS)[self.reminder].lower()}" if self.reminder >= 0 else ""
        return (
            f'find date and time of {what} in {mail} and add it to the calendar as "{self.title}"{reminder}',
            f'put {what} from {mail} into the calendar under the title "{self.title}", at its date and time{reminder}',
            f'read {mail} and create a calendar event "{self.title}" on the day and at the time of {what}{reminder}',
            f'add {what} announced in {mail} to the calendar; title "{self.title}"{reminder}',
        )
