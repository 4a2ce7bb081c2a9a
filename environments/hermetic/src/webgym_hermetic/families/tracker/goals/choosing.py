"""Personal settings, and leaving the list as it was asked for."""

from __future__ import annotations

from urllib.parse import parse_qsl

from msgspec.structs import replace

from webgym_hermetic import controls
from webgym_hermetic.families.tracker.goals.issue_facts import conditions
from webgym_hermetic.families.tracker.goals.ways import to_list, to_page
from webgym_hermetic.families.tracker.listing import SORTS, chosen
from webgym_hermetic.families.tracker.records import DIGESTS, LANDINGS, SWITCHES, World
from webgym_hermetic.families.tracker.words import slug
from webgym_hermetic.goal import End, Fact, Goal
from webgym_hermetic.view import Intent, View

_NAMES = {"project": "default project", "zone": "time zone", "digest": "e-mail digest", "landing": "start page"}
_SWITCHES = {name: label for name, label, _ in SWITCHES}


class ChangeSettings(Goal, frozen=True):
    """Change personal settings. Switches are wanted "on" or "off"."""

    wants: dict[str, str]
    wrongs: dict[str, str]

    def facts(self, world: World) -> tuple[Fact, ...]:
        """One per setting."""
        return tuple(Fact(name, f"In the settings, {self._words(world, name)}.") for name in self.wants)

    def holds(self, fact: str, end: End) -> bool:
        """As the settings are now."""
        return _setting(getattr(end.state.settings, fact)) == self.wants[fact]

    def next(self, view: View) -> Intent | None:
        """Change them and save."""
        if all(_setting(getattr(view.state.settings, name)) == value for name, value in self.wants.items()):
            return None
        if (step := to_page(view, "/settings")) is not None:
            return step
        for name, value in self.wants.items():
            step = (
                controls.switch(view, name, on=value == "on")
                if name in _SWITCHES
                else controls.choose(view, name, value)
            )
            if step is not None:
                return step
        return view.tap("submit:settings")

    def spoil(self, fact: str, world: World) -> Goal:
        """With this one left, or with another value."""
        del world
        wants = {name: value for name, value in self.wants.items() if name != fact}
        return replace(self, wants={**wants, fact: self.wrongs[fact]} if self.wrongs.get(fact) else wants)

    def clauses(self, world: World) -> tuple[str, ...]:
        """What to change."""
        told = [self._order(world, name) for name in self.wants]
        all_of = f"{', '.join(told[:-1])} and {told[-1]}" if len(told) > 1 else told[0]
        return (
            f"in your settings, {all_of}",
            f"open the personal settings and {all_of}, then save",
            f"change the settings: {all_of}",
            f"go to settings and {all_of}",
        )

    def _order(self, world: World, name: str) -> str:
        value = self.wants[name]
        if name in _SWITCHES:
            return f"turn {value} \u201c{_SWITCHES[name]}\u201d"
        return f"set the {_NAMES[name]} to {_label(world, name, value)}"

    def _words(self, world: World, name: str) -> str:
        value = self.wants[name]
        if name in _SWITCHES:
            return f"{_SWITCHES[name]} is {value}"
        return f"the {_NAMES[name]} is {_label(world, name, value)}"


def _setting(value: object) -> str:
    return ("on" if value else "off") if isinstance(value, bool) else str(value)


def _label(world: World, name: str, value: str) -> str:
    match name:
        case "project":
            return world.project[value].name
        case "zone":
            return next(one for one in world.zones if slug(one) == value)
        case "digest":
            return f"\u201c{dict(DIGESTS)[value]}\u201d"
        case _:
            return f"\u201c{dict(LANDINGS)[value]}\u201d"


class ShowList(Goal, frozen=True):
    """Leave the issue list open with these filters and this order."""

    wants: dict[str, str]
    wrongs: dict[str, str]

    def facts(self, world: World) -> tuple[Fact, ...]:
        """One per filter."""
        return tuple(Fact(name, f"The issue list shown at the end {self._words(world, name)}.") for name in self.wants)

    def holds(self, fact: str, end: End) -> bool:
        """As the page shown last has it."""
        path, _, rest = end.visits[-1].partition("?") if end.visits else ("", "", "")
        return path == "/issues" and chosen(dict(parse_qsl(rest))).get(fact, "") == self.wants[fact]

    def next(self, view: View) -> Intent | None:
        """Set the filters."""
        return to_list(view, self.wants)

    def spoil(self, fact: str, world: World) -> Goal:
        """With another value of that filter."""
        del world
        return replace(self, wants={**self.wants, fact: self.wrongs[fact]})

    def clauses(self, world: World) -> tuple[str, ...]:
        """What the list should show."""
        words = conditions(world, {name: value for name, value in self.wants.items() if name != "sort"})
        order = f", sorted by \u201c{dict(SORTS)[self.wants['sort']]}\u201d" if "sort" in self.wants else ""
        return (
            f"show the issue list filtered by {words}{order}, and leave it open",
            f"bring up all issues with {words}{order}; stay on that list",
            f"filter the issues by {words}{order} and end on that page",
            f"open the issue list and narrow it to {words}{order}",
        )

    def _words(self, world: World, name: str) -> str:
        if name == "sort":
            return f"is sorted by {dict(SORTS)[self.wants['sort']]}"
        return f"is filtered by {conditions(world, {name: self.wants[name]})}"
