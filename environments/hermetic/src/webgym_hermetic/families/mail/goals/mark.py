"""Conversations to be put in order."""

# ruff: noqa: ARG002  not every goal needs all that goals are given

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from webgym_hermetic.families.mail.goals import saying, steps
from webgym_hermetic.families.mail.records import FOLDERS, World
from webgym_hermetic.families.mail.state import Flags, State, flags_of
from webgym_hermetic.goal import End, Fact, Goal
from webgym_hermetic.view import Intent, Tap, View

_VERBS: dict[str, tuple[str, ...]] = {
    "archive": ("archive {}", "move {} to the archive", "put {} into the archive", "clear away {} (archive)"),
    "trash": ("delete {}", "move {} to the trash", "throw {} into the trash", "get rid of {} (trash)"),
    "spam": ("report {} as spam", "mark {} as spam", "move {} to spam", "flag {} as junk, so that it ends up in Spam"),
    "inbox": ("move {} to the inbox", "put {} back into the inbox", "restore {} to the inbox", "bring {} to the inbox"),
    "star": ("star {}", "add a star to {}", "mark {} with a star", "give {} a star"),
    "unstar": ("remove the star from {}", "unstar {}", "take the star off {}", "clear the star on {}"),
    "read": ("mark {} as read", "set {} to read", "change {} from unread to read", "mark as read {}"),
    "unread": ("mark {} as unread", "set {} to unread", "change {} back to unread", "mark as unread {}"),
    "label": (
        'add the label "{label}" to {}', 'label {} as "{label}"', 'tag {} with "{label}"',
        'put the label "{label}" on {}',
    ),
    "unlabel": (
        'remove the label "{label}" from {}', 'take the label "{label}" off {}', 'delete the label "{label}" from {}',
        'clear "{label}" from the labels of {}',
    ),
}  # fmt: skip


def is_marked(flags: Flags, want: str) -> bool:
    """Whether conversations with these marks are as wanted."""
    verb, _, label = want.partition(":")
    match verb:
        case "star" | "unstar":
            return flags.starred == (verb == "star")
        case "read" | "unread":
            return flags.unread == (verb == "unread")
        case "label" | "unlabel":
            return (label in flags.labels) == (verb == "label")
        case _:
            return flags.folder == want


def worded(want: str, index: int, what: str) -> str:
    verb, _, label = want.partition(":")
    return _VERBS[verb][index].format(what, label=label)


def _truth(world: World, thread: str, want: str) -> str:
    name = saying.called(world, thread)
    verb, _, label = want.partition(":")
    texts = {
        "star": "is starred",
        "unstar": "is not starred",
        "read": "is marked as read",
        "unread": "is marked as unread",
        "label": f'has the label "{label}"',
        "unlabel": f'does not have the label "{label}"',
    }
    place = next((title for slug, title, _ in FOLDERS if slug == want), "")
    return f"{name[0].upper()}{name[1:]} {texts.get(verb, f'is in the folder {place}')}."


def mark_all(view: View, threads: Sequence[str], want: str) -> Intent | None:
    """Mark these conversations: from the list where several are, else one by one."""
    world, state = steps.box(view)
    left = [key for key in threads if not is_marked(flags_of(world, state, key), want)]
    if not left:
        return None
    if (intent := _from_list(view, left, want)) is not None:
        return intent
    for key in left:
        if view.path == f"/thread/{key}":
            return view.tap(f"do:{want}") or steps.home(view)
    return steps.to_thread(view, left[0]) or steps.home(view)


def _from_list(view: View, left: Sequence[str], want: str) -> Intent | None:
    for key in left:
        if tap := view.tap(f"do:{want}:{key}"):
            return tap
    action = view.find(f"do:bulk:{want}")
    boxes = {box.key.removeprefix("toggle:pick-"): box for box in view.starting("toggle:pick-")}
    here = [key for key in left if key in boxes]
    if action is None or (len(here) < 2 and not any(boxes[key].checked for key in here)):
        return None
    for key, box in boxes.items():
        if box.checked != (key in here):
            return Tap(box)
    return Tap(action)


