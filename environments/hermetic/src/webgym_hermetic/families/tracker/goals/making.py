"""Making new things: issues, milestones, saved filters."""

from __future__ import annotations

from msgspec.structs import replace

from webgym_hermetic import controls
from webgym_hermetic.families.tracker.goals.changing import NAMES, set_field, shown
from webgym_hermetic.families.tracker.goals.issue_facts import conditions
from webgym_hermetic.families.tracker.goals.ways import home, to_page
from webgym_hermetic.families.tracker.listing import SORTS
from webgym_hermetic.families.tracker.records import Filter, Issue, Milestone, World
from webgym_hermetic.families.tracker.state import State
from webgym_hermetic.families.tracker.words import written
from webgym_hermetic.goal import End, Fact, Goal
from webgym_hermetic.view import Intent, View


class CreateIssue(Goal, frozen=True):
    """Create an issue with these fields. Labels are `+label`; what is not wanted is left as the form has it."""

    wants: dict[str, str]
    """Of: project, title, body, kind, priority, assignee, component, milestone, estimate, due, +label."""
    wrongs: dict[str, str]
    """For each of them, another value; empty: leave it out."""
    needs: dict[str, str] = {}
    """The project, where a component or a milestone implies it: then it is no fact of its own."""

    def facts(self, world: World) -> tuple[Fact, ...]:
        """One per field."""
        return tuple(Fact(name, f"The newest issue created {self._words(world, name)}.") for name in self.wants)

    def holds(self, fact: str, end: End) -> bool:
        """As the issue created last has it."""
        issue = _newest(end.state)
        return issue is not None and _made_so(issue, fact, self.wants[fact])

    def next(self, view: View) -> Intent | None:
        """Fill in the form."""
        fields = {**self.needs, **self.wants}
        issue = _newest(view.state)
        if issue is not None and all(_made_so(issue, name, value) for name, value in fields.items()):
            return None
        if (step := _to_form(view, fields["project"])) is not None:
            return step
        for name, value in fields.items():
            if (step := _fill(view, name, value)) is not None:
                return step
        for element in view.starting("toggle:label-"):
            name = element.key.removeprefix("toggle:label-")
            if element.checked and f"+{name}" not in fields:
                return controls.switch(view, f"label-{name}", on=False)
        return view.tap("submit:new")

    def spoil(self, fact: str, world: World) -> Goal:
        """With another value of that field."""
        del world
        wants = {name: value for name, value in self.wants.items() if name != fact}
        return replace(self, wants={**wants, fact: self.wrongs[fact]} if self.wrongs[fact] else wants)

    def clauses(self, world: World) -> tuple[str, ...]:
        """What it should be like."""
        rest = [self._words(world, name) for name in self.wants if name not in ("project", "title")]
        fields = f"{', '.join(rest[:-1])} and {rest[-1]}" if len(rest) > 1 else rest[0] if rest else ""
        project = world.project[{**self.needs, **self.wants}["project"]].name
        title = self.wants["title"]
        told = f" that {fields}" if fields else ""
        listed = f"; it {fields}" if fields else ""
        return (
            f'create an issue in the project {project} with the title "{title}"{told}',
            f'file a new issue titled "{title}" in {project}{listed}',
            f'add a new issue to {project}: the title is "{title}"{listed}',
            f'report "{title}" as a new issue in the project {project}{listed}',
        )

    def _words(self, world: World, name: str) -> str:
        value = self.wants[name]
        if name.startswith("+"):
            return f"has the label {name[1:]}"
        match name:
            case "project":
                return f"is in the project {world.project[value].name}"
            case "title":
                return f'has the title "{value}"'
            case "body":
                return f'has the description "{value}"'
            case "assignee":
                return f"is assigned to {world.name(value)}"
            case "due":
                return f"is due on {written(value)}"
            case "kind":
                return f"has the type {world.kind[value]}"
            case _:
                return f"has the {NAMES.get(name, name)} {shown(world, name, value)}"


def _newest(state: State) -> Issue | None:
    return state.changed[state.created[-1]] if state.created else None


def _made_so(issue: Issue, name: str, value: str) -> bool:
    if name.startswith("+"):
        return name[1:] in issue.labels
    if name == "body":
        return " ".join(issue.body) == value
    return str(getattr(issue, name)) == value


def _to_form(view: View, project: str) -> Intent | None:
    """The form for new issues; where the project is asked first, with this project."""
    if view.path != "/new":
        return view.link("/new") or home(view)
    if (step := controls.choose(view, "project", project)) is not None:
        return step
    if any(True for _ in view.starting("choice:project")) or view.find(f"chosen:project={project}") is not None:
        return None
    return view.link(f"/new?project={project}") or view.link("/new") or home(view)


def _fill(view: View, name: str, value: str) -> Intent | None:
    match name:
        case "project":
            return None
        case "title" | "body":
            return controls.write(view, name, value)
        case _:
            return set_field(view, name, value)


