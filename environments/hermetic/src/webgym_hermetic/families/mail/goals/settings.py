"""Settings to be changed."""

# ruff: noqa: ARG002  not every goal needs all that goals are given

from __future__ import annotations

from datetime import date, timedelta
from typing import Any

import msgspec

from webgym_hermetic.families.mail.goals import saying, steps
from webgym_hermetic.families.mail.state import SETTINGS, State
from webgym_hermetic.goal import End, Fact, Goal
from webgym_hermetic.view import Intent, View

SPOKEN: dict[str, tuple[str, dict[str, str]]] = {
    "density": ("display density", {"comfortable": "Comfortable", "cosy": "Cosy", "compact": "Compact"}),
    "theme": ("theme", {"system": "Same as system", "light": "Light", "dark": "Dark"}),
    "opens": ("start page", {"inbox": "Inbox", "calendar": "Calendar", "contacts": "Contacts"}),
    "undo": ("time to undo sending", {one: f"{one} seconds" for one in SETTINGS["undo"]}),
    "notify": ("notifications", {"all": "All messages", "important": "Important only", "none": "None"}),
    "sound": ("notification sound", {"on": "on", "": "off"}),
}
"""Settings that are chosen from a list: how they and their values are called."""
_SECTION = {
    "density": "general",
    "theme": "general",
    "opens": "general",
    "undo": "general",
    "notify": "notifications",
    "sound": "notifications",
}


def to_form(view: View, section: str, wanted: list[steps.Control]) -> Intent:
    """Fill in and save a form of the settings, wherever the site has it."""
    if view.path.startswith("/settings") and (intent := steps.complete(view, section, wanted)) is not None:
        return intent
    if view.path.startswith("/settings") and (tap := view.link(f"/settings/{section}")) is not None:
        return tap
    return view.link("/settings") or steps.home(view)


class Preferences(Goal, frozen=True):
    """Choices on the settings pages: a fact each."""

    density: str = ""
    theme: str = ""
    opens: str = ""
    undo: str = ""
    notify: str = ""
    sound: str = ""
    """on, or nothing."""

    def _wanted(self) -> dict[str, str]:
        return {name: getattr(self, name) for name in _SECTION if getattr(self, name)}

    def facts(self, world: Any) -> tuple[Fact, ...]:
        return tuple(
            Fact(name, f"The {SPOKEN[name][0]} is set to {SPOKEN[name][1][value]}.")
            for name, value in self._wanted().items()
        )

    def holds(self, fact: str, end: End) -> bool:
        return self._is_set(end.state, fact)

    def _is_set(self, state: State, name: str) -> bool:
        now = getattr(state.settings, name)
        return now if name == "sound" else now == getattr(self, name)

    def next(self, view: View) -> Intent | None:
        _, state = steps.box(view)
        missing = [name for name in self._wanted() if not self._is_set(state, name)]
        if self.sound == "off":
            missing = [name for name in missing if name != "sound"]
        if not missing:
            return None
        section = _SECTION[missing[0]]
        form: list[steps.Control] = [
            ("toggle" if name == "sound" else "choice", name, "" if value == "off" else value)
            for name, value in self._wanted().items()
            if _SECTION[name] == section
        ]
        return to_form(view, section, form)

    def spoil(self, fact: str, world: Any) -> Goal:
        if fact == "sound":
            return msgspec.structs.replace(self, sound="off")
        other = next(value for value in SETTINGS[fact] if value != getattr(self, fact))
        return msgspec.structs.replace(self, **{fact: other})

    def clauses(self, world: Any) -> tuple[str, ...]:
        parts = [f"the {SPOKEN[name][0]} to {_quoted(name, value)}" for name, value in self._wanted().items()]
        changes = saying.listed(parts)
        return (
            f"in the settings, set {changes}",
            f"change the settings: set {changes}",
            f"open the settings and set {changes}",
            f"adjust the mailbox settings by setting {changes}",
        )


def _quoted(name: str, value: str) -> str:
    return "on" if name == "sound" else f'"{SPOKEN[name][1][value]}"'


class Signature(Goal, frozen=True):
    """The text below every message."""

    text: str

    def facts(self, world: Any) -> tuple[Fact, ...]:
        return (Fact("signature", f'The signature is "{self.text}".'),)

    def holds(self, fact: str, end: End) -> bool:
        return saying.same(end.state.settings.signature, self.text)

    def next(self, view: View) -> Intent | None:
        _, state = steps.box(view)
        if saying.same(state.settings.signature, self.text):
            return None
        return to_form(view, "signature", [("text", "signature", self.text)])

    def spoil(self, fact: str, world: Any) -> Goal:
        return msgspec.structs.replace(self, text=f"{self.text} and team")

    def clauses(self, world: Any) -> tuple[str, ...]:
        return (
            f'change the signature to "{self.text}"',
            f'set "{self.text}" as the e-mail signature',
            f'replace the signature in the settings with "{self.text}"',
            f'open the settings and make the signature read "{self.text}"',
        )


