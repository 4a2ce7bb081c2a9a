"""Messages to be written."""

# ruff: noqa: ARG002  not every goal needs all that goals are given

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec

from webgym_hermetic.families.mail.addressing import answered
from webgym_hermetic.families.mail.goals import saying, steps
from webgym_hermetic.families.mail.records import World
from webgym_hermetic.families.mail.state import Letter, State, start
from webgym_hermetic.goal import End, Fact, Goal
from webgym_hermetic.view import Intent, View


def latest(state: State, related: Callable[[Letter], bool]) -> Letter | None:
    """The last message sent of those that could be meant."""
    return next((letter for letter in reversed(state.letters) if related(letter)), None)


def stranger(world: World, *known: str) -> str:
    """Somebody of the address book who is none of these."""
    return next(one.email for one in world.people if one.email not in known)


def write_new(view: View, controls: list[steps.Control]) -> Intent:
    """A new message: on its page, or in a dialog over this one."""
    if view.path != "/compose" or not {"reply", "all", "forward", "draft"} & view.query.keys():
        intent = steps.complete(view, "send", controls)
        if intent is not None:
            return intent
    return view.link("/compose") or steps.home(view)


def names(world: World, addresses: tuple[str, ...]) -> str:
    """Recipients as an oracle writes them: names of contacts, else addresses."""
    return ", ".join(world.named(one) for one in addresses)


class Compose(Goal, frozen=True):
    """A new message."""

    to: str
    subject: str
    body: str
    cc: str = ""
    priority: str = ""
    receipt: bool = False
    scheduled: str = ""

    def facts(self, world: Any) -> tuple[Fact, ...]:
        texts = {
            "to": f"The message is addressed to {world.named(self.to)}.",
            "subject": f'Its subject is "{self.subject}".',
            "body": f'Its text is "{self.body}".',
            "cc": f"A copy (cc) goes to {world.named(self.cc)}.",
            "priority": f"Its priority is {self.priority}.",
            "receipt": "A read receipt is requested.",
            "scheduled": f"It is scheduled to be sent on {self.scheduled}.",
        }
        return tuple(Fact(name, text) for name, text in texts.items() if getattr(self, name))

    def _sent(self, state: State) -> Letter | None:
        return latest(
            state,
            lambda one: one.mode == "new" and (saying.same(one.subject, self.subject) or one.message.to == (self.to,)),
        )

    def holds(self, fact: str, end: End) -> bool:
        letter = self._sent(end.state)
        return letter is not None and self._is_right(letter, fact)

    def _is_right(self, letter: Letter, fact: str) -> bool:
        message = letter.message
        match fact:
            case "to":
                return message.to == (self.to,)
            case "cc":
                return message.cc == (self.cc,)
            case "subject":
                return saying.same(letter.subject, self.subject)
            case "body":
                return saying.same("\n\n".join(message.body), self.body)
            case _:
                return getattr(message, fact) == getattr(self, fact)

    def next(self, view: View) -> Intent | None:
        world, state = steps.box(view)
        letter = self._sent(state)
        if letter is not None and all(self._is_right(letter, fact.name) for fact in self.facts(world)):
            return None
        wanted: list[steps.Control] = [
            ("text", "to", world.named(self.to)),
            ("text", "cc", world.named(self.cc) if self.cc else ""),
            ("text", "subject", self.subject),
            ("text", "body", self.body),
            ("choice", "priority", self.priority or "normal"),
            ("toggle", "receipt", "on" if self.receipt else ""),
            ("toggle", "later", "on" if self.scheduled else ""),
        ]
        if self.scheduled:
            wanted.append(("date", "scheduled", self.scheduled))
        return write_new(view, wanted)

    def spoil(self, fact: str, world: Any) -> Goal:
        match fact:
            case "to" | "cc":
                return msgspec.structs.replace(self, **{fact: stranger(world, self.to, self.cc)})
            case "subject":
                return msgspec.structs.replace(self, subject=f"{self.subject} again")
            case "body":
                return msgspec.structs.replace(self, body="Please call me back.")
            case "priority":
                return msgspec.structs.replace(self, priority="low" if self.priority == "high" else "high")
            case "receipt":
                return msgspec.structs.replace(self, receipt=False)
            case _:
                return msgspec.structs.replace(self, scheduled=saying.other_value("date", self.scheduled, ()))

    def clauses(self, world: Any) -> tuple[str, ...]:
        who = world.named(self.to)
        extras = [f"with a copy (cc) to {world.named(self.cc)}"] if self.cc else []
        extras += [f"with {self.priority} priority"] if self.priority else []
        extras += ["requesting a read receipt"] if self.receipt else []
        extras += [f"scheduled for {self.scheduled}"] if self.scheduled else []
        more = f", {saying.listed(extras)}" if extras else ""
        return (
            f'send a new message to {who} with the subject "{self.subject}" and the text "{self.body}"{more}',
            f'write to {who}{more}; subject: "{self.subject}", text: "{self.body}"',
            f'compose an e-mail for {who} saying "{self.body}" under the subject "{self.subject}"{more}, and send it',
            f'e-mail {who} ({self.to}) the text "{self.body}" with "{self.subject}" as the subject{more}',
        )


