"""Events to be looked up, made, moved and called off."""

# ruff: noqa: ARG002  not every goal needs all that goals are given

from __future__ import annotations

from typing import Any, Literal

import msgspec

from webgym_hermetic.families.mail.goals import saying, steps
from webgym_hermetic.families.mail.records import LENGTHS, REMINDERS, DetailKind, Occasion, World
from webgym_hermetic.families.mail.state import State
from webgym_hermetic.goal import End, Fact, Goal
from webgym_hermetic.view import Intent, View


def _now(world: World, state: State, key: str) -> Occasion:
    return next((one for one in state.occasions if one.id == key), world.occasion(key))


_ASKED = {
    "start": "at what time it starts",
    "ends": "at what time it ends",
    "location": "where it takes place",
    "reminds": "when its reminder comes",
}


class EventFact(Goal, frozen=True):
    """When or where something takes place."""

    event: str
    field: Literal["start", "ends", "location", "reminds"]
    claim: str = ""

    def _kind(self) -> DetailKind:
        return "time" if self.field in ("start", "ends") else "text"

    def _rivals(self, world: World) -> tuple[str, ...]:
        mine = world.occasion(self.event)
        value = getattr(mine, self.field)
        near = [getattr(one, self.field) for one in world.occasions if one.title == mine.title]
        near += {"start": [mine.ends], "ends": [mine.start]}.get(self.field, [])
        return tuple(dict.fromkeys(one for one in near if one != value))

    def _named(self, world: World) -> str:
        one = world.occasion(self.event)
        return f'"{one.title}" on {saying.spoken("date", one.date)}'

    def facts(self, world: Any) -> tuple[Fact, ...]:
        value = getattr(world.occasion(self.event), self.field)
        return (Fact("answer", f"The answer says {_ASKED[self.field]} for {self._named(world)}: {value}."),)

    def holds(self, fact: str, end: End) -> bool:
        value = getattr(end.world.occasion(self.event), self.field)
        return saying.says(end.answer, self._kind(), value, self._rivals(end.world))

    def next(self, view: View) -> Intent | None:
        return None if view.visited(f"/event/{self.event}") else steps.to_occasion(view, self.event)

    def spoil(self, fact: str, world: Any) -> Goal:
        value = getattr(world.occasion(self.event), self.field)
        return msgspec.structs.replace(self, claim=saying.other_value(self._kind(), value, self._rivals(world)))

    def clauses(self, world: Any) -> tuple[str, ...]:
        what = self._named(world)
        asked = _ASKED[self.field]
        return (
            f"find {what} in the calendar and tell me {asked}",
            f"check the calendar for {what} and report {asked}",
            f"look up the event {what}: tell me {asked}",
            f"open the calendar entry {what} and say {asked}",
        )

    def answer(self, world: Any) -> str:
        value = self.claim or getattr(world.occasion(self.event), self.field)
        said = {"start": "It starts at", "ends": "It ends at", "location": "It takes place at", "reminds": "Reminder:"}
        return f"{said[self.field]} {value}."


class NewEvent(Goal, frozen=True):
    """A new event: a fact per thing that is given."""

    title: str
    date: str
    start: str
    minutes: int = 0
    guest: str = ""
    location: str = ""
    reminder: int = -1

    def facts(self, world: Any) -> tuple[Fact, ...]:
        texts = {
            "title": f'A new event has the title "{self.title}".',
            "date": f"It is on {saying.spoken('date', self.date)}.",
            "start": f"It starts at {self.start}.",
            "minutes": f"It lasts {dict(LENGTHS).get(self.minutes)}.",
            "guest": f"{world.named(self.guest)} is its only guest.",
            "location": f'Its location is "{self.location}".',
            "reminder": f"Its reminder is {dict(REMINDERS).get(self.reminder)}.",
        }
        given = {"minutes": bool(self.minutes), "guest": bool(self.guest), "location": bool(self.location)}
        given["reminder"] = self.reminder >= 0
        return tuple(Fact(name, text) for name, text in texts.items() if given.get(name, True))

    def _made(self, world: World, state: State) -> Occasion | None:
        known = {one.id for one in world.occasions}
        related = [
            one
            for one in state.occasions
            if one.id not in known
            and not one.cancelled
            and (saying.same(one.title, self.title) or (one.date, one.start) == (self.date, self.start))
        ]
        return related[-1] if related else None

    def holds(self, fact: str, end: End) -> bool:
        made = self._made(end.world, end.state)
        return made is not None and self._is_right(made, fact)

    def _is_right(self, made: Occasion, fact: str) -> bool:
        match fact:
            case "guest":
                return made.guests == (self.guest,)
            case "title" | "location":
                return saying.same(getattr(made, fact), getattr(self, fact))
            case _:
                return getattr(made, fact) == getattr(self, fact)

    def next(self, view: View) -> Intent | None:
        world, state = steps.box(view)
        made = self._made(world, state)
        if made is not None and all(self._is_right(made, fact.name) for fact in self.facts(world)):
            return None
        if view.path == "/event/new":
            form: list[steps.Control] = [
                ("text", "title", self.title),
                ("date", "date", self.date),
                ("text", "start", self.start),
                ("text", "location", self.location),
                ("text", "guests", world.named(self.guest) if self.guest else ""),
            ]
            form += [("choice", "minutes", str(self.minutes))] if self.minutes else []
            form += [("choice", "reminder", str(self.reminder))] if self.reminder >= 0 else []
            return steps.complete(view, "event", form) or steps.home(view)
        return view.link("/event/new") or steps.to_page(view, "/calendar") or steps.home(view)

    def spoil(self, fact: str, world: Any) -> Goal:
        match fact:
            case "title":
                return msgspec.structs.replace(self, title=f"{self.title} (to be confirmed)")
            case "date":
                return msgspec.structs.replace(self, date=saying.other_value("date", self.date, ()))
            case "start":
                return msgspec.structs.replace(self, start=saying.other_value("time", self.start, ()))
            case "minutes":
                return msgspec.structs.replace(self, minutes=30 if self.minutes != 30 else 45)
            case "guest":
                other = next(one.email for one in world.people if one.email != self.guest)
                return msgspec.structs.replace(self, guest=other)
            case "location":
                return msgspec.structs.replace(self, location="Lobby")
            case _:
                return msgspec.structs.replace(self, reminder=5 if self.reminder != 5 else 30)

    def clauses(self, world: Any) -> tuple[str, ...]:
        parts = [f"on {saying.spoken('date', self.date)}", f"at {self.start}"]
        parts += [f"lasting {dict(LENGTHS)[self.minutes]}"] if self.minutes else []
        parts += [f"at the location {self.location}"] if self.location else []
        parts += [f"with {world.named(self.guest)} as the guest"] if self.guest else []
        parts += [f"with the reminder set to {dict(REMINDERS)[self.reminder].lower()}"] if self.reminder >= 0 else []
        rest = ", ".join(parts)
        return (
            f'add an event called "{self.title}" to the calendar {rest}',
            f'create the calendar event "{self.title}" {rest}',
            f'put "{self.title}" into the calendar {rest}',
            f'make a new calendar entry with the title "{self.title}" {rest}',
        )


