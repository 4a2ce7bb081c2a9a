"""Things to write: replies, messages, reports."""

# ruff: noqa: ARG002  not every goal needs all that goals are given

from __future__ import annotations

from webgym_hermetic import controls
from webgym_hermetic.families.forum.goals.base import ForumGoal
from webgym_hermetic.families.forum.goals.figures import post_of
from webgym_hermetic.families.forum.goals.ways import first, go, home, same, to_post, to_thread
from webgym_hermetic.families.forum.records import Conversation, Post, World
from webgym_hermetic.families.forum.state import REASONS, Message, Report, State
from webgym_hermetic.goal import End, Fact, Goal
from webgym_hermetic.view import Intent, View


class ReplyToThread(ForumGoal, frozen=True):
    """Write a reply, perhaps with a quote."""

    thread: str
    text: str
    quote: str = ""

    def _latest(self, state: State) -> Post | None:
        own = [post for post in state.replies if post.id.partition("-")[0] == self.thread]
        return own[-1] if own else None

    def facts(self, world: World) -> tuple[Fact, ...]:
        title = world.thread_of[self.thread].title
        text = Fact("text", f"The latest own reply in “{title}” reads “{self.text}”.")
        if not self.quote:
            return (text,)
        return (text, Fact("quote", f"That reply quotes the post by {post_of(world, self.quote).author}."))

    def holds(self, fact: str, end: End) -> bool:
        latest = self._latest(end.state)
        if latest is None:
            return False
        return same(latest.text, self.text) if fact == "text" else latest.quote == self.quote

    def next(self, view: View) -> Intent | None:
        latest = self._latest(view.state)
        if latest is not None and same(latest.text, self.text) and latest.quote == self.quote:
            return None
        form = f"/thread/{self.thread}/reply"
        if not self.quote:
            if view.path == form and any(view.starting("quoted:")):
                return view.link(f"/thread/{self.thread}") or home(view)
            way = None if view.path == form else to_thread(view, self.thread)
            return way or self._send(view)
        if view.path == form and view.find(f"quoted:{self.quote}") is not None:
            return self._send(view)
        return to_post(view, self.quote) or view.link(f"{form}?quote={self.quote}") or home(view)

    def _send(self, view: View) -> Intent | None:
        return controls.write(view, "text", self.text) or view.tap("submit:reply") or home(view)

    def spoil(self, fact: str, world: World) -> ReplyToThread:
        if fact == "text":
            return ReplyToThread(self.thread, f"{self.text} Thanks again.", self.quote)
        return ReplyToThread(self.thread, self.text)

    def clauses(self, world: World) -> tuple[str, ...]:
        title = world.thread_of[self.thread].title
        if self.quote:
            author = post_of(world, self.quote).author
            number = self.quote.partition("-")[2]
            return (
                f"reply to “{title}”, quoting {author}'s post (number {number}), with the text “{self.text}”",
                f"quote the post number {number} by {author} in “{title}” and answer: “{self.text}”",
                f"in the thread “{title}”, quote {author}'s post number {number} and write “{self.text}”",
                f"go to “{title}”, quote post number {number} written by {author} and send the reply “{self.text}”",
            )
        return (
            f"reply to the thread “{title}” with “{self.text}”",
            f"find the thread “{title}” and post this reply, quoting nobody: “{self.text}”",
            f"answer in “{title}”: “{self.text}”",
            f"write “{self.text}” as a reply in the discussion “{title}”",
        )

    def places(self, world: World) -> tuple[str, ...]:
        return (f"/thread/{self.thread}",)


class SendMessage(ForumGoal, frozen=True):
    """Send a private message to a member."""

    to: str
    subject: str
    text: str

    def facts(self, world: World) -> tuple[Fact, ...]:
        return (
            Fact("to", f"The latest private message sent is to {self.to}."),
            Fact("subject", f"Its subject is “{self.subject}”."),
            Fact("text", f"Its text is “{self.text}”."),
        )

    def holds(self, fact: str, end: End) -> bool:
        return bool(end.state.sent) and self._right(fact, end.state.sent[-1])

    def _right(self, fact: str, message: Message) -> bool:
        return same(getattr(message, fact), getattr(self, fact))

    def next(self, view: View) -> Intent | None:
        sent = view.state.sent
        if sent and all(self._right(fact, sent[-1]) for fact in ("to", "subject", "text")):
            return None
        return first(
            go(view, "/messages/new", "/messages"),
            controls.write(view, "to", self.to),
            controls.write(view, "subject", self.subject),
            controls.write(view, "text", self.text),
            view.tap("submit:message"),
        )

    def spoil(self, fact: str, world: World) -> SendMessage:
        match fact:
            case "to":
                other = next(
                    one.handle for one in reversed(world.members) if one.handle not in (self.to, world.me.handle)
                )
                return SendMessage(other, self.subject, self.text)
            case "subject":
                return SendMessage(self.to, f"{self.subject} again", self.text)
            case _:
                return SendMessage(self.to, self.subject, f"{self.text} Bye.")

    def clauses(self, world: World) -> tuple[str, ...]:
        return (
            f"send a private message to {self.to} with the subject “{self.subject}” and the text “{self.text}”",
            f"write a new private message: recipient {self.to}, subject “{self.subject}”, text “{self.text}”",
            f"message the member {self.to} privately, subject “{self.subject}”, saying “{self.text}”",
            f"start a new private conversation with {self.to} called “{self.subject}” and write “{self.text}”",
        )

    def places(self, world: World) -> tuple[str, ...]:
        return ("/messages/new",)