class Reply(Goal, frozen=True):
    """An answer to a conversation."""

    thread: str
    text: str
    everyone: bool = False

    def _is_group(self, world: World) -> bool:
        return answered(world, start(world), self.thread, everyone=True) != self._to(world, everyone=False)

    def _to(self, world: World, *, everyone: bool) -> tuple[str, ...]:
        return answered(world, start(world), self.thread, everyone=everyone)

    def facts(self, world: Any) -> tuple[Fact, ...]:
        text = Fact("text", f'{saying.capital(saying.called(world, self.thread))} was answered with "{self.text}".')
        who = names(world, self._to(world, everyone=self.everyone))
        return (text, Fact("to", f"The answer went to exactly: {who}.")) if self._is_group(world) else (text,)

    def holds(self, fact: str, end: End) -> bool:
        letter = latest(end.state, lambda one: one.thread == self.thread and one.mode in ("reply", "all"))
        return letter is not None and self._is_right(letter, fact, end.world)

    def _is_right(self, letter: Letter, fact: str, world: World) -> bool:
        if fact == "text":
            return saying.same("\n\n".join(letter.message.body), self.text)
        wanted = self._to(world, everyone=self.everyone)
        return sorted((*letter.message.to, *letter.message.cc)) == sorted(wanted)

    def next(self, view: View) -> Intent | None:
        world, state = steps.box(view)
        letter = latest(state, lambda one: one.thread == self.thread and one.mode in ("reply", "all"))
        if letter is not None and all(self._is_right(letter, fact.name, world) for fact in self.facts(world)):
            return None
        if view.path == "/compose" and view.query.get("all" if self.everyone else "reply") == self.thread:
            to = ", ".join(self._to(world, everyone=self.everyone))
            form: list[steps.Control] = [
                ("text", "to", to),
                ("text", "cc", ""),
                ("text", "body", self.text),
                ("toggle", "later", ""),
            ]
            return steps.complete(view, "send", form) or steps.home(view)
        if (intent := steps.to_thread(view, self.thread)) is not None:
            return intent
        quick: list[steps.Control] = [
            ("toggle", "reply_all", "on" if self.everyone else ""),
            ("text", "reply", self.text),
        ]
        way = "all" if self.everyone and self._is_group(world) else "reply"
        return steps.complete(view, "reply", quick) or view.link(f"/compose?{way}={self.thread}") or steps.home(view)

    def spoil(self, fact: str, world: Any) -> Goal:
        if fact == "to":
            return msgspec.structs.replace(self, everyone=not self.everyone)
        return msgspec.structs.replace(self, text="Thank you for your message.")

    def clauses(self, world: Any) -> tuple[str, ...]:
        what = saying.called(world, self.thread)
        to = ""
        if self._is_group(world):
            last = world.named(self._to(world, everyone=False)[0])
            to = " to all" if self.everyone else f" only to {last}, who wrote last"
        return (
            f'reply{to} in {what} with the text "{self.text}"',
            f'answer {what}: reply{to} with "{self.text}"',
            f'open {what} and send a reply{to} that says "{self.text}"',
            f'in {what}, reply{to} as follows: "{self.text}"',
        )


class Forward(Goal, frozen=True):
    """A conversation passed on, with a note."""

    thread: str
    to: str
    note: str

    def facts(self, world: Any) -> tuple[Fact, ...]:
        what = saying.called(world, self.thread)
        return (
            Fact("to", f"{what[0].upper()}{what[1:]} was forwarded to {world.named(self.to)}."),
            Fact("note", f'The note with it is "{self.note}".'),
        )

    def _sent(self, state: State) -> Letter | None:
        return latest(state, lambda one: one.thread == self.thread and one.mode == "forward")

    def holds(self, fact: str, end: End) -> bool:
        letter = self._sent(end.state)
        return letter is not None and self._is_right(letter, fact)

    def _is_right(self, letter: Letter, fact: str) -> bool:
        if fact == "to":
            return letter.message.to == (self.to,)
        return saying.same("\n\n".join(letter.message.body), self.note)

    def next(self, view: View) -> Intent | None:
        world, state = steps.box(view)
        letter = self._sent(state)
        if letter is not None and all(self._is_right(letter, fact) for fact in ("to", "note")):
            return None
        if view.path == "/compose" and view.query.get("forward") == self.thread:
            form: list[steps.Control] = [
                ("text", "to", world.named(self.to)),
                ("text", "cc", ""),
                ("text", "body", self.note),
            ]
            return steps.complete(view, "send", [*form, ("toggle", "later", "")]) or steps.home(view)
        step = steps.to_thread(view, self.thread) or view.link(f"/compose?forward={self.thread}")
        return step or steps.home(view)

    def spoil(self, fact: str, world: Any) -> Goal:
        if fact == "to":
            return msgspec.structs.replace(self, to=stranger(world, self.to))
        return msgspec.structs.replace(self, note="See below.")

    def clauses(self, world: Any) -> tuple[str, ...]:
        what, who = saying.called(world, self.thread), world.named(self.to)
        return (
            f'forward {what} to {who} with the note "{self.note}"',
            f'pass {what} on to {who} by forwarding it, adding the text "{self.note}"',
            f'forward to {who}: {what}; write "{self.note}" above it',
            f'send {what} on to {who} as a forward and add "{self.note}"',
        )