class MoveEvent(Goal, frozen=True):
    """Changes to an event: a fact per thing that is given."""

    event: str
    date: str = ""
    start: str = ""
    location: str = ""

    def _wanted(self) -> dict[str, str]:
        return {name: getattr(self, name) for name in ("date", "start", "location") if getattr(self, name)}

    def _named(self, world: World) -> str:
        one = world.occasion(self.event)
        return f'"{one.title}" of {saying.spoken("date", one.date)}'

    def facts(self, world: Any) -> tuple[Fact, ...]:
        what = self._named(world)
        return tuple(Fact(name, f"The {name} of {what} is now {value}.") for name, value in self._wanted().items())

    def holds(self, fact: str, end: End) -> bool:
        return saying.same(getattr(_now(end.world, end.state, self.event), fact), getattr(self, fact))

    def next(self, view: View) -> Intent | None:
        world, state = steps.box(view)
        now = _now(world, state, self.event)
        if all(saying.same(getattr(now, name), value) for name, value in self._wanted().items()):
            return None
        path = f"/event/{self.event}/edit"
        if view.path == path:
            given = world.occasion(self.event)
            form: list[steps.Control] = [("text", "title", given.title), ("text", "guests", ", ".join(given.guests))]
            form += [("date", "date", self.date)] if self.date else []
            form += [
                ("text", "start", self.start or given.start),
                ("text", "location", self.location or given.location),
            ]
            return steps.complete(view, "event", form) or steps.home(view)
        return view.link(path) or steps.to_occasion(view, self.event) or steps.home(view)

    def spoil(self, fact: str, world: Any) -> Goal:
        match fact:
            case "date":
                return msgspec.structs.replace(self, date=saying.other_value("date", self.date, ()))
            case "start":
                return msgspec.structs.replace(self, start=saying.other_value("time", self.start, ()))
            case _:
                return msgspec.structs.replace(self, location="Lobby")

    def clauses(self, world: Any) -> tuple[str, ...]:
        names = {"date": "the date to", "start": "the start time to", "location": "the location to"}
        spoken = {**self._wanted(), **({"date": saying.spoken("date", self.date)} if self.date else {})}
        changes = saying.listed([f"{names[name]} {value}" for name, value in spoken.items()])
        what = self._named(world)
        return (
            f"change the calendar event {what}: set {changes}",
            f"edit the event {what} in the calendar and set {changes}",
            f"reschedule the event {what}, setting {changes}",
            f"update {what} in the calendar by setting {changes}",
        )


class CancelEvent(Goal, frozen=True):
    """An event that is called off."""

    event: str
    skipped: bool = False

    def _named(self, world: World) -> str:
        one = world.occasion(self.event)
        return f'"{one.title}" on {saying.spoken("date", one.date)}'

    def facts(self, world: Any) -> tuple[Fact, ...]:
        return (Fact("cancelled", f"The event {self._named(world)} is cancelled."),)

    def holds(self, fact: str, end: End) -> bool:
        return _now(end.world, end.state, self.event).cancelled

    def next(self, view: View) -> Intent | None:
        world, state = steps.box(view)
        if self.skipped or _now(world, state, self.event).cancelled:
            return None
        return steps.to_occasion(view, self.event) or view.tap("do:cancel") or steps.home(view)

    def spoil(self, fact: str, world: Any) -> Goal:
        return msgspec.structs.replace(self, skipped=True)

    def clauses(self, world: Any) -> tuple[str, ...]:
        what = self._named(world)
        return (
            f"cancel the event {what}",
            f"call off {what} in the calendar",
            f"open {what} in the calendar and cancel it",
            f"mark the calendar event {what} as cancelled",
        )
