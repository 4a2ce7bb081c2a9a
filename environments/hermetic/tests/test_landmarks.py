"""Where attempts start that follow an oracle's."""

from __future__ import annotations

from contextlib import AsyncExitStack
from typing import Any, cast

import msgspec
import pytest

from webgym.records.action import Answer, Point
from webgym.records.decision import Decision
from webgym.records.observation import Box, Capture, Dialog, Effect, Element, Observation, PageChange, Tab
from webgym.rng import Rng
from webgym_hermetic.catalogue import site
from webgym_hermetic.checks.jobs import WIDE, Job
from webgym_hermetic.checks.landmarks import Landmarks, is_just_opened
from webgym_hermetic.checks.site_session import HOME, SiteSession, Start
from webgym_hermetic.goal import End, Fact, Goal
from webgym_hermetic.ground import Ground
from webgym_hermetic.states import Snapshot
from webgym_hermetic.tasks.generate import tasks_of
from webgym_hermetic.view import Intent, Tap, View

SITE = site("news", 1)
TASK = next(iter(tasks_of(SITE, 1)))
pytestmark = pytest.mark.anyio
PAGES = ("/", "/list", "/list", "/item")
OPENED = PageChange(("url", "content"))


class Walk(Goal, frozen=True):
    """Taps something on every page but the last, then says something."""

    taps: tuple[str, ...]
    says: str = "Done."

    def facts(self, world: Any) -> tuple[Fact, ...]:
        return ()

    def holds(self, fact: str, end: End) -> bool:
        return True

    def spoil(self, fact: str, world: Any) -> Goal:
        return self

    def clauses(self, world: Any) -> tuple[str, ...]:
        return ("walk",)

    def answer(self, world: Any) -> str:
        return self.says

    def next(self, view: View) -> Intent | None:
        step = int(view.elements[-1].value)
        return Tap(next(one for one in view.elements if one.key == self.taps[step])) if step < len(self.taps) else None


class Forking:
    """A session and a control plane that count the states they are asked to keep and to end."""

    def __init__(self) -> None:
        self.forks: list[str] = []
        self.ended: list[str] = []
        self.control = self

    async def fork(self) -> str:
        self.forks.append(f"state {len(self.forks)}")
        return self.forks[-1]

    async def end(self, key: str) -> None:
        self.ended.append(key)


def seen(step: int, effect: Effect | None = None, **more: Any) -> Observation:
    url = f"http://{SITE.name}.localhost{PAGES[step]}"
    keys = ("a", "b", "c", "d")
    elements = tuple(
        Element(key, "button", key, Box(10, 20, 30, 40), value=str(step), shown=True, point=Point(20, 30))
        for key in keys
    )
    whole = Observation(step + 1, url, elements=elements, effect=effect, tabs=(Tab(1, url),))
    return msgspec.structs.replace(whole, **more)


def job(goal: Goal) -> Job:
    return Job("oracle", SITE, TASK, WIDE, (goal,))


async def walked(stack: AsyncExitStack, place: Forking) -> Landmarks:
    """Landmarks of an oracle that taps a on the home page, b and c on the list, and answers on the item's page."""
    landmarks = Landmarks(stack, cast("Ground", place))

    async def snapshot() -> Snapshot:
        return Snapshot(SITE.name)

    oracle = landmarks.noting(job(Walk(("a", "b", "c"))), cast("SiteSession", place))(snapshot)
    effects = (None, OPENED, PageChange(("content",)), OPENED)
    for step, effect in enumerate(effects):
        choice = (await oracle.decide(Capture(seen(step, effect), {}))).choice
        assert isinstance(choice, Decision)
        assert isinstance(choice.action, Answer) == (step == len(effects) - 1)
    landmarks.trusted = True
    return landmarks


@pytest.mark.parametrize(
    ("variation", "start"),
    [
        (Walk(("d", "b", "c")), HOME),
        (Walk(("a", "d", "c")), Start("state 0", f"http://{SITE.name}.localhost/list")),
        (Walk(("a", "b", "d")), Start("state 0", f"http://{SITE.name}.localhost/list")),
        (Walk(("a", "b", "c"), "Something else."), Start("state 1", f"http://{SITE.name}.localhost/item")),
        (Walk(("a", "b", "c")), HOME),
    ],
)
async def test_a_variation_starts_with_the_latest_page_before_it_parts_from_the_oracle(variation: Walk, start: Start):
    async with AsyncExitStack() as stack:
        landmarks = await walked(stack, Forking())
        assert landmarks.parting(job(variation)) == start


async def test_one_that_strays_starts_anywhere_along_the_way():
    async with AsyncExitStack() as stack:
        landmarks = await walked(stack, Forking())
        starts = {landmarks.anywhere(Rng("start", number)) for number in range(50)}
    assert {start.state for start in starts} == {"", "state 0", "state 1"}


async def test_where_the_oracle_failed_everyone_starts_from_home():
    async with AsyncExitStack() as stack:
        landmarks = await walked(stack, Forking())
        landmarks.trusted = False
        assert landmarks.parting(job(Walk(("a", "b", "d")))) == HOME
        assert landmarks.anywhere(Rng("start")) == HOME


async def test_kept_states_are_ended():
    place = Forking()
    async with AsyncExitStack() as stack:
        await walked(stack, place)
        assert place.ended == []
    assert sorted(place.ended) == place.forks == ["state 0", "state 1"]


def test_a_page_can_be_had_again_if_it_was_just_opened_and_is_alone_and_at_rest():
    assert is_just_opened(seen(1, OPENED), SITE.name)
    assert not is_just_opened(seen(1, PageChange(("content",))), SITE.name)
    assert not is_just_opened(seen(1, OPENED), "elsewhere")
    assert not is_just_opened(seen(1, OPENED, settled=False), SITE.name)
    assert not is_just_opened(seen(1, OPENED, dialog=Dialog("confirm", "Leave?")), SITE.name)
    assert not is_just_opened(seen(1, OPENED, tabs=(Tab(1, ""), Tab(2, ""))), SITE.name)
