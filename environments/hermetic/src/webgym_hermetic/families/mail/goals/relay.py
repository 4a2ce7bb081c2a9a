"""Messages made of what is there: a fact found in the mailbox, a draft."""

from __future__ import annotations

from typing import Any

import msgspec

from webgym_hermetic.families.mail.goals import saying, steps
from webgym_hermetic.families.mail.goals.write import latest, stranger, write_new
from webgym_hermetic.families.mail.records import Detail, Draft, World
from webgym_hermetic.families.mail.state import Letter, State
from webgym_hermetic.goal import End, Fact, Goal
from webgym_hermetic.view import Intent, View


class Relay(Goal, frozen=True):
    """Something a conversation says, written to somebody in a new message."""

    thread: str
    detail: str
    to: str
    subject: str
    claim: str = ""

    def _detail(self, world: World) -> Detail:
        return next(one for one in world.thread(self.thread).details if one.name == self.detail)

    def facts(self, world: Any) -> tuple[Fact, ...]:
        detail = self._detail(world)
        return (
            Fact("to", f'The message "{self.subject}" is addressed to {world.named(self.to)}.'),
            Fact("subject", f'Its subject is "{self.subject}".'),
            Fact("content", f"It says {detail.ask}: {saying.spoken(detail.kind, detail.value)}."),
        )

    def _sent(self, state: State) -> Letter | None:
        return latest(
            state,
            lambda one: one.mode == "new" and (saying.same(one.subject, self.subject) or one.message.to == (self.to,)),
        )

    def holds(self, fact: str, end: End) -> bool:
        letter = self._sent(end.state)
        return letter is not None and self._is_right(letter, fact, end.world)

    def _is_right(self, letter: Letter, fact: str, world: World) -> bool:
        match fact:
            case "to":
                return letter.message.to == (self.to,)
            case "subject":
                return saying.same(letter.subject, self.subject)
            case _:
                detail = self._detail(world)
                rivals = saying.rivals_of(world, world.thread(self.thread), self.detail)
                value = self.claim or detail.value
                others = tuple(one for one in (*rivals, detail.value) if one != value)
                return saying.says(" ".join(letter.message.body), detail.kind, value, others)

    def next(self, view: View) -> Intent | None:
        world, state = steps.box(view)
        letter = self._sent(state)
        if letter is not None and all(self._is_right(letter, fact, world) for fact in ("to", "subject", "content")):
            return None
        if not view.visited(f"/thread/{self.thread}"):
            return steps.to_thread(view, self.thread)
        detail = self._detail(world)
        said = saying.spoken(detail.kind, self.claim or detail.value)
        form: list[steps.Control] = [
            ("text", "to", world.named(self.to)),
            ("text", "cc", ""),
            ("text", "subject", self.subject),
            ("text", "body", f"{detail.ask[0].upper()}{detail.ask[1:]}: {said}"),
            ("toggle", "later", ""),
        ]
        return write_new(view, form)

    def spoil(self, fact: str, world: Any) -> Goal:
        match fact:
            case "to":
                return msgspec.structs.replace(self, to=stranger(world, self.to))
            case "subject":
                return msgspec.structs.replace(self, subject=f"{self.subject} again")
            case _:
                detail = self._detail(world)
                rivals = saying.rivals_of(world, world.thread(self.thread), self.detail)
                return msgspec.structs.replace(self, claim=saying.other_value(detail.kind, detail.value, rivals))

    def clauses(self, world: Any) -> tuple[str, ...]:
        what, ask, who = saying.called(world, self.thread), self._detail(world).ask, world.named(self.to)
        return (
            f'look up {ask} in {what} and send it to {who} in a new message with the subject "{self.subject}"',
            f'find {what}, then write {who} a new message with the subject "{self.subject}" that gives {ask}',
            f'tell {who} {ask} from {what}: send a new e-mail with "{self.subject}" as the subject',
            f'check {ask} in {what} and e-mail it to {who} (new message, subject "{self.subject}")',
        )


class FinishDraft(Goal, frozen=True):
    """A draft that gets a recipient and a priority and is sent."""

    draft: str
    to: str
    priority: str
    body: str = ""
    """What to write instead of its text."""

    def _draft(self, world: World) -> Draft:
        return next(one for one in world.drafts if one.id == self.draft)

    def facts(self, world: Any) -> tuple[Fact, ...]:
        subject = self._draft(world).subject
        return (
            Fact("to", f'"{subject}" was sent to {world.named(self.to)}.'),
            Fact("priority", f"Its priority is {self.priority}."),
            Fact("text", "Its text is the one of the draft."),
        )

    def _sent(self, world: World, state: State) -> Letter | None:
        subject = self._draft(world).subject
        return latest(state, lambda one: one.mode == "new" and saying.same(one.subject, subject))

    def holds(self, fact: str, end: End) -> bool:
        letter = self._sent(end.world, end.state)
        return letter is not None and self._is_right(letter, fact, end.world)

    def _is_right(self, letter: Letter, fact: str, world: World) -> bool:
        match fact:
            case "to":
                return letter.message.to == (self.to,)
            case "priority":
                return letter.message.priority == self.priority
            case _:
                return saying.same("\n\n".join(letter.message.body), self.body or self._draft(world).body)

    def next(self, view: View) -> Intent | None:
        world, state = steps.box(view)
        letter = self._sent(world, state)
        if letter is not None and all(self._is_right(letter, fact.name, world) for fact in self.facts(world)):
            return None
        draft = self._draft(world)
        form: list[steps.Control] = [
            ("text", "to", world.named(self.to)),
            ("text", "cc", ""),
            ("text", "subject", draft.subject),
            ("text", "body", self.body or draft.body),
            ("choice", "priority", self.priority),
            ("toggle", "later", ""),
        ]
        if all(one.id != self.draft for one in state.drafts):
            return write_new(view, form)
        if view.path == "/compose" and view.query.get("draft") == self.draft:
            return steps.complete(view, "send", form) or steps.home(view)
        return view.link(f"/compose?draft={self.draft}") or steps.to_page(view, "/folder/drafts") or steps.home(view)

    def spoil(self, fact: str, world: Any) -> Goal:
        match fact:
            case "to":
                return msgspec.structs.replace(self, to=stranger(world, self.to, self._draft(world).to))
            case "priority":
                return msgspec.structs.replace(self, priority="low" if self.priority == "high" else "high")
            case _:
                return msgspec.structs.replace(self, body="More about this next week.")

    def clauses(self, world: Any) -> tuple[str, ...]:
        subject, who = self._draft(world).subject, world.named(self.to)
        return (
            f'open the draft "{subject}", address it to {who} only, set the priority to {self.priority} and send it',
            f'send the draft "{subject}" to {who} with {self.priority} priority, without changing its text',
            f'finish the draft "{subject}": recipient {who}, priority {self.priority}, text unchanged; then send it',
            f'take the draft "{subject}", send it to {who} with {self.priority} priority and leave its text alone',
        )
