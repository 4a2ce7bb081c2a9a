"""What a session did to a forum."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from webgym.errors import SiteStateError
from webgym.records.base import Record
from webgym_hermetic.families.forum.house import MOST_GUESTS
from webgym_hermetic.families.forum.records import Letter, Poll, Post, Thread, World
from webgym_hermetic.family import Event


class Draft(Record, frozen=True):
    """A thread that is being written."""

    board: str = ""
    title: str = ""
    body: str = ""
    tags: str = ""
    poll: bool = False
    option1: str = ""
    option2: str = ""
    option3: str = ""
    follow: bool = False


class Rsvp(Record, frozen=True):
    """What was answered to an invitation."""

    answer: str
    guests: int
    bring: str


class Report(Record, frozen=True):
    """A complaint about a post."""

    post: str
    reason: str
    note: str


class Message(Record, frozen=True):
    """A private message that began a conversation."""

    to: str
    subject: str
    text: str
    at: str


class Settings(Record, frozen=True):
    """What can be set about the account."""

    display_name: str = ""
    location: str = ""
    signature: str = ""
    theme: str = "system"
    digest: str = "weekly"
    digest_day: str = "monday"
    visibility: str = "members"
    messages_from: str = "everyone"
    show_online: bool = True
    show_location: bool = True
    on_reply: bool = True
    on_mention: bool = True
    on_quote: bool = False
    on_vote: bool = False
    on_event: bool = True
    newsletter: bool = False


SECTIONS: dict[str, tuple[str, ...]] = {
    "profile": ("display_name", "location", "signature", "theme"),
    "notifications": (
        "digest",
        "digest_day",
        "on_reply",
        "on_mention",
        "on_quote",
        "on_vote",
        "on_event",
        "newsletter",
    ),
    "privacy": ("visibility", "messages_from", "show_online", "show_location"),
}
OPTIONS: dict[str, tuple[tuple[str, str], ...]] = {
    "theme": (("system", "Same as my device"), ("light", "Light"), ("dark", "Dark"), ("contrast", "High contrast")),
    "digest": (("never", "Never"), ("daily", "Every day"), ("weekly", "Every week"), ("monthly", "Every month")),
    "digest_day": (("monday", "Monday"), ("wednesday", "Wednesday"), ("friday", "Friday"), ("sunday", "Sunday")),
    "visibility": (
        ("everyone", "Everyone"),
        ("members", "Members only"),
        ("followed", "Members I follow"),
        ("nobody", "Nobody"),
    ),
    "messages_from": (("everyone", "Everyone"), ("followed", "Members I follow"), ("team", "The team only")),
}
ANSWERS = (("going", "Going"), ("maybe", "Maybe"), ("no", "Cannot come"))
REASONS = (
    ("spam", "Spam or advertising"),
    ("rude", "Rude or insulting"),
    ("off-topic", "Off topic"),
    ("unsafe", "Dangerous advice"),
)


class State(Record, frozen=True):
    """A session's own version of the forum, on top of its world."""

    threads: tuple[Thread, ...] = ()
    replies: tuple[Post, ...] = ()
    votes: dict[str, int] = {}
    accepted: dict[str, str] = {}
    bookmarks: tuple[str, ...] = ()
    following: tuple[str, ...] = ()
    friends: tuple[str, ...] = ()
    polls: dict[str, str] = {}
    draft: Draft = Draft()
    sent: tuple[Message, ...] = ()
    letters: dict[str, tuple[Letter, ...]] = {}
    rsvps: dict[str, Rsvp] = {}
    reports: tuple[Report, ...] = ()
    seen: tuple[str, ...] = ()
    settings: Settings = Settings()


def start(world: World) -> State:
    """Some things are bookmarked and followed already, by a rule of the world alone."""
    others = [thread for thread in world.threads if thread.author != world.me.handle]
    return State(
        bookmarks=tuple(thread.id for thread in others[3:60:19]),
        following=tuple(thread.id for thread in others[5:70:31]),
        friends=tuple(member.handle for member in world.members[6:40:13]),
        settings=Settings(
            display_name=world.me.handle.replace("_", " ").title(),
            location=world.me.location,
            signature=world.me.signature,
        ),
    )


