"""Changing issues: fields, closing as a duplicate, many at once."""

from __future__ import annotations

from msgspec.structs import replace

from webgym_hermetic import controls
from webgym_hermetic.families.tracker.goals.issue_facts import called, conditions
from webgym_hermetic.families.tracker.goals.ways import to_issue, to_list, to_page
from webgym_hermetic.families.tracker.records import Issue, World
from webgym_hermetic.families.tracker.state import State, issue_of
from webgym_hermetic.families.tracker.words import written
from webgym_hermetic.goal import End, Fact, Goal
from webgym_hermetic.view import Intent, View

NAMES = {"kind": "type", "due": "due date"}


def shown(world: World, field: str, value: str) -> str:
    """A value as the site shows it."""
    match field:
        case "status" | "priority" | "kind":
            return getattr(world, field)[value]
        case "assignee":
            return world.name(value)
        case "milestone":
            return world.milestone[value].name if value else "none"
        case "estimate":
            return f"{value} h"
        case "due":
            return written(value)
        case _:
            return value


def has(issue: Issue, field: str, value: str) -> bool:
    """Whether a field has a value; labels are `+label` and `-label`."""
    if field.startswith("+"):
        return field[1:] in issue.labels
    if field.startswith("-"):
        return field[1:] not in issue.labels
    return str(getattr(issue, field)) == value


def set_field(view: View, field: str, value: str) -> Intent | None:
    """The next step to give a control of the edit form its value; None when it has it."""
    if field[0] in "+-":
        return controls.switch(view, f"label-{field[1:]}", on=field[0] == "+")
    if field == "due":
        return controls.pick_date(view, "due", value)
    return controls.choose(view, field, value)


def edit(view: View, key: str, wants: dict[str, str], way: str = "search", text: str = "") -> Intent | None:
    """The next step to give an issue these values; None when it has them."""
    issue = issue_of(view.world, view.state, key)
    if issue is None or all(has(issue, field, value) for field, value in wants.items()):
        return None
    if way == "board" and set(wants) == {"status"} and (step := _move(view, issue, wants["status"])) is not None:
        return step
    if (step := to_issue(view, key, text)) is not None:
        return step
    for field, value in wants.items():
        if (step := set_field(view, field, value)) is not None:
            return step
    return view.tap("submit:edit")


def _move(view: View, issue: Issue, status: str) -> Intent | None:
    if issue.status == view.world.over:
        return None
    path = f"/board?project={issue.project}"
    on_board = view.path == "/board" and view.query.get("project", view.state.settings.project) == issue.project
    if on_board:
        return view.tap(f"do:move:{issue.key}={status}")
    return view.link(path) or to_page(view, "/board")


class ChangeIssue(Goal, frozen=True):
    """Give fields of an issue new values; `+label` adds a label, `-label` takes one away."""

    key: str
    wants: dict[str, str]
    wrongs: dict[str, str]
    """For each field another value that it does not have either; empty: leave it as it is."""
    by: str = "key"
    way: str = "search"

    def facts(self, world: World) -> tuple[Fact, ...]:
        """One per field."""
        return tuple(Fact(field, f"{self.key} {self._words(world, field)}.") for field in self.wants)

    def holds(self, fact: str, end: End) -> bool:
        """As the issue is now."""
        issue = issue_of(end.world, end.state, self.key)
        return issue is not None and has(issue, fact, self.wants[fact])

    def next(self, view: View) -> Intent | None:
        """Edit the issue."""
        title = view.world.issue[self.key].title
        return edit(view, self.key, self.wants, self.way, title if self.by == "title" else "")

    def spoil(self, fact: str, world: World) -> Goal:
        """With another value, or without this one."""
        del world
        wants = {field: value for field, value in self.wants.items() if field != fact}
        return replace(self, wants={**wants, fact: self.wrongs[fact]} if self.wrongs.get(fact) else wants)

    def clauses(self, world: World) -> tuple[str, ...]:
        """What to change."""
        name = called(world, self.key, self.by)
        told = [self._order(world, field) for field in self.wants]
        all_of = f"{', '.join(told[:-1])} and {told[-1]}" if len(told) > 1 else told[0]
        return (
            f"in {name[0]}, {all_of}",
            f"open {name[-1]} and {all_of}",
            f"edit {name[0]}: {all_of}",
            f"for {name[1]}, {all_of}",
            f"update {name[0]} as follows: {all_of}",
        )

    def _words(self, world: World, field: str) -> str:
        if field[0] in "+-":
            return f"{'has' if field[0] == '+' else 'no longer has'} the label {field[1:]}"
        return f"has the {NAMES.get(field, field)} {shown(world, field, self.wants[field])}"

    def _order(self, world: World, field: str) -> str:
        if field[0] == "+":
            return f"add the label {field[1:]}"
        if field[0] == "-":
            return f"remove the label {field[1:]}"
        return f"set the {NAMES.get(field, field)} to {shown(world, field, self.wants[field])}"