class CreateMilestone(Goal, frozen=True):
    """Create a milestone."""

    wants: dict[str, str]
    """Of: project, name, goal, start, end, lead."""
    wrongs: dict[str, str]

    def facts(self, world: World) -> tuple[Fact, ...]:
        """One per field."""
        return tuple(Fact(name, f"The newest milestone created {self._words(world, name)}.") for name in self.wants)

    def holds(self, fact: str, end: End) -> bool:
        """As the milestone created last has it."""
        newest = end.state.milestones[-1] if end.state.milestones else None
        return newest is not None and _field(newest, fact) == self.wants[fact]

    def next(self, view: View) -> Intent | None:
        """Fill in the form."""
        end = End(view.world, view.state, view.visits, "")
        if all(self.holds(name, end) for name in self.wants):
            return None
        if view.path != "/milestones/new":
            return view.link("/milestones/new") or to_page(view, "/milestones") or home(view)
        for name, value in self.wants.items():
            if (step := _fill_milestone(view, name, value)) is not None:
                return step
        return view.tap("submit:milestone")

    def spoil(self, fact: str, world: World) -> Goal:
        """With another value of that field."""
        del world
        return replace(self, wants={**self.wants, fact: self.wrongs[fact]})

    def clauses(self, world: World) -> tuple[str, ...]:
        """What it should be like."""
        rest = [self._words(world, name) for name in self.wants if name not in ("project", "name")]
        fields = f"{', '.join(rest[:-1])} and {rest[-1]}"
        project, name = world.project[self.wants["project"]].name, self.wants["name"]
        return (
            f'create a milestone called "{name}" in the project {project} that {fields}',
            f'add a new milestone to {project}: it is called "{name}", {fields}',
            f'plan a new milestone named "{name}" for {project}; it {fields}',
            f'set up the milestone "{name}" for the project {project}, which {fields}',
        )

    def _words(self, world: World, name: str) -> str:
        value = self.wants[name]
        match name:
            case "project":
                return f"belongs to the project {world.project[value].name}"
            case "name":
                return f'is called "{value}"'
            case "goal":
                return f'has the goal "{value}"'
            case "lead":
                return f"is led by {world.name(value)}"
            case "start":
                return f"starts on {written(value)}"
            case _:
                return f"ends on {written(value)}"


def _field(one: Milestone, name: str) -> str:
    return str(getattr(one, name))


def _fill_milestone(view: View, name: str, value: str) -> Intent | None:
    match name:
        case "name" | "goal":
            return controls.write(view, name, value)
        case "start" | "end":
            return controls.pick_date(view, name, value)
        case _:
            return controls.choose(view, name, value)


class SaveFilter(Goal, frozen=True):
    """Save a filter with a name and conditions."""

    name: str
    wants: dict[str, str]
    """Of: project, status, assignee, label, priority, kind, sort."""
    wrongs: dict[str, str]
    other: str = ""
    """Another name, used when the name is to be wrong."""

    def facts(self, world: World) -> tuple[Fact, ...]:
        """The name and each condition."""
        conditions_ = tuple(Fact(name, f"The newest saved filter {self._words(world, name)}.") for name in self.wants)
        return (Fact("name", f'The newest saved filter is called "{self.name}".'), *conditions_)

    def holds(self, fact: str, end: End) -> bool:
        """As the filter saved last has it."""
        newest = _latest_filter(end.world, end.state)
        if newest is None:
            return False
        return newest.name == self.name if fact == "name" else newest.query.get(fact, "") == self.wants[fact]

    def next(self, view: View) -> Intent | None:
        """Fill in the form."""
        newest = _latest_filter(view.world, view.state)
        called = self.other or self.name
        if newest is not None and newest.name == called and newest.query == self.wants:
            return None
        if view.path != "/filters":
            return to_page(view, "/filters")
        if (step := controls.write(view, "name", called)) is not None:
            return step
        for name in ("project", "status", "assignee", "label", "priority", "kind", "sort"):
            value = self.wants.get(name, "updated" if name == "sort" else "")
            if (step := controls.choose(view, name, value)) is not None:
                return step
        return view.tap("submit:filter-save")

    def spoil(self, fact: str, world: World) -> Goal:
        """With another name or another value of that condition."""
        del world
        if fact == "name":
            return replace(self, other=f"{self.name} 2")
        return replace(self, wants={**self.wants, fact: self.wrongs[fact]})

    def clauses(self, world: World) -> tuple[str, ...]:
        """What to save under which name."""
        words = conditions(world, {name: value for name, value in self.wants.items() if name != "sort"})
        order = f", sorted by \u201c{dict(SORTS)[self.wants['sort']]}\u201d" if "sort" in self.wants else ""
        return (
            f'save a filter named "{self.name}" for issues with {words}{order}',
            f'create a saved filter called "{self.name}" that shows issues with {words}{order}',
            f'under saved filters, add "{self.name}" with these conditions: {words}{order}',
            f'make a new saved filter for {words}{order}, and name it "{self.name}"',
        )

    def _words(self, world: World, name: str) -> str:
        if name == "sort":
            return f"is sorted by {dict(SORTS)[self.wants['sort']]}"
        return f"is for issues with {conditions(world, {name: self.wants[name]})}"


def _latest_filter(world: World, state: State) -> Filter | None:
    """The filter saved last; None if none was saved since the start."""
    own = [one for one in state.filters if one not in world.filters]
    return own[-1] if own else None
