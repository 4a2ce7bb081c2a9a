"""What goals on a forum have in common."""

from __future__ import annotations

from abc import abstractmethod

from webgym_hermetic.answers import says_text
from webgym_hermetic.families.forum.records import World
from webgym_hermetic.goal import End, Goal


class ForumGoal(Goal, frozen=True):
    """A goal that knows which pages it has to look at or change."""

    @abstractmethod
    def places(self, world: World) -> tuple[str, ...]:
        """Pages that no other goal of the same task may need."""
        ...


class Question(ForumGoal, frozen=True):
    """Something to find out: its facts are judged by the answer alone."""

    @abstractmethod
    def said(self, fact: str, world: World, answer: str) -> bool:
        """Whether the answer says it."""
        ...

    def holds(self, fact: str, end: End) -> bool:
        """Whether the answer says it."""
        return self.said(fact, end.world, end.answer)


def says_time(answer: str, value: str) -> bool:
    """Whether a time of day is in the answer: `18:30`, `6:30 pm`, `6.30pm`."""
    hour, minute = int(value[:2]), value[3:]
    half, noon = (hour - 1) % 12 + 1, "pm" if hour >= 12 else "am"
    spelt = [f"{hour}:{minute}", f"{hour:02d}:{minute}", f"{half}:{minute} {noon}", f"{half}:{minute}{noon}"]
    if minute == "00":
        spelt += [f"{half} {noon}", f"{half}{noon}"]
    text = answer.lower().replace("a.m.", "am").replace("p.m.", "pm").replace(".", ":")
    return any(says_text(text, one) for one in spelt)