class CloseDuplicate(Goal, frozen=True):
    """Close an issue as a duplicate of another one."""

    key: str
    original: str
    other: str
    """Another issue, to be wrong with."""
    resolution: str = "duplicate"

    def facts(self, world: World) -> tuple[Fact, ...]:
        """How it was closed, and of what it is a duplicate."""
        del world
        return (
            Fact("closed", f"{self.key} is closed with the resolution Duplicate."),
            Fact("original", f"{self.key} is linked as a duplicate of {self.original}."),
        )

    def holds(self, fact: str, end: End) -> bool:
        """As the issue is now."""
        issue = issue_of(end.world, end.state, self.key)
        if issue is None:
            return False
        if fact == "closed":
            return issue.status == end.world.over and issue.resolution == "duplicate"
        return any(one.kind == "duplicates" and one.key == self.original for one in issue.relations)

    def next(self, view: View) -> Intent | None:
        """Close it; open it again first if it was closed for another reason."""
        issue = issue_of(view.world, view.state, self.key)
        if issue is None:
            return None
        linked = any(one.kind == "duplicates" and one.key == self.original for one in issue.relations)
        closed = issue.status == view.world.over and issue.resolution == self.resolution
        if closed and linked:
            return None
        if (step := to_issue(view, self.key)) is not None:
            return step
        if self.resolution != "duplicate" and closed:
            return link_form(view, "duplicates", self.original)
        if issue.status == view.world.over:
            return view.tap("do:reopen")
        step = controls.choose(view, "resolution", self.resolution)
        if step is None and self.resolution == "duplicate":
            step = controls.write(view, "original", self.original)
        return step or view.tap("submit:close")

    def spoil(self, fact: str, world: World) -> Goal:
        """Declined but linked, or a duplicate of another one."""
        del world
        return replace(self, resolution="declined") if fact == "closed" else replace(self, original=self.other)

    def clauses(self, world: World) -> tuple[str, ...]:
        """Which one of which."""
        titles = [world.issue[key].title for key in (self.key, self.original)]
        return (
            f"close {self.key} as a duplicate of {self.original}",
            f"mark {self.key} as a duplicate of {self.original} and close it with that resolution",
            f'close the issue {self.key} ("{titles[0]}") as a duplicate of {self.original}',
            f'close {self.key}, which is the same as {self.original} ("{titles[1]}"), as a duplicate of that one',
        )


def link_form(view: View, relation: str, other: str) -> Intent | None:
    """The next step with the form that links the issue on the page to another one."""
    step = controls.choose(view, "relation", relation) or controls.write(view, "other", other)
    return step or view.tap("submit:link")


class ChangeMany(Goal, frozen=True):
    """Give the same field of several issues, those that a filter finds, the same value."""

    query: dict[str, str]
    keys: tuple[str, ...]
    field: str
    value: str
    left_out: str = ""
    """One of the keys that is left as it is."""

    def facts(self, world: World) -> tuple[Fact, ...]:
        """One per issue."""
        words = f"the {NAMES.get(self.field, self.field)} {shown(world, self.field, self.value)}"
        return tuple(Fact(key, f"{key} has {words}.") for key in self.keys)

    def holds(self, fact: str, end: End) -> bool:
        """As the issue is now."""
        return self._done(end.world, end.state, fact)

    def _done(self, world: World, state: State, key: str) -> bool:
        issue = issue_of(world, state, key)
        return issue is not None and has(issue, self.field, self.value)

    def next(self, view: View) -> Intent | None:
        """Select them in the list; those that are not there are edited one by one."""
        left = [key for key in self.keys if key != self.left_out and not self._done(view.world, view.state, key)]
        if not left:
            return None
        if len(left) == 1 or any(self._done(view.world, view.state, key) for key in self.keys):
            return edit(view, left[0], {self.field: self.value})
        if (step := to_list(view, self.query)) is not None:
            return step
        if any(view.find(f"toggle:pick-{key}") is None for key in left):
            return edit(view, left[0], {self.field: self.value})
        return self._bulk(view, left)

    def _bulk(self, view: View, keys: list[str]) -> Intent | None:
        for element in view.starting("toggle:pick-"):
            key = element.key.removeprefix("toggle:pick-")
            if (step := controls.switch(view, f"pick-{key}", on=key in keys)) is not None:
                return step
        for field in ("status", "priority", "assignee", "milestone"):
            value = self.value if field == self.field else ""
            if (step := controls.choose(view, f"bulk_{field}", value)) is not None:
                return step
        return view.tap("submit:bulk")

    def spoil(self, fact: str, world: World) -> Goal:
        """With one left out."""
        del world
        return replace(self, left_out=fact)

    def clauses(self, world: World) -> tuple[str, ...]:
        """Which ones, and what to change."""
        words = conditions(world, self.query)
        field, value = NAMES.get(self.field, self.field), shown(world, self.field, self.value)
        return (
            f"set the {field} of every issue with {words} to {value}",
            f"find all issues with {words} and change their {field} to {value}",
            f"for all {len(self.keys)} issues that have {words}, set the {field} to {value}",
            f"use bulk edit to give each issue with {words} the {field} {value}",
        )
