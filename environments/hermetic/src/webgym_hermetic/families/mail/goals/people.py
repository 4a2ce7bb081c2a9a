"""Contacts to be looked up, added and changed."""

# ruff: noqa: ARG002  not every goal needs all that goals are given

from __future__ import annotations

from typing import Any

import msgspec

from webgym_hermetic.families.mail.goals import saying, steps
from webgym_hermetic.families.mail.records import DetailKind, Person, World
from webgym_hermetic.families.mail.state import State
from webgym_hermetic.goal import End, Fact, Goal
from webgym_hermetic.view import Intent, View

FIELDS: dict[str, str] = {
    "name": "name",
    "email": "e-mail address",
    "phone": "phone number",
    "company": "company",
    "role": "job title",
    "birthday": "birthday",
    "city": "city",
}
_OTHERS = {
    "name": "Alex Morrow",
    "email": "alex.morrow@homebox.org",
    "phone": "(415) 555-0171",
    "company": "Morrow & Sons",
    "role": "Consultant",
    "birthday": "1979-09-09",
    "city": "Fresno",
}
"""What a spoiled goal writes."""


def _kind(field: str) -> DetailKind:
    return "date" if field == "birthday" else "text"


def _is(person: Person, field: str, value: str) -> bool:
    have = getattr(person, field)
    if field == "phone":
        return [c for c in have if c.isdigit()] == [c for c in value if c.isdigit()]
    return saying.same(have, value)


class ContactFact(Goal, frozen=True):
    """What the address book says about somebody."""

    person: str
    field: str
    claim: str = ""

    def _rivals(self, world: World) -> tuple[str, ...]:
        mine = world.person(self.person)
        value = getattr(mine, self.field)
        ranked = sorted(world.people, key=lambda one: one.name.split()[0] != mine.name.split()[0])
        found = [getattr(one, self.field) for one in ranked if one.id != mine.id]
        return tuple(dict.fromkeys(one for one in found if one and one != value))

    def facts(self, world: Any) -> tuple[Fact, ...]:
        person = world.person(self.person)
        value = saying.spoken(_kind(self.field), getattr(person, self.field))
        return (Fact("answer", f"The answer gives the {FIELDS[self.field]} of {person.name} as {value}."),)

    def holds(self, fact: str, end: End) -> bool:
        value = getattr(end.world.person(self.person), self.field)
        return saying.says(end.answer, _kind(self.field), value, self._rivals(end.world))

    def next(self, view: View) -> Intent | None:
        return None if view.visited(f"/contacts/{self.person}") else steps.to_person(view, self.person)

    def spoil(self, fact: str, world: Any) -> Goal:
        return msgspec.structs.replace(self, claim=self._rivals(world)[0])

    def clauses(self, world: Any) -> tuple[str, ...]:
        name, field = world.person(self.person).name, FIELDS[self.field]
        return (
            f"look up the {field} of {name} in the contacts",
            f"tell me the {field} of your contact {name}",
            f"find {name} in the address book and report the {field}",
            f"open the contacts and tell me which {field} is stored for {name}",
        )

    def answer(self, world: Any) -> str:
        value = self.claim or getattr(world.person(self.person), self.field)
        return f"The {FIELDS[self.field]} is {saying.spoken(_kind(self.field), value)}."


class NewContact(Goal, frozen=True):
    """A new contact: a fact per field that is given."""

    name: str
    email: str
    phone: str = ""
    company: str = ""
    role: str = ""
    birthday: str = ""
    city: str = ""

    def _wanted(self) -> dict[str, str]:
        return {field: getattr(self, field) for field in FIELDS if getattr(self, field)}

    def facts(self, world: Any) -> tuple[Fact, ...]:
        return tuple(
            Fact(field, f"The new contact has the {FIELDS[field]} {value}.") for field, value in self._wanted().items()
        )

    def _made(self, world: World, state: State) -> Person | None:
        known = {one.id for one in world.people}
        related = [
            one
            for one in state.people
            if one.id not in known and (saying.same(one.name, self.name) or saying.same(one.email, self.email))
        ]
        return related[-1] if related else None

    def holds(self, fact: str, end: End) -> bool:
        made = self._made(end.world, end.state)
        return made is not None and _is(made, fact, getattr(self, fact))

    def next(self, view: View) -> Intent | None:
        world, state = steps.box(view)
        made = self._made(world, state)
        if made is not None and all(_is(made, field, value) for field, value in self._wanted().items()):
            return None
        if view.path == "/contacts/new":
            form: list[steps.Control] = [("text", field, getattr(self, field)) for field in FIELDS]
            return steps.complete(view, "contact", form) or steps.home(view)
        return view.link("/contacts/new") or steps.to_page(view, "/contacts") or steps.home(view)

    def spoil(self, fact: str, world: Any) -> Goal:
        return msgspec.structs.replace(self, **{fact: _OTHERS[fact]})

    def clauses(self, world: Any) -> tuple[str, ...]:
        rest = {field: value for field, value in self._wanted().items() if field != "name"}
        listed = ", ".join(f"{FIELDS[field]} {value}" for field, value in rest.items())
        given = "; ".join(f"{FIELDS[field]}: {value}" for field, value in rest.items())
        return (
            f"add {self.name} to the contacts: {listed}",
            f"create a new contact named {self.name} with {listed}",
            f"save a new contact. Name: {self.name}; {given}",
            f"put {self.name} into the address book ({given})",
        )


class EditContact(Goal, frozen=True):
    """Changes to a contact: a fact per field."""

    person: str
    phone: str = ""
    company: str = ""
    role: str = ""
    city: str = ""
    email: str = ""

    def _wanted(self) -> dict[str, str]:
        return {
            field: getattr(self, field)
            for field in ("email", "phone", "company", "role", "city")
            if getattr(self, field)
        }

    def facts(self, world: Any) -> tuple[Fact, ...]:
        name = world.person(self.person).name
        return tuple(
            Fact(field, f"The {FIELDS[field]} of {name} is {value}.") for field, value in self._wanted().items()
        )

    def _now(self, world: World, state: State) -> Person:
        return next((one for one in state.people if one.id == self.person), world.person(self.person))

    def holds(self, fact: str, end: End) -> bool:
        return _is(self._now(end.world, end.state), fact, getattr(self, fact))

    def next(self, view: View) -> Intent | None:
        world, state = steps.box(view)
        now = self._now(world, state)
        if all(_is(now, field, value) for field, value in self._wanted().items()):
            return None
        path = f"/contacts/{self.person}/edit"
        if view.path == path:
            given = world.person(self.person)
            form: list[steps.Control] = [("text", "name", given.name), ("text", "email", self.email or given.email)]
            form += [("text", field, value) for field, value in self._wanted().items() if field != "email"]
            form += [("text", "birthday", given.birthday)]
            return steps.complete(view, "contact", form) or steps.home(view)
        return view.link(path) or steps.to_person(view, self.person) or steps.home(view)

    def spoil(self, fact: str, world: Any) -> Goal:
        return msgspec.structs.replace(self, **{fact: _OTHERS[fact]})

    def clauses(self, world: Any) -> tuple[str, ...]:
        person = world.person(self.person)
        who = f"{person.name} ({person.email})"
        changes = saying.listed([f"the {FIELDS[field]} to {value}" for field, value in self._wanted().items()])
        given = "; ".join(f"{FIELDS[field]}: {value}" for field, value in self._wanted().items())
        return (
            f"change the contact {who}: set {changes}",
            f"edit {who} in the contacts and set {changes}",
            f"update the contact {who} with this: {given}",
            f"correct the address book entry of {who} ({given})",
        )