class Mark(Goal, frozen=True):
    """Named conversations, all marked in one way: one fact each."""

    threads: tuple[str, ...]
    want: str
    """archive, trash, spam, inbox, star, unstar, read, unread, label:NAME or unlabel:NAME."""
    left_out: str = ""

    def facts(self, world: Any) -> tuple[Fact, ...]:
        return tuple(Fact(key, _truth(world, key, self.want)) for key in self.threads)

    def holds(self, fact: str, end: End) -> bool:
        return is_marked(flags_of(end.world, end.state, fact), self.want)

    def next(self, view: View) -> Intent | None:
        return mark_all(view, [key for key in self.threads if key != self.left_out], self.want)

    def spoil(self, fact: str, world: Any) -> Goal:
        return msgspec.structs.replace(self, left_out=fact)

    def clauses(self, world: Any) -> tuple[str, ...]:
        what = saying.listed([saying.called(world, key) for key in self.threads])
        return tuple(worded(self.want, index, what) for index in range(4))


class Sweep(Goal, frozen=True):
    """All conversations from one sender in a folder: one fact each."""

    address: str
    folder: str
    want: str
    left_out: str = ""

    def threads(self, world: World) -> tuple[str, ...]:
        return tuple(one.id for one in world.threads if one.other.address == self.address and one.folder == self.folder)

    def facts(self, world: Any) -> tuple[Fact, ...]:
        return tuple(Fact(key, _truth(world, key, self.want)) for key in self.threads(world))

    def holds(self, fact: str, end: End) -> bool:
        return is_marked(flags_of(end.world, end.state, fact), self.want)

    def next(self, view: View) -> Intent | None:
        wanted = [key for key in self.threads(view.world) if key != self.left_out]
        return mark_all(view, wanted, self.want)

    def spoil(self, fact: str, world: Any) -> Goal:
        return msgspec.structs.replace(self, left_out=fact)

    def clauses(self, world: Any) -> tuple[str, ...]:
        name = next(one.other.name for one in world.threads if one.other.address == self.address)
        place = next(title for slug, title, _ in FOLDERS if slug == self.folder)
        what = (
            f"every conversation from {name} in {place}",
            f"all conversations in the folder {place} that come from {name}",
            f"everything from {name} that is in {place}",
            f"all mail that {place} holds from {name}",
        )
        return tuple(worded(self.want, index, what[index]) for index in range(4))


class BlockSender(Goal, frozen=True):
    """Whoever sent a conversation is blocked, or no longer blocked."""

    thread: str
    on: bool = True
    skipped: bool = False

    def _address(self, world: World) -> str:
        return world.thread(self.thread).other.address

    def facts(self, world: Any) -> tuple[Fact, ...]:
        return (Fact("blocked", f"{self._address(world)} is {'' if self.on else 'not '}among the blocked senders."),)

    def holds(self, fact: str, end: End) -> bool:
        return self._is_done(end.world, end.state)

    def _is_done(self, world: World, state: State) -> bool:
        return (self._address(world) in state.blocked) == self.on

    def next(self, view: View) -> Intent | None:
        world, state = steps.box(view)
        if self.skipped or self._is_done(world, state):
            return None
        return steps.to_thread(view, self.thread) or view.tap("do:block") or steps.home(view)

    def spoil(self, fact: str, world: Any) -> Goal:
        return msgspec.structs.replace(self, skipped=True)

    def clauses(self, world: Any) -> tuple[str, ...]:
        subject = world.thread(self.thread).subject
        if not self.on:
            return (
                f'unblock the sender of "{subject}"',
                f'take the sender of the message "{subject}" off the list of blocked senders',
                f'stop blocking whoever sent "{subject}"',
                f'allow mail from the sender of "{subject}" again',
            )
        return (
            f'block the sender of the message "{subject}"',
            f'add whoever sent "{subject}" to the blocked senders',
            f'make sure that the sender of "{subject}" is blocked',
            f'put the sender of the message "{subject}" on the list of blocked senders',
        )