class Vacation(Goal, frozen=True):
    """The vacation responder: on, with dates, a subject and a text."""

    first: str
    last: str
    subject: str
    text: str
    known: bool = False
    """Answer contacts only."""
    on: bool = True

    def _wanted(self) -> dict[str, str | bool]:
        return {
            "vacation": self.on,
            "vacation_from": self.first,
            "vacation_to": self.last,
            "vacation_subject": self.subject,
            "vacation_text": self.text,
            "vacation_known": self.known,
        }

    def facts(self, world: Any) -> tuple[Fact, ...]:
        facts = (
            Fact("vacation", "The vacation responder is switched on."),
            Fact("vacation_from", f"Its first day is {self.first}."),
            Fact("vacation_to", f"Its last day is {self.last}."),
            Fact("vacation_subject", f'Its subject is "{self.subject}".'),
            Fact("vacation_text", f'Its text is "{self.text}".'),
        )
        return (*facts, Fact("vacation_known", "It answers contacts only.")) if self.known else facts

    def holds(self, fact: str, end: End) -> bool:
        return self._is_set(end.state, fact)

    def _is_set(self, state: State, name: str) -> bool:
        now, wanted = getattr(state.settings, name), self._wanted()[name]
        return saying.same(now, wanted) if isinstance(wanted, str) else now == wanted

    def next(self, view: View) -> Intent | None:
        world, state = steps.box(view)
        del world
        if all(self._is_set(state, name) for name in self._wanted()):
            return None
        return to_form(
            view,
            "vacation",
            [
                ("toggle", "vacation", "on" if self.on else ""),
                ("date", "vacation_from", self.first),
                ("date", "vacation_to", self.last),
                ("text", "vacation_subject", self.subject),
                ("text", "vacation_text", self.text),
                ("toggle", "vacation_known", "on" if self.known else ""),
            ],
        )

    def spoil(self, fact: str, world: Any) -> Goal:
        match fact:
            case "vacation":
                return msgspec.structs.replace(self, on=False)
            case "vacation_from":
                return msgspec.structs.replace(self, first=_shifted(self.first, -1))
            case "vacation_to":
                return msgspec.structs.replace(self, last=_shifted(self.last, 1))
            case "vacation_subject":
                return msgspec.structs.replace(self, subject=f"{self.subject} again")
            case "vacation_text":
                return msgspec.structs.replace(self, text="I am not here.")
            case _:
                return msgspec.structs.replace(self, known=False)

    def clauses(self, world: Any) -> tuple[str, ...]:
        only = ", answering contacts only" if self.known else ""
        days = f"from {saying.spoken('date', self.first)} to {saying.spoken('date', self.last)}"
        return (
            f'turn on the vacation responder {days} with the subject "{self.subject}" and the text "{self.text}"{only}',
            f'set up an automatic vacation reply {days}{only}; subject: "{self.subject}", text: "{self.text}"',
            f'switch the vacation responder on{only}, active {days}, subject "{self.subject}", message "{self.text}"',
            f'activate the vacation responder {days}, saying "{self.text}" under the subject "{self.subject}"{only}',
        )


def _shifted(iso: str, days: int) -> str:
    return (date.fromisoformat(iso) + timedelta(days=days)).isoformat()


class Forwarding(Goal, frozen=True):
    """Incoming mail passed on to another address."""

    address: str
    then: str
    on: bool = True

    def facts(self, world: Any) -> tuple[Fact, ...]:
        return (
            Fact("on", "Forwarding is switched on."),
            Fact("address", f"Mail is forwarded to {self.address}."),
            Fact("then", f"What happens to forwarded mail here: {_THEN[self.then]}."),
        )

    def holds(self, fact: str, end: End) -> bool:
        return self._is_set(end.state, fact)

    def _is_set(self, state: State, name: str) -> bool:
        settings = state.settings
        match name:
            case "on":
                return settings.forwarding == self.on
            case "address":
                return saying.same(settings.forward_to, self.address)
            case _:
                return settings.forward_then == self.then

    def next(self, view: View) -> Intent | None:
        _, state = steps.box(view)
        if all(self._is_set(state, name) for name in ("on", "address", "then")):
            return None
        form: list[steps.Control] = [
            ("toggle", "forwarding", "on" if self.on else ""),
            ("text", "forward_to", self.address),
            ("choice", "forward_then", self.then),
        ]
        return to_form(view, "forwarding", form)

    def spoil(self, fact: str, world: Any) -> Goal:
        match fact:
            case "on":
                return msgspec.structs.replace(self, on=False)
            case "address":
                return msgspec.structs.replace(self, address=f"x{self.address}")
            case _:
                return msgspec.structs.replace(self, then=next(one for one in _THEN if one != self.then))

    def clauses(self, world: Any) -> tuple[str, ...]:
        then = _THEN[self.then]
        return (
            f'turn on forwarding of incoming mail to {self.address}, with "{then}" for the original',
            f'set up mail forwarding to {self.address} and choose "{then}" for forwarded mail',
            f'switch forwarding on: address {self.address}, afterwards "{then}"',
            f'in the settings, forward incoming mail to {self.address} and pick "{then}"',
        )


_THEN = {"keep": "Keep a copy", "archive": "Archive it", "trash": "Delete it"}