def thread_of(world: World, state: State, key: str) -> Thread | None:
    """A thread, of the world's or a new one."""
    return world.thread_of.get(key) or next((one for one in state.threads if one.id == key), None)


def posts_of(state: State, thread: Thread) -> tuple[Post, ...]:
    """The posts of a thread, with what was written in this session."""
    new = tuple(post for post in state.replies if post.id.partition("-")[0] == thread.id)
    return (*thread.posts, *new)


def now(world: World, state: State) -> str:
    """A time for what is written next: minutes pass with each thing that was written."""
    minutes = 5 + len(state.replies) + len(state.threads) + len(state.sent) + sum(map(len, state.letters.values()))
    return f"{world.today} {9 + minutes // 60:02d}:{minutes % 60:02d}"


def _thread(world: World, state: State, key: Any) -> Thread:
    thread = thread_of(world, state, str(key))
    if thread is None:
        raise SiteStateError(f"there is no thread {key!r}")
    return thread


def _post(world: World, state: State, key: Any) -> Post:
    thread = _thread(world, state, str(key).partition("-")[0])
    for post in posts_of(state, thread):
        if post.id == key:
            return post
    raise SiteStateError(f"there is no post {key!r}")


def _text(args: Mapping[str, Any], name: str) -> str:
    text = str(args.get(name, "")).strip()
    if not text:
        raise SiteStateError(f"{name} is empty")
    return text


def _reply(world: World, state: State, event: Event) -> State:
    thread = _thread(world, state, event.args["thread"])
    if thread.locked:
        raise SiteStateError(f"thread {thread.id} is locked")
    quote = str(event.args.get("quote", ""))
    if quote and _post(world, state, quote).id.partition("-")[0] != thread.id:
        raise SiteStateError(f"post {quote!r} is in another thread")
    number = len(posts_of(state, thread)) + 1
    text = _text(event.args, "text")
    post = Post(f"{thread.id}-{number}", world.me.handle, now(world, state), text, 0, quote)
    return msgspec.structs.replace(state, replies=(*state.replies, post))


def _vote(world: World, state: State, event: Event) -> State:
    post, value = _post(world, state, event.args["post"]), event.args["value"]
    if value not in (-1, 0, 1):
        raise SiteStateError("a vote is -1, 0 or 1")
    return msgspec.structs.replace(state, votes={**state.votes, post.id: value})


def _accept(world: World, state: State, event: Event) -> State:
    thread = _thread(world, state, event.args["thread"])
    if thread.author != world.me.handle:
        raise SiteStateError("only who asked can accept an answer")
    post = str(event.args["post"])
    if post and (_post(world, state, post).id == thread.posts[0].id or post.partition("-")[0] != thread.id):
        raise SiteStateError(f"post {post!r} is no answer in this thread")
    return msgspec.structs.replace(state, accepted={**state.accepted, thread.id: post})


def _toggled(kept: tuple[str, ...], key: str, *, on: bool) -> tuple[str, ...]:
    rest = tuple(one for one in kept if one != key)
    return (*rest, key) if on else rest


def _bookmark(world: World, state: State, event: Event) -> State:
    key = _thread(world, state, event.args["thread"]).id
    return msgspec.structs.replace(state, bookmarks=_toggled(state.bookmarks, key, on=bool(event.args["on"])))


def _follow(world: World, state: State, event: Event) -> State:
    key = _thread(world, state, event.args["thread"]).id
    return msgspec.structs.replace(state, following=_toggled(state.following, key, on=bool(event.args["on"])))


def _befriend(world: World, state: State, event: Event) -> State:
    key = world.member_of[str(event.args["member"])].handle
    return msgspec.structs.replace(state, friends=_toggled(state.friends, key, on=bool(event.args["on"])))


def _poll(world: World, state: State, event: Event) -> State:
    thread, option = _thread(world, state, event.args["thread"]), str(event.args["option"])
    if thread.poll is None or option not in thread.poll.options:
        raise SiteStateError(f"thread {thread.id} has no poll with {option!r}")
    return msgspec.structs.replace(state, polls={**state.polls, thread.id: option})


