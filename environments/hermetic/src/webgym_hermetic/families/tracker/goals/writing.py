"""Writing: comments, links, votes, time spent."""

from __future__ import annotations

from msgspec.structs import replace

from webgym_hermetic import controls
from webgym_hermetic.families.tracker.goals.changing import link_form
from webgym_hermetic.families.tracker.goals.issue_facts import called
from webgym_hermetic.families.tracker.goals.ways import to_issue
from webgym_hermetic.families.tracker.records import Issue, World
from webgym_hermetic.families.tracker.state import issue_of, my_work
from webgym_hermetic.families.tracker.words import days_later, written
from webgym_hermetic.goal import End, Fact, Goal
from webgym_hermetic.view import Intent, View


class CommentOn(Goal, frozen=True):
    """Write a comment on an issue."""

    key: str
    text: str
    by: str = "key"

    def facts(self, world: World) -> tuple[Fact, ...]:
        """The comment."""
        del world
        return (Fact("comment", f'The latest own comment on {self.key} reads "{self.text}".'),)

    def holds(self, fact: str, end: End) -> bool:
        """As my latest comment on it reads."""
        del fact
        issue = issue_of(end.world, end.state, self.key)
        mine = [one.text for one in issue.comments if one.author == end.world.me] if issue else []
        return mine[-1:] == [self.text]

    def next(self, view: View) -> Intent | None:
        """Write it."""
        if self.holds("comment", End(view.world, view.state, view.visits, "")):
            return None
        title = view.world.issue[self.key].title
        step = to_issue(view, self.key, title if self.by == "title" else "")
        return step or controls.write(view, "text", self.text) or view.tap("submit:comment")

    def spoil(self, fact: str, world: World) -> Goal:
        """With other words."""
        del fact, world
        return replace(self, text="Looking into this.")

    def clauses(self, world: World) -> tuple[str, ...]:
        """What to write where."""
        name = called(world, self.key, self.by)
        return (
            f'comment on {name[0]} with exactly this text: "{self.text}"',
            f'add the comment "{self.text}" to {name[-1]}',
            f'open {name[1]} and leave the comment "{self.text}"',
            f'write "{self.text}" as a comment on {name[0]}',
        )


class Follow(Goal, frozen=True):
    """Watch an issue, vote for it, or both."""

    key: str
    acts: tuple[str, ...]
    """Of: watch, vote."""
    by: str = "title"

    def facts(self, world: World) -> tuple[Fact, ...]:
        """One per act."""
        del world
        words = {"watch": "is watched", "vote": "has the own vote"}
        return tuple(Fact(act, f"{self.key} {words[act]}.") for act in self.acts)

    def holds(self, fact: str, end: End) -> bool:
        """As the issue is now."""
        issue = issue_of(end.world, end.state, self.key)
        return issue is not None and _follows(issue, fact)

    def next(self, view: View) -> Intent | None:
        """Press the buttons."""
        issue = issue_of(view.world, view.state, self.key)
        left = [act for act in self.acts if issue and not _follows(issue, act)]
        if not left:
            return None
        title = view.world.issue[self.key].title
        return to_issue(view, self.key, text=title if self.by == "title" else "") or view.tap(f"do:{left[0]}")

    def spoil(self, fact: str, world: World) -> Goal:
        """Without this one."""
        del world
        return replace(self, acts=tuple(act for act in self.acts if act != fact))

    def clauses(self, world: World) -> tuple[str, ...]:
        """What to do with which issue."""
        name = called(world, self.key, self.by)
        words = {"watch": "start watching", "vote": "vote for"}
        told = [words[act] for act in self.acts]
        if len(told) == 1:
            starts = ("", "find and ", "please ", "go and ")
            return tuple(f"{one}{told[0]} {name[at % len(name)]}" for at, one in enumerate(starts))
        return (
            f"start watching {name[0]} and vote for it",
            f"open {name[-1]}, vote for it and watch it",
            f"vote for {name[0]} and add yourself to its watchers",
            f"watch {name[1]} and give it your vote",
        )


