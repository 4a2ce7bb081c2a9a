"""A mailbox as it is now: the world with what the session changed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from webgym_hermetic.families.mail.records import FOLDERS, Draft, Message, Occasion, Person, Thread, World
from webgym_hermetic.families.mail.state import Flags, Letter, State, flags_now

SORTS: tuple[tuple[str, str], ...] = (
    ("newest", "Newest first"),
    ("oldest", "Oldest first"),
    ("sender", "Sender A-Z"),
    ("sender_down", "Sender Z-A"),
    ("subject", "Subject A-Z"),
)
FILTERS: tuple[tuple[str, str], ...] = (
    ("all", "All"),
    ("unread", "Unread"),
    ("starred", "Starred"),
    ("files", "With attachments"),
)


@dataclass(frozen=True, slots=True)
class Row:
    """One line of a list of conversations."""

    id: str
    href: str
    who: str
    sort_name: str
    address: str
    subject: str
    snippet: str
    at: str
    count: int
    files: int
    flags: Flags
    own: bool = False
    """Whether the owner wrote in it."""
    draft: bool = False
    scheduled: str = ""


def people(world: World, state: State) -> list[Person]:
    """All contacts, by name."""
    known = {one.id: one for one in (*world.people, *state.people)}
    return sorted(known.values(), key=lambda one: (one.name.lower(), one.id))


def occasions(world: World, state: State) -> list[Occasion]:
    """All events of the calendar, by time."""
    known = {one.id: one for one in (*world.occasions, *state.occasions)}
    return sorted(known.values(), key=lambda one: (one.date, one.start, one.id))


def messages(world: World, state: State, thread: str) -> tuple[Message, ...]:
    """The messages of a conversation, with those sent in this session. Nothing if there is no such conversation."""
    given = next((one.messages for one in world.threads if one.id == thread), ())
    return (*given, *(letter.message for letter in state.letters if letter.thread == thread))


def subject(world: World, state: State, thread: str) -> str:
    given = next((one.subject for one in world.threads if one.id == thread), "")
    return given or next((letter.subject for letter in state.letters if letter.thread == thread), "")


def rows(world: World, state: State, folder: str) -> list[Row]:
    """The conversations of a folder or `label:NAME` or `everything`, newest first."""
    if folder == "drafts":
        return [_draft_row(world, draft) for draft in state.drafts]
    found = [row for row in _all(world, state) if _in(row, folder)]
    if folder == "sent":
        found = [_sent_row(world, state, row) for row in found]
    return sorted(found, key=lambda row: row.at, reverse=True)


def _all(world: World, state: State) -> Iterable[Row]:
    answers: dict[str, list[Letter]] = {}
    for letter in state.letters:
        answers.setdefault(letter.thread, []).append(letter)
    for thread in world.threads:
        extra = answers.get(thread.id, [])
        given = (*thread.messages, *(letter.message for letter in extra)) if extra else thread.messages
        yield _row(world, state, thread, given)
    for letter in state.letters:
        if letter.thread == letter.id:
            thread = Thread(letter.id, "own", letter.subject, (letter.message,), "sent")
            given = tuple(one.message for one in answers[letter.id])
            yield _row(world, state, thread, given)


def _in(row: Row, folder: str) -> bool:
    if folder == "sent":
        return row.own and row.flags.folder not in ("spam", "trash")
    if folder.startswith("label:"):
        return folder[6:] in row.flags.labels and row.flags.folder not in ("spam", "trash")
    return folder in ("everything", row.flags.folder)


def _row(world: World, state: State, thread: Thread, given: tuple[Message, ...]) -> Row:
    last = given[-1]
    others = list(dict.fromkeys(message.name for message in given if not message.own))
    own = any(message.own for message in given)
    if not others:
        names = ", ".join(_name(world, address) for address in given[0].to)
        who = f"To: {names}"
    elif len(given) == 1:
        who = others[0]
    else:
        who = ", ".join([one.partition(" ")[0] if len(others) > 1 else one for one in others] + (["me"] if own else []))
    return Row(
        id=thread.id,
        href=f"/thread/{thread.id}",
        who=who,
        sort_name=others[0] if others else who,
        address=thread.other.address,
        subject=thread.subject,
        snippet=" ".join(last.body)[:160],
        at=last.sent,
        count=len(given),
        files=sum(len(message.attachments) for message in given),
        flags=flags_now(state, thread),
        own=own,
        scheduled=last.scheduled,
    )


def _sent_row(world: World, state: State, row: Row) -> Row:
    own = [message for message in messages(world, state, row.id) if message.own][-1]
    names = ", ".join(_name(world, address) for address in own.to)
    return Row(
        id=row.id,
        href=row.href,
        who=f"To: {names}",
        sort_name=names,
        address=own.to[0],
        subject=row.subject,
        snippet=" ".join(own.body)[:160],
        at=own.sent,
        count=row.count,
        files=row.files,
        flags=row.flags,
        scheduled=own.scheduled,
    )


def _draft_row(world: World, draft: Draft) -> Row:
    who = f"To: {_name(world, draft.to)}" if draft.to else "(no recipient)"
    flags = Flags("drafts")
    text = " ".join(draft.body.split())[:160]
    return Row(
        id=draft.id,
        href=f"/compose?draft={draft.id}",
        who=who,
        sort_name=who,
        address=draft.to,
        subject=draft.subject or "(no subject)",
        snippet=text,
        at=draft.saved,
        count=1,
        files=0,
        flags=flags,
        draft=True,
    )


def _name(world: World, address: str) -> str:
    return world.named(address)


def narrowed(found: list[Row], query: Mapping[str, str]) -> list[Row]:
    """Filtered and sorted as a query asks."""
    match query.get("filter", "all"):
        case "unread":
            found = [row for row in found if row.flags.unread]
        case "starred":
            found = [row for row in found if row.flags.starred]
        case "files":
            found = [row for row in found if row.files]
        case _:
            pass
    match query.get("sort", "newest"):
        case "oldest":
            return sorted(found, key=lambda row: row.at)
        case "sender" | "sender_down" as order:
            down = order == "sender_down"
            return sorted(found, key=lambda row: row.sort_name.removeprefix("To: ").lower(), reverse=down)
        case "subject":
            return sorted(found, key=lambda row: row.subject.lower())
        case _:
            return found


def searched(world: World, state: State, query: Mapping[str, str]) -> list[Row]:
    """What a search finds: all words in names, subject or text; and what the filter form asks for."""
    words = query.get("q", "").lower().split()
    sender, about = query.get("from", "").strip().lower(), query.get("subject", "").strip().lower()
    after, before, place = query.get("after", ""), query.get("before", ""), query.get("folder", "")
    written = {one.id: one.messages for one in world.threads}
    for letter in state.letters:
        written[letter.thread] = (*written.get(letter.thread, ()), letter.message)
    found: list[Row] = []
    for row in rows(world, state, place or "everything"):
        given = written.get(row.id, ())
        if words and not _matches(words, row, given):
            continue
        if sender and not any(sender in f"{one.name} {one.address}".lower() for one in given):
            continue
        if about and about not in row.subject.lower():
            continue
        if query.get("files") and not row.files:
            continue
        if (after and row.at[:10] < after) or (before and row.at[:10] > before):
            continue
        found.append(row)
    return narrowed(found, query)


def _matches(words: list[str], row: Row, given: tuple[Message, ...]) -> bool:
    parts = [row.subject, *(f"{one.name} {one.address} {' '.join(one.body)}" for one in given)]
    parts += [file.name for one in given for file in one.attachments]
    text = " ".join(parts).lower()
    return all(word in text for word in words)


def unread(world: World, state: State) -> dict[str, int]:
    """How many unread conversations each folder has; of drafts, how many there are."""
    counts = {name: 0 for name, _, _ in FOLDERS}
    for thread in world.threads:
        flags = flags_now(state, thread)
        if flags.unread and flags.folder in counts:
            counts[flags.folder] += 1
    counts["drafts"] = len(state.drafts)
    return counts
