"""Attempts that share a browser session."""

from __future__ import annotations

from typing import cast

import pytest

from webgym.records.action import Action, Navigate, Scroll
from webgym.records.observation import Capture, Observation, Tab
from webgym.records.session import Look
from webgym.stages import Session
from webgym_hermetic.catalogue import site
from webgym_hermetic.checks.site_session import HOME, SiteSession, Start
from webgym_hermetic.control.client import SitesControl

pytestmark = pytest.mark.anyio
SITE = site("news", 1)
HOME_URL = f"http://{SITE.name}.localhost/"
LOOK = Look(screenshot=None)


class Recorded:
    """A session and a control plane that remember what they were asked."""

    def __init__(self) -> None:
        self.steps: list[Action | None] = []
        self.restarts: list[tuple[str, str]] = []

    async def step(self, action: Action | None, look: Look) -> Capture:
        assert look == LOOK
        self.steps.append(action)
        return Capture(Observation(len(self.steps), HOME_URL, tabs=(Tab(1, HOME_URL),)), {})

    async def restart(self, key: str, like: str) -> None:
        self.restarts.append((key, like))


def session(asked: Recorded) -> SiteSession:
    keys = ("own", "untouched")
    return SiteSession(cast("SitesControl", asked), SITE, cast("Session", asked), HOME_URL, keys)


async def test_a_page_that_was_only_looked_at_serves_the_next_attempt_too():
    asked = Recorded()
    shared = session(asked)
    first = await shared.begin(LOOK)
    assert await shared.begin(LOOK) is first
    assert (asked.steps, asked.restarts) == ([None], [])


async def test_after_somebody_acted_an_attempt_starts_from_the_untouched_state_at_home():
    asked = Recorded()
    shared = session(asked)
    await shared.begin(LOOK)
    await shared.step(Scroll(dy=100), LOOK)
    await shared.begin(LOOK, HOME)
    assert asked.steps == [None, Scroll(dy=100), Navigate(HOME_URL)]
    assert asked.restarts == [("own", "untouched")]


async def test_an_attempt_can_start_with_another_page_and_state():
    asked = Recorded()
    await session(asked).begin(LOOK, Start("kept", HOME_URL + "list"))
    assert asked.steps == [Navigate(HOME_URL + "list")]
    assert asked.restarts == [("own", "kept")]
