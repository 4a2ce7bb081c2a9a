"""Forms to fill in: new threads, invitations, settings."""

# ruff: noqa: ARG002  not every goal needs all that goals are given

from __future__ import annotations

from webgym_hermetic import controls
from webgym_hermetic.families.forum.goals.base import ForumGoal
from webgym_hermetic.families.forum.goals.ways import first, go, same
from webgym_hermetic.families.forum.records import Thread, World
from webgym_hermetic.families.forum.state import ANSWERS, OPTIONS, SECTIONS, Draft, Rsvp, State, split_tags
from webgym_hermetic.goal import End, Fact
from webgym_hermetic.view import Intent, View

LABELS: dict[str, str] = {
    "display_name": "display name",
    "location": "location",
    "signature": "signature",
    "theme": "theme",
    "digest": "email digest",
    "digest_day": "day of the digest",
    "visibility": "“Who can see my profile”",
    "messages_from": "“Who can send me messages”",
    "show_online": "“Show when I am online”",
    "show_location": "“Show my location”",
    "on_reply": "notifications about “Replies to my threads”",
    "on_mention": "notifications about “Mentions of my name”",
    "on_quote": "notifications about “Quotes of my posts”",
    "on_vote": "notifications about “Votes on my posts”",
    "on_event": "notifications about “Meetups near me”",
    "newsletter": "the “Monthly newsletter”",
}


class StartThread(ForumGoal, frozen=True):
    """Write a new thread."""

    board: str
    title: str
    body: str
    tags: tuple[str, ...] = ()
    poll: tuple[str, ...] = ()
    follow: bool = False

    def facts(self, world: World) -> tuple[Fact, ...]:
        wanted = [
            Fact("board", f"The latest new thread is in the board “{world.board_of[self.board].name}”."),
            Fact("title", f"Its title is “{self.title}”."),
            Fact("body", f"Its text is “{self.body}”."),
        ]
        if self.tags:
            wanted.append(Fact("tags", f"Its tags are {', '.join(self.tags)}."))
        if self.poll:
            wanted.append(Fact("poll", f"It has a poll with the options {', '.join(self.poll)}."))
        if self.follow:
            wanted.append(Fact("follow", "It is followed."))
        return tuple(wanted)

    def holds(self, fact: str, end: End) -> bool:
        return bool(end.state.threads) and self._right(fact, end.state.threads[-1], end.state)

    def _right(self, fact: str, thread: Thread, state: State) -> bool:
        match fact:
            case "board":
                return thread.board == self.board
            case "title":
                return same(thread.title, self.title)
            case "body":
                return same(thread.posts[0].text, self.body)
            case "tags":
                return sorted(thread.tags) == sorted(self.tags)
            case "poll":
                return (thread.poll.options if thread.poll else ()) == self.poll
            case _:
                return thread.id in state.following

    def next(self, view: View) -> Intent | None:
        state: State = view.state
        facts = (
            ("board", "title", "body", "tags", "poll", "follow")
            if self.follow
            else ("board", "title", "body", "tags", "poll")
        )
        if state.threads and all(self._right(fact, state.threads[-1], state) for fact in facts):
            return None
        return go(view, "/new") or self._fill(view, state.draft)

    def _fill(self, view: View, draft: Draft) -> Intent | None:
        if not self._drafted(draft, view) and (back := view.link("/new?step=1")) is not None:
            return back
        options = (*self.poll, "", "", "")
        return first(
            controls.choose(view, "board", self.board),
            controls.write(view, "title", self.title),
            controls.write(view, "body", self.body),
            controls.write(view, "tags", ", ".join(self.tags)),
            controls.switch(view, "poll", on=bool(self.poll)),
            *(controls.write(view, f"option{number}", options[number - 1]) for number in (1, 2, 3)),
            controls.switch(view, "follow", on=self.follow),
            view.tap("submit:thread"),
        )

    def _drafted(self, draft: Draft, view: View) -> bool:
        """Whether what was written on earlier steps is right."""
        subject = view.find("field:title") is not None or (draft.board == self.board and same(draft.title, self.title))
        early = view.find("field:body") is not None or view.find("field:title") is not None
        text = early or (same(draft.body, self.body) and split_tags(draft.tags) == self.tags)
        return subject and text

    def spoil(self, fact: str, world: World) -> StartThread:
        board, title, body, tags, poll, follow = self.board, self.title, self.body, self.tags, self.poll, self.follow
        match fact:
            case "board":
                board = next(one.slug for one in world.boards if one.slug != self.board)
            case "title":
                title = f"{self.title} (again)"
            case "body":
                body = f"{self.body} Thanks."
            case "tags":
                tags = (next(tag for tag in world.tags if tag not in self.tags), *self.tags[1:])
            case "poll":
                poll = (*self.poll[:-1], "Something else")
            case _:
                follow = False
        return StartThread(board, title, body, tags, poll, follow)

    def clauses(self, world: World) -> tuple[str, ...]:
        board = world.board_of[self.board].name
        more = [f"tags: {', '.join(self.tags)}"] if self.tags else ["no tags"]
        more.append(
            f"with a poll with the options {', '.join(f'“{one}”' for one in self.poll)} in this order"
            if self.poll
            else "no poll"
        )
        if self.follow:
            more.append("and follow the thread")
        extra = "; ".join(more)
        return (
            f"start a new thread in the board “{board}”, title “{self.title}”, with the text “{self.body}” ({extra})",
            f"post a new thread: board “{board}”, title “{self.title}”, text “{self.body}”, {extra}",
            f"create a thread titled “{self.title}” in “{board}”, saying “{self.body}” ({extra})",
            f"open a new discussion in “{board}” called “{self.title}” and write “{self.body}” in it; {extra}",
        )

    def places(self, world: World) -> tuple[str, ...]:
        return ("/new",)