class AnswerLetter(ForumGoal, frozen=True):
    """Answer in a private conversation."""

    conversation: str
    text: str

    def _talk(self, world: World) -> Conversation:
        return next(one for one in world.conversations if one.id == self.conversation)

    def facts(self, world: World) -> tuple[Fact, ...]:
        talk = self._talk(world)
        return (Fact("text", f"The latest own message to {talk.other} in “{talk.subject}” reads “{self.text}”."),)

    def holds(self, fact: str, end: End) -> bool:
        return self._done(end.state)

    def _done(self, state: State) -> bool:
        letters = state.letters.get(self.conversation, ())
        return bool(letters) and same(letters[-1].text, self.text)

    def next(self, view: View) -> Intent | None:
        if self._done(view.state):
            return None
        path = self._talk(view.world).path
        return first(go(view, path, "/messages"), controls.write(view, "text", self.text), view.tap("submit:answer"))

    def spoil(self, fact: str, world: World) -> AnswerLetter:
        return AnswerLetter(self.conversation, f"{self.text} Cheers.")

    def clauses(self, world: World) -> tuple[str, ...]:
        talk = self._talk(world)
        return (
            f"answer {talk.other} in the private conversation “{talk.subject}” with “{self.text}”",
            f"open the private message “{talk.subject}” from {talk.other} and reply “{self.text}”",
            f"reply to {talk.other}'s private message “{talk.subject}”: “{self.text}”",
            f"in my messages, find “{talk.subject}” with {talk.other} and send back “{self.text}”",
        )

    def places(self, world: World) -> tuple[str, ...]:
        return (self._talk(world).path,)


class ReportPost(ForumGoal, frozen=True):
    """Report a post to the team."""

    post: str
    reason: str
    note: str

    def facts(self, world: World) -> tuple[Fact, ...]:
        post = post_of(world, self.post)
        title = world.thread_of[self.post.partition("-")[0]].title
        return (
            Fact("post", f"The latest report is about the post by {post.author} in “{title}”."),
            Fact("reason", f"Its reason is “{dict(REASONS)[self.reason]}”."),
            Fact("note", f"Its note is “{self.note}”."),
        )

    def holds(self, fact: str, end: End) -> bool:
        return bool(end.state.reports) and self._right(fact, end.state.reports[-1])

    def _right(self, fact: str, report: Report) -> bool:
        return same(getattr(report, fact), getattr(self, fact))

    def next(self, view: View) -> Intent | None:
        reports = view.state.reports
        if reports and all(self._right(fact, reports[-1]) for fact in ("post", "reason", "note")):
            return None
        form = f"/thread/{self.post.partition('-')[0]}/report"
        if view.path != form or view.find(f"reported:{self.post}") is None:
            return to_post(view, self.post) or view.link(f"{form}?post={self.post}") or home(view)
        return first(
            controls.choose(view, "reason", self.reason),
            controls.write(view, "note", self.note),
            view.tap("submit:report"),
        )

    def spoil(self, fact: str, world: World) -> Goal:
        match fact:
            case "post":
                thread = world.thread_of[self.post.partition("-")[0]]
                other = next(post.id for post in thread.posts if post.id != self.post)
                return ReportPost(other, self.reason, self.note)
            case "reason":
                return ReportPost(self.post, next(key for key, _ in REASONS if key != self.reason), self.note)
            case _:
                return ReportPost(self.post, self.reason, f"{self.note} Please hurry.")

    def clauses(self, world: World) -> tuple[str, ...]:
        post, reason = post_of(world, self.post), dict(REASONS)[self.reason]
        number = self.post.partition("-")[2]
        title = world.thread_of[self.post.partition("-")[0]].title
        which, why = f"post number {number} by {post.author} in “{title}”", f"reason “{reason}”, note “{self.note}”"
        return (
            f"report {which} with the {why}",
            f"file a report on {which}: {why}",
            f"tell the team about {which} by reporting it, {why}",
            f"open “{title}” and report post number {number}, which {post.author} wrote: {why}",
        )

    def places(self, world: World) -> tuple[str, ...]:
        return (f"/thread/{self.post.partition('-')[0]}",)
