"""Draws the goals of a task so that they do not conflict."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from webgym.rng import Rng
from webgym_hermetic.families.tracker.goals.asking import Asked, sound
from webgym_hermetic.families.tracker.records import Issue, World
from webgym_hermetic.families.tracker.teams.base import Area, Team, team
from webgym_hermetic.family import Make
from webgym_hermetic.goal import Goal


class Draw:
    """One draw of a task: its randomness, and the issues that its goals use already."""

    def __init__(self, rng: Rng, world: World) -> None:
        self.rng = rng
        self.world = world
        self._taken: set[str] = set()

    @property
    def team(self) -> Team:
        return team(self.world.team)

    def area(self, project: str) -> Area:
        return next(one for one in self.team.areas if one.key == project)

    def issue(self, fits: Callable[[Issue], bool] = lambda _: True) -> Issue | None:
        """An issue that no other goal of the task uses."""
        options = [one for one in self.world.issues if one.key not in self._taken and fits(one)]
        if not options:
            return None
        one = self.rng.pick(options)
        self.take(one.key)
        return one

    def open_issue(self) -> Issue | None:
        """One that is not over and can be changed."""
        return self.issue(lambda one: one.status != self.world.over and not one.locked)

    def take(self, *keys: str) -> None:
        self._taken.update(keys)

    def free(self, keys: Sequence[str]) -> bool:
        return not self._taken.intersection(keys)

    def like(self, issue: Issue) -> list[Issue]:
        """Issues that are easily mistaken for this one."""
        alike = [one for one in self.world.issues if one.subject == issue.subject and one.key != issue.key]
        return self.rng.sample(alike, 3)

    def other(self, options: Sequence[str], *values: str) -> str:
        """One of the options that is none of these values; empty if there is none."""
        left = [one for one in options if one not in values]
        return self.rng.pick(left) if left else ""


Part = Callable[[Draw], Goal | None]


def of(*parts: Part) -> Make:
    """A maker of tasks that have one goal of each part."""

    def make(rng: Rng, world: World) -> tuple[Goal, ...] | None:
        draw = Draw(rng, world)
        goals: list[Goal] = []
        for part in parts:
            goal = part(draw)
            if goal is None:
                return None
            goals.append(goal)
        return tuple(goals) if sound(goals, world) else None

    return make


def one_of(*parts: Part) -> Part:
    """Any of these parts."""
    return lambda draw: draw.rng.pick(parts)(draw)


def tried(part: Part, times: int = 12) -> Part:
    """A part that often does not work out, several times."""

    def again(draw: Draw) -> Goal | None:
        return next((goal for _ in range(times) if (goal := part(draw)) is not None), None)

    return again


def text(name: str, value: str, others: Sequence[str], wrong: str, title: str = "") -> Asked | None:
    """A text to find out; None if there is nothing to be wrong with."""
    rivals = tuple(dict.fromkeys(one for one in others if one and one != value and one.lower() not in title.lower()))
    if not value or not wrong or wrong == value or value.lower() in title.lower():
        return None
    return Asked(name, value, wrong, rivals=rivals)


def number(name: str, value: str, others: Sequence[str], wrong: str) -> Asked | None:
    """A number to find out."""
    rivals = tuple(dict.fromkeys(one for one in others if one and float(one) != float(value)))
    if not wrong or float(wrong) == float(value):
        return None
    return Asked(name, value, wrong, "number", rivals)


def day(name: str, value: str, others: Sequence[str], wrong: str) -> Asked | None:
    """A date to find out."""
    if not value or not wrong or wrong == value:
        return None
    return Asked(name, value, wrong, "date", tuple(dict.fromkeys(one for one in others if one and one != value)))