def _follows(issue: Issue, act: str) -> bool:
    return issue.watching if act == "watch" else issue.voted


class LinkIssues(Goal, frozen=True):
    """Link an issue to another one."""

    key: str
    relation: str
    other: str
    wrong: str
    """Another issue, to be wrong with."""

    def facts(self, world: World) -> tuple[Fact, ...]:
        """The link."""
        del world
        return (Fact("link", f"{self.key} has a link that says it {_WORDS[self.relation]} {self.other}."),)

    def holds(self, fact: str, end: End) -> bool:
        """As the issue's links are now."""
        del fact
        issue = issue_of(end.world, end.state, self.key)
        return issue is not None and any((one.kind, one.key) == (self.relation, self.other) for one in issue.relations)

    def next(self, view: View) -> Intent | None:
        """Fill in the form for links."""
        if self.holds("link", End(view.world, view.state, view.visits, "")):
            return None
        return to_issue(view, self.key) or link_form(view, self.relation, self.other)

    def spoil(self, fact: str, world: World) -> Goal:
        """To another issue."""
        del fact, world
        return replace(self, other=self.wrong)

    def clauses(self, world: World) -> tuple[str, ...]:
        """Which link."""
        words = _WORDS[self.relation]
        title = world.issue[self.key].title
        return (
            f"add a link to {self.key} that says it {words} {self.other}",
            f"link {self.key} to {self.other} so that {self.key} {words} {self.other}",
            f"record in {self.key} that it {words} {self.other}",
            f'open {self.key} ("{title}") and add the link "{words} {self.other}"',
        )


_WORDS = {"blocks": "blocks", "relates": "relates to", "duplicates": "duplicates"}


class LogTime(Goal, frozen=True):
    """Log time on an issue."""

    key: str
    hours: int
    date: str
    note: str = ""
    parts: tuple[str, ...] = ("hours", "date", "note")

    def facts(self, world: World) -> tuple[Fact, ...]:
        """Hours, day and note of the latest entry."""
        del world
        texts = {
            "hours": f"The latest own time entry on {self.key} is {self.hours} h.",
            "date": f"The latest own time entry on {self.key} is for {written(self.date)}.",
            "note": f'The latest own time entry on {self.key} has the note "{self.note}".',
        }
        return tuple(Fact(part, texts[part]) for part in self.parts)

    def holds(self, fact: str, end: End) -> bool:
        """As my latest entry has it."""
        issue = issue_of(end.world, end.state, self.key)
        before = end.world.issue[self.key].work
        mine = my_work(end.world, issue) if issue and len(issue.work) > len(before) else []
        return bool(mine) and getattr(mine[-1], fact) == getattr(self, fact)

    def next(self, view: View) -> Intent | None:
        """Fill in the form for time."""
        end = End(view.world, view.state, view.visits, "")
        if all(self.holds(part, end) for part in ("hours", "date", "note")):
            return None
        if (step := to_issue(view, self.key)) is not None:
            return step
        step = controls.count(view, "hours", self.hours) or controls.pick_date(view, "date", self.date)
        return step or controls.write(view, "note", self.note) or view.tap("submit:log")

    def spoil(self, fact: str, world: World) -> Goal:
        """With another value of that part."""
        if fact == "hours":
            return replace(self, hours=self.hours % 6 + 1)
        if fact == "date":
            return replace(self, date=world.today if self.date != world.today else days_later(self.date, -1))
        return replace(self, note="Routine work")

    def clauses(self, world: World) -> tuple[str, ...]:
        """How much, when and with which note."""
        hours = f"{self.hours} hour{'' if self.hours == 1 else 's'}"
        note = f' with the note "{self.note}"' if "note" in self.parts else ""
        day = written(self.date)
        title = world.issue[self.key].title
        return (
            f"log {hours} of work on {self.key} for {day}{note}",
            f"add a time entry of {hours} on {day} to {self.key}{note}",
            f'record {hours} spent on {self.key} ("{title}") on {day}{note}',
            f"on the page of {self.key}, log {hours} for {day}{note}",
        )