class AnswerInvitation(ForumGoal, frozen=True):
    """Say whether one comes to a meetup, with how many guests and what one brings."""

    meetup: str
    answer_is: str
    guests: int
    bring: str

    def facts(self, world: World) -> tuple[Fact, ...]:
        title = world.meetup_of[self.meetup].title
        return (
            Fact("answer", f"The answer to the invitation to “{title}” is “{dict(ANSWERS)[self.answer_is]}”."),
            Fact("guests", f"{self.guests} guests are announced for it."),
            Fact("bring", f"“{self.bring}” is what will be brought to it."),
        )

    def holds(self, fact: str, end: End) -> bool:
        rsvp = end.state.rsvps.get(self.meetup)
        return rsvp is not None and self._right(fact, rsvp)

    def _right(self, fact: str, rsvp: Rsvp) -> bool:
        match fact:
            case "answer":
                return rsvp.answer == self.answer_is
            case "guests":
                return rsvp.guests == self.guests
            case _:
                return rsvp.bring == self.bring

    def next(self, view: View) -> Intent | None:
        rsvp = view.state.rsvps.get(self.meetup)
        if rsvp is not None and all(self._right(fact, rsvp) for fact in ("answer", "guests", "bring")):
            return None
        return first(
            go(view, f"/event/{self.meetup}", "/events"),
            controls.choose(view, "answer", self.answer_is),
            controls.count(view, "guests", self.guests),
            controls.choose(view, "bring", self.bring),
            view.tap("submit:rsvp"),
        )

    def spoil(self, fact: str, world: World) -> AnswerInvitation:
        match fact:
            case "answer":
                other = next(key for key, _ in ANSWERS if key != self.answer_is)
                return AnswerInvitation(self.meetup, other, self.guests, self.bring)
            case "guests":
                return AnswerInvitation(self.meetup, self.answer_is, self.guests - 1, self.bring)
            case _:
                other = next(one for one in world.bank.bring if one != self.bring)
                return AnswerInvitation(self.meetup, self.answer_is, self.guests, other)

    def clauses(self, world: World) -> tuple[str, ...]:
        title, word = world.meetup_of[self.meetup].title, dict(ANSWERS)[self.answer_is]
        guests = "1 guest" if self.guests == 1 else f"{self.guests} guests"
        return (
            f"answer the invitation to “{title}” with “{word}”, {guests}, bringing “{self.bring}”",
            f"go to the meetup “{title}” and reply “{word}” for me with {guests}; I will bring “{self.bring}”",
            f"RSVP “{word}” to “{title}”: {guests}, and choose “{self.bring}” as what I bring",
            f"for the event “{title}”, set my answer to “{word}”, {guests}, and what I bring to “{self.bring}”",
        )

    def places(self, world: World) -> tuple[str, ...]:
        return (f"/event/{self.meetup}",)


class ChangeSettings(ForumGoal, frozen=True):
    """Change some of the settings of one page."""

    section: str
    values: dict[str, str | bool]

    def facts(self, world: World) -> tuple[Fact, ...]:
        return tuple(
            Fact(name, f"The setting {LABELS[name]} is {_shown(name, value)}.") for name, value in self.values.items()
        )

    def holds(self, fact: str, end: End) -> bool:
        return getattr(end.state.settings, fact) == self.values[fact]

    def next(self, view: View) -> Intent | None:
        settings = view.state.settings
        if all(getattr(settings, name) == value for name, value in self.values.items()):
            return None
        changes = [
            _set(view, name, self.values[name] if name in self.values else getattr(settings, name))
            for name in SECTIONS[self.section]
        ]
        return first(go(view, f"/settings/{self.section}", "/settings/profile"), *changes, view.tap("submit:settings"))

    def spoil(self, fact: str, world: World) -> ChangeSettings:
        return ChangeSettings(self.section, {name: value for name, value in self.values.items() if name != fact})

    def clauses(self, world: World) -> tuple[str, ...]:
        parts = [_wish(name, value) for name, value in self.values.items()]
        listed = parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"
        return (
            f"in my {self.section} settings, {listed}",
            f"go to the {self.section} settings, {listed}, and save",
            f"change my settings ({self.section}): {listed}",
            f"open the settings page for {self.section} and {listed}; save it",
        )

    def places(self, world: World) -> tuple[str, ...]:
        return (f"/settings/{self.section}",)


def _set(view: View, name: str, value: str | bool) -> Intent | None:
    if isinstance(value, bool):
        return controls.switch(view, name, on=value)
    return controls.choose(view, name, value) if name in OPTIONS else controls.write(view, name, value)


def _shown(name: str, value: str | bool) -> str:
    if isinstance(value, bool):
        return "on" if value else "off"
    return f"“{dict(OPTIONS[name])[value] if name in OPTIONS else value}”"


def _wish(name: str, value: str | bool) -> str:
    if isinstance(value, bool):
        return f"switch {LABELS[name]} {_shown(name, value)}"
    return (
        f"set the {LABELS[name]} to {_shown(name, value)}"
        if not LABELS[name].startswith("“")
        else f"set {LABELS[name]} to {_shown(name, value)}"
    )
