"""What people might want to say on a forum: texts for replies, messages and threads."""

from __future__ import annotations

from functools import cache

from webgym.rng import Rng
from webgym_hermetic.families.forum.records import World
from webgym_hermetic.kit.data import Table, read_table


class Wishes(Table, frozen=True):
    """Texts with `{day}`, `{n}`, `{thing}` and `{town}`, drawn for a task."""

    replies: tuple[str, ...]
    subjects: tuple[str, ...]
    messages: tuple[str, ...]
    titles: tuple[str, ...]
    bodies: tuple[str, ...]
    notes: tuple[str, ...]
    names: tuple[str, ...]
    signatures: tuple[str, ...]
    options: tuple[str, ...]
    days: tuple[str, ...]


@cache
def _texts() -> Wishes:
    return read_table(__name__, Wishes)


class Wisher:
    """Draws texts that fit one forum."""

    def __init__(self, rng: Rng, world: World) -> None:
        self._rng = rng
        self._things = [thing for topic in world.bank.topics if topic.slug in world.board_of for thing in topic.things]
        self._towns = sorted({member.location for member in world.members})

    def _of(self, texts: tuple[str, ...]) -> str:
        rng = self._rng
        return rng.pick(texts).format(
            day=rng.pick(_texts().days), n=rng.between(3, 58), thing=rng.pick(self._things), town=rng.pick(self._towns)
        )

    def reply(self) -> str:
        return self._of(_texts().replies)

    def subject(self) -> str:
        return self._of(_texts().subjects)

    def message(self) -> str:
        return self._of(_texts().messages)

    def title(self) -> str:
        return self._of(_texts().titles)

    def body(self) -> str:
        return self._of(_texts().bodies)

    def note(self) -> str:
        return self._of(_texts().notes)

    def town(self) -> str:
        return self._rng.pick(self._towns)

    def name(self) -> str:
        return f"{self._rng.pick(_texts().names)} {self._rng.pick('ABDEFGHKLMNPRSTW')}."

    def signature(self) -> str:
        return self._of(_texts().signatures)

    def options(self, count: int) -> tuple[str, ...]:
        return tuple(self._rng.sample(_texts().options, count))