def _draft(_: World, state: State, event: Event) -> State:
    return msgspec.structs.replace(state, draft=msgspec.convert(event.args, Draft))


def _publish(world: World, state: State, _: Event) -> State:
    draft = state.draft
    if draft.board not in world.board_of:
        raise SiteStateError(f"there is no board {draft.board!r}")
    tags = split_tags(draft.tags)
    if len(draft.title) < world.least_title or not draft.body or len(tags) > world.most_tags:
        raise SiteStateError("the draft is not complete")
    key = f"n{len(state.threads) + 1}"
    options = tuple(one for one in (draft.option1, draft.option2, draft.option3) if one)
    post = Post(f"{key}-1", world.me.handle, now(world, state), draft.body)
    thread = Thread(
        id=key,
        board=draft.board,
        title=draft.title,
        author=world.me.handle,
        tags=tags,
        posts=(post,),
        kind="new",
        views=1,
        poll=Poll(options, (0,) * len(options), world.today) if draft.poll else None,
    )
    following = _toggled(state.following, key, on=draft.follow)
    return msgspec.structs.replace(state, threads=(*state.threads, thread), following=following, draft=Draft())


def split_tags(text: str) -> tuple[str, ...]:
    """Tags as written with commas between them, each once."""
    return tuple(dict.fromkeys(tag.strip().lower() for tag in text.split(",") if tag.strip()))


def _send(world: World, state: State, event: Event) -> State:
    to = world.member_of[str(event.args["to"])].handle
    message = Message(to, _text(event.args, "subject"), _text(event.args, "text"), now(world, state))
    return msgspec.structs.replace(state, sent=(*state.sent, message))


def _answer(world: World, state: State, event: Event) -> State:
    key = str(event.args["conversation"])
    if key not in {one.id for one in world.conversations}:
        raise SiteStateError(f"there is no conversation {key!r}")
    letter = Letter(world.me.handle, now(world, state), _text(event.args, "text"))
    return msgspec.structs.replace(state, letters={**state.letters, key: (*state.letters.get(key, ()), letter)})


def _rsvp(world: World, state: State, event: Event) -> State:
    key = world.meetup_of[str(event.args["event"])].id
    rsvp = msgspec.convert(event.args, Rsvp)
    if (
        rsvp.answer not in dict(ANSWERS)
        or not 0 <= rsvp.guests <= MOST_GUESTS
        or rsvp.bring not in ("", *world.bank.bring)
    ):
        raise SiteStateError(f"{rsvp} is no answer to an invitation")
    return msgspec.structs.replace(state, rsvps={**state.rsvps, key: rsvp})


def _report(world: World, state: State, event: Event) -> State:
    report = Report(
        _post(world, state, event.args["post"]).id, str(event.args["reason"]), str(event.args.get("note", ""))
    )
    if report.reason not in dict(REASONS):
        raise SiteStateError(f"{report.reason!r} is no reason")
    return msgspec.structs.replace(state, reports=(*state.reports, report))


def _settings(_: World, state: State, event: Event) -> State:
    for name, value in event.args.items():
        if name in OPTIONS and value not in dict(OPTIONS[name]):
            raise SiteStateError(f"{name} cannot be {value!r}")
    merged = {**msgspec.structs.asdict(state.settings), **event.args}
    unknown = event.args.keys() - msgspec.structs.asdict(state.settings).keys()
    if unknown:
        raise SiteStateError(f"there is no setting {min(unknown)!r}")
    return msgspec.structs.replace(state, settings=msgspec.convert(merged, Settings))


def _seen(world: World, state: State, _: Event) -> State:
    return msgspec.structs.replace(state, seen=tuple(one.id for one in world.notifications))


EVENTS = {
    "reply": _reply,
    "vote": _vote,
    "accept": _accept,
    "bookmark": _bookmark,
    "follow": _follow,
    "befriend": _befriend,
    "poll": _poll,
    "draft": _draft,
    "publish": _publish,
    "send": _send,
    "answer": _answer,
    "rsvp": _rsvp,
    "report": _report,
    "settings": _settings,
    "seen": _seen,
}
