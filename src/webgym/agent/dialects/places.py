"""How a dialect writes the target of an action: by coordinates or by marks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from webgym.agent.dialects.arguments import Arguments, finite, instead, listed, shown
from webgym.agent.dialects.dialect import Inexpressible
from webgym.agent.dialects.spaces import Space, from_point, thousandths, to_point
from webgym.records.action import MarkRef, Point, Target
from webgym.records.observation import Box, Mark, Observation


class Places(Protocol):
    """Reads and writes targets."""

    @property
    def space(self) -> Space:
        """The coordinate space that distances are written in."""
        ...

    @property
    def example(self) -> Target:
        """A target for examples in prompts."""
        ...

    def given(self, arguments: Arguments, prefix: str = "") -> Target | None:
        """Return the target, if one was given."""
        ...

    def needed(self, arguments: Arguments, prefix: str = "") -> Target:
        """Return the target; raises `Complaint` if none was given."""
        ...

    def written(self, target: Target | None, seen: Observation, prefix: str = "") -> dict[str, object]:
        """Return the arguments for a target; none for None."""
        ...


@dataclass(frozen=True, slots=True)
class Coordinates:
    """Targets as `"coordinate": [x, y]`; a box of four numbers means its centre."""

    space: Space
    example: Target = Point(480, 60)

    def given(self, arguments: Arguments, prefix: str = "") -> Target | None:
        return self.needed(arguments, prefix) if arguments.has(f"{prefix}coordinate") else None

    def needed(self, arguments: Arguments, prefix: str = "") -> Target:
        key = f"{prefix}coordinate"
        value = arguments.values.get(key)
        items = listed(value)
        numbers = [number for item in items if (number := finite(item)) is not None]
        grid = self.space(arguments.seen.viewport)
        if len(numbers) != len(items) or len(numbers) not in (2, 4):
            bounds = f"x from 0 to {grid[0]} and y from 0 to {grid[1]}"
            raise arguments.bad(f'needs "{key}": [x, y], {bounds}{instead(value)}')
        if len(numbers) == 4:
            numbers = [numbers[0] / 2 + numbers[2] / 2, numbers[1] / 2 + numbers[3] / 2]
        return to_point(numbers[0], numbers[1], grid, arguments.seen.viewport)

    def written(self, target: Target | None, seen: Observation, prefix: str = "") -> dict[str, object]:
        if target is None:
            return {}
        point = point_of(target, seen)
        return {f"{prefix}coordinate": list(from_point(point, self.space(seen.viewport), seen.viewport))}


@dataclass(frozen=True, slots=True)
class Marks:
    """Targets as `"element_id": 7`, or as coordinates where there is no mark."""

    space: Space = thousandths
    example: Target = MarkRef(7)

    def given(self, arguments: Arguments, prefix: str = "") -> Target | None:
        there = arguments.has(f"{prefix}element_id") or arguments.has(f"{prefix}coordinate")
        return self.needed(arguments, prefix) if there else None

    def needed(self, arguments: Arguments, prefix: str = "") -> Target:
        key = f"{prefix}element_id"
        if not arguments.has(key):
            if arguments.has(f"{prefix}coordinate"):
                return Coordinates(self.space).needed(arguments, prefix)
            raise arguments.bad(f'needs "{key}": the number of an element in the screenshot')
        number = arguments.whole(key)
        marks = arguments.seen.marks
        if marks is not None and mark_numbered(number, arguments.seen) is None:
            range_ = f"their numbers are {marks[0].mark} to {marks[-1].mark}" if marks else "there is none"
            raise arguments.bad(f"names element {shown(number)}, which is not in the screenshot; {range_}")
        return MarkRef(number)

    def written(self, target: Target | None, seen: Observation, prefix: str = "") -> dict[str, object]:
        match target:
            case None:
                return {}
            case MarkRef(number):
                return {f"{prefix}element_id": number}
            case Point():
                mark = _mark_at(target, seen)
                if mark is None:
                    return Coordinates(self.space).written(target, seen, prefix)
                return {f"{prefix}element_id": mark.mark}


def mark_numbered(number: int, seen: Observation) -> Mark | None:
    """Return the mark with this number, if it is in the observation."""
    return next((mark for mark in seen.marks or () if mark.mark == number), None)


def point_of(target: Target, seen: Observation) -> Point:
    """Return the point itself, or the centre of the mark."""
    match target:
        case Point():
            return target
        case MarkRef(number):
            mark = mark_numbered(number, seen)
            if mark is None:
                raise Inexpressible(f"mark {number} is not in the observation, so that its place is unknown")
            return Point(round(mark.box.x + mark.box.width / 2), round(mark.box.y + mark.box.height / 2))


def _mark_at(point: Point, seen: Observation) -> Mark | None:
    """Return the smallest mark around a point, if any: of nested elements the inner one is on top."""
    around = [mark for mark in seen.marks or () if _inside(point, mark.box)]
    return min(around, key=lambda mark: mark.box.width * mark.box.height, default=None)


def _inside(point: Point, box: Box) -> bool:
    return box.x <= point.x <= box.x + box.width and box.y <= point.y <= box.y + box.height
