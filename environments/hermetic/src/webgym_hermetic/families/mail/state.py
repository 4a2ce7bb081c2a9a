"""What a session did to a mailbox, and how events change it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, TypeVar, cast

import msgspec

from webgym.errors import SiteStateError
from webgym.records.base import Record
from webgym_hermetic.families.mail.records import ACTIONS, PLACES, Draft, Message, Occasion, Person, Rule, Thread, World
from webgym_hermetic.family import Apply, Event

_ADDRESS = re.compile(r"[\w.+-]+@[\w-]+(\.[\w-]+)+", re.ASCII)
_ANGLES = re.compile(r"[^<>,;]*<([^<>]+)>")


class Flags(Record, frozen=True):
    """Where a conversation is and how it is marked."""

    folder: str
    unread: bool = False
    starred: bool = False
    labels: tuple[str, ...] = ()


class Letter(Record, frozen=True):
    """A message that was sent in this session."""

    id: str
    mode: str
    """new, reply, all or forward."""
    thread: str
    """The conversation it belongs to; its own if it is new."""
    subject: str
    message: Message
    draft: str = ""
    """The draft it was made from."""


class Settings(Record, frozen=True):
    """Everything on the settings pages but rules and blocked senders."""

    signature: str = ""
    density: str = "comfortable"
    theme: str = "system"
    notify: str = "important"
    sound: bool = False
    opens: str = "inbox"
    """What the mailbox opens with."""
    undo: str = "10"
    """Seconds within which sending can be undone."""
    vacation: bool = False
    vacation_from: str = ""
    vacation_to: str = ""
    vacation_subject: str = ""
    vacation_text: str = ""
    vacation_known: bool = False
    """Answer people of the address book only."""
    forwarding: bool = False
    forward_to: str = ""
    forward_then: str = "keep"


class State(Record, frozen=True):
    """A mailbox as a session left it: what differs from the world."""

    settings: Settings
    drafts: tuple[Draft, ...]
    rules: tuple[Rule, ...]
    blocked: tuple[str, ...]
    flags: dict[str, Flags] = {}
    letters: tuple[Letter, ...] = ()
    people: tuple[Person, ...] = ()
    """Changed and new ones."""
    occasions: tuple[Occasion, ...] = ()
    """Changed and new ones."""
    count: int = 0
    """Of things made, for their names."""


SETTINGS: Mapping[str, tuple[str, ...]] = {
    "density": ("comfortable", "cosy", "compact"),
    "theme": ("system", "light", "dark"),
    "notify": ("all", "important", "none"),
    "opens": ("inbox", "calendar", "contacts"),
    "undo": ("5", "10", "20", "30"),
    "forward_then": ("keep", "archive", "trash"),
}


def start(world: World) -> State:
    return State(Settings(signature=world.signature), world.drafts, world.rules, world.blocked)


def addresses(text: str) -> tuple[str, ...] | None:
    """The addresses in a field, or None if one of them is not an address."""
    parts = [part.strip() for part in re.split(r"[,;\n]", text) if part.strip()]
    plain = [match[1].strip() if (match := _ANGLES.fullmatch(part)) else part for part in parts]
    return tuple(plain) if all(_ADDRESS.fullmatch(part) for part in plain) else None


def flags_of(world: World, state: State, thread: str) -> Flags:
    """How a conversation is marked now.

    Raises:
        SiteStateError: There is no such conversation.
    """
    if thread in state.flags:
        return state.flags[thread]
    if any(letter.id == thread == letter.thread for letter in state.letters):
        return Flags("sent")
    for one in world.threads:
        if one.id == thread:
            return flags_now(state, one)
    raise SiteStateError(f"there is no conversation {thread!r}")


def flags_now(state: State, thread: Thread) -> Flags:
    """The same, of a conversation at hand."""
    if thread.id in state.flags:
        return state.flags[thread.id]
    return Flags(thread.folder, thread.unread, thread.starred, thread.labels)


def _text(event: Event, name: str) -> str:
    return str(event.args[name])


def _mark(world: World, state: State, event: Event) -> State:
    """Change marks of conversations: `threads`, and any of folder, unread, starred, label, unlabel."""
    flags = dict(state.flags)
    for key in cast("list[str]", event.args["threads"]):
        flags[key] = _marked(world, flags_of(world, state, key), event.args)
    return msgspec.structs.replace(state, flags=flags)


def _marked(world: World, flags: Flags, args: Mapping[str, Any]) -> Flags:
    for name, value in args.items():
        match name:
            case "folder":
                if value not in PLACES:
                    raise SiteStateError(f"there is no folder {value!r} to move to; there are {', '.join(PLACES)}")
                flags = msgspec.structs.replace(flags, folder=value)
            case "unread":
                flags = msgspec.structs.replace(flags, unread=bool(value))
            case "starred":
                flags = msgspec.structs.replace(flags, starred=bool(value))
            case "label":
                if value not in world.labels:
                    raise SiteStateError(f"there is no label {value!r}")
                flags = msgspec.structs.replace(flags, labels=tuple(sorted({*flags.labels, value})))
            case "unlabel":
                flags = msgspec.structs.replace(flags, labels=tuple(one for one in flags.labels if one != value))
            case _:
                pass
    return flags


def _send(world: World, state: State, event: Event) -> State:
    count = state.count + 1
    key = f"s{count}"
    to, cc = addresses(_text(event, "to")), addresses(str(event.args.get("cc", "")))
    if not to or cc is None:
        raise SiteStateError("a message needs recipients, each with a valid address")
    mode = str(event.args.get("mode", "new"))
    thread = str(event.args.get("thread", "")) or key
    if mode not in ("new", "reply", "all", "forward"):
        raise SiteStateError(f"there is no such way to send a message: {mode!r}")
    if thread != key:
        flags_of(world, state, thread)
    minute = 18 * 60 + count
    message = Message(
        id=key,
        name=world.owner.name,
        address=world.owner.email,
        to=to,
        cc=cc,
        sent=f"{world.today}T{minute // 60 % 24:02d}:{minute % 60:02d}",
        body=tuple(part for part in _text(event, "body").split("\n\n") if part.strip()),
        own=True,
        priority=str(event.args.get("priority", "normal")),
        receipt=bool(event.args.get("receipt", False)),
        scheduled=str(event.args.get("scheduled", "")),
    )
    draft = str(event.args.get("draft", ""))
    letter = Letter(key, mode, thread, _text(event, "subject"), message, draft)
    drafts = tuple(one for one in state.drafts if one.id != draft)
    return msgspec.structs.replace(state, letters=(*state.letters, letter), drafts=drafts, count=count)


def _draft(world: World, state: State, event: Event) -> State:
    """Save a draft: a new one, or over the one named by `draft`."""
    args = {name: value for name, value in event.args.items() if name != "draft"}
    key = str(event.args.get("draft", ""))
    old = next((one for one in state.drafts if one.id == key), None)
    count = state.count + 1
    saved = f"{world.today}T{17:02d}:{count % 60:02d}"
    draft = msgspec.convert({**args, "id": old.id if old else f"d{count + 100}", "saved": saved}, Draft)
    rest = tuple(one for one in state.drafts if one is not old)
    return msgspec.structs.replace(state, drafts=(draft, *rest), count=count)


def _contact(world: World, state: State, event: Event) -> State:
    """Save a contact: a new one, or changes to the one named by `person`."""
    key = str(event.args.get("person", ""))
    known = {one.id: one for one in (*world.people, *state.people)}
    if key and key not in known:
        raise SiteStateError(f"there is no contact {key!r}")
    old: dict[str, Any] = msgspec.to_builtins(known[key]) if key else {}
    count = state.count + (not key)
    args = {name: value for name, value in event.args.items() if name != "person"}
    person = msgspec.convert({**old, **args, "id": key or f"p{count}"}, Person)
    return msgspec.structs.replace(state, people=_kept(state.people, person), count=count)


def _occasion(world: World, state: State, event: Event) -> State:
    """Save an event of the calendar: a new one, or changes to the one named by `occasion`."""
    key = str(event.args.get("occasion", ""))
    known = {one.id: one for one in (*world.occasions, *state.occasions)}
    if key and key not in known:
        raise SiteStateError(f"there is no event {key!r} in the calendar")
    old: dict[str, Any] = msgspec.to_builtins(known[key]) if key else {}
    count = state.count + (not key)
    args = {name: value for name, value in event.args.items() if name != "occasion"}
    occasion = msgspec.convert({**old, **args, "id": key or f"n{count}"}, Occasion)
    return msgspec.structs.replace(state, occasions=_kept(state.occasions, occasion), count=count)


K = TypeVar("K", Person, Occasion)


def _kept(records: tuple[K, ...], record: K) -> tuple[K, ...]:
    if any(one.id == record.id for one in records):
        return tuple(record if one.id == record.id else one for one in records)
    return (*records, record)


def _settings(world: World, state: State, event: Event) -> State:
    del world
    for name, value in event.args.items():
        if name not in Settings.__struct_fields__:
            raise SiteStateError(f"there is no setting {name!r}")
        if name in SETTINGS and value not in SETTINGS[name]:
            raise SiteStateError(f"{name} is one of {', '.join(SETTINGS[name])}, not {value!r}")
    values = {**msgspec.structs.asdict(state.settings), **event.args}
    return msgspec.structs.replace(state, settings=msgspec.convert(values, Settings))


def _rule(world: World, state: State, event: Event) -> State:
    """A new rule, or one switched on or off."""
    key = str(event.args.get("rule", ""))
    if key:
        if all(one.id != key for one in state.rules):
            raise SiteStateError(f"there is no rule {key!r}")
        on = bool(event.args["on"])
        rules = tuple(msgspec.structs.replace(one, on=on) if one.id == key else one for one in state.rules)
        return msgspec.structs.replace(state, rules=rules)
    count = state.count + 1
    rule = msgspec.convert({**event.args, "id": f"r{count + 100}"}, Rule)
    if rule.action not in dict(ACTIONS) or (rule.action == "label") != (rule.label in world.labels):
        raise SiteStateError(f"a rule cannot do {rule.action!r} with label {rule.label!r}")
    return msgspec.structs.replace(state, rules=(*state.rules, rule), count=count)


def _block(world: World, state: State, event: Event) -> State:
    del world
    address = _text(event, "address")
    rest = tuple(one for one in state.blocked if one != address)
    return msgspec.structs.replace(state, blocked=(*rest, address) if event.args["on"] else rest)


EVENTS: dict[str, Apply] = {
    "mark": _mark,
    "send": _send,
    "draft": _draft,
    "contact": _contact,
    "occasion": _occasion,
    "settings": _settings,
    "rule": _rule,
    "block": _block,
}
