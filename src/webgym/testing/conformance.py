"""What every `Browser` and its `Session`s must do, whoever wrote them. Run by our tests on the fake and on all of ours.

@pytest.mark.parametrize("check", SESSION_CHECKS)
async def test_my_sessions(check):
    async with my_browser() as browser:
        await check(browser, SessionExample(does_something=TypeText("echo hi", submit=True)))
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

import anyio
import pytest

from webgym.errors import WebGymError
from webgym.records.action import Action, Answer, Click, Point, Wait
from webgym.records.observation import Changed, Failed, Unchanged, address_of
from webgym.records.session import NOTHING, Look, SessionSpec
from webgym.stages import Browser, Session

_SECONDS = 60.0


@dataclass(frozen=True, slots=True)
class SessionExample:
    """How to exercise one implementation."""

    does_something: Action
    """An action that visibly changes a new session."""
    spec: SessionSpec = SessionSpec()
    look: Look = Look()


Check = Callable[[Browser, SessionExample], Awaitable[None]]


async def sessions_follow_the_protocol(browser: Browser, example: SessionExample) -> None:
    """`open` gives something with the methods of a Session."""
    assert isinstance(browser, Browser)
    async with browser.open(example.spec) as session:
        assert isinstance(session, Session)


async def observing_changes_nothing(browser: Browser, example: SessionExample) -> None:
    """Looking twice shows the same, counted from 1."""
    async with browser.open(example.spec) as session:
        first = (await session.step(None, example.look)).observation
        second = (await session.step(None, example.look)).observation
    assert (first.sequence, second.sequence) == (1, 2)
    assert first.effect is None
    assert first.url == second.url


async def screenshots_are_addressed_by_their_content(browser: Browser, example: SessionExample) -> None:
    """The bytes come with the observation, once, and can be asked for again."""
    async with browser.open(example.spec) as session:
        capture = await session.step(None, example.look)
        shot = capture.observation.screenshot
        assert shot is not None
        data = capture.blobs[shot.address]
        assert (address_of(data), len(data)) == (shot.address, shot.size)
        assert await session.blob(shot.address) == data


async def an_action_that_does_something_is_said_to(browser: Browser, example: SessionExample) -> None:
    """The effect is told, and the next observation counts on."""
    async with browser.open(example.spec) as session:
        await session.step(None, example.look)
        observation = (await session.step(example.does_something, example.look)).observation
    assert isinstance(observation.effect, Changed), observation.effect
    assert observation.sequence == 2


async def answering_and_waiting_do_nothing_to_the_page(browser: Browser, example: SessionExample) -> None:
    """The agent's answer is for the judge, not for the page."""
    async with browser.open(example.spec) as session:
        for action in (Answer("42"), Wait(0.01)):
            observation = (await session.step(action, example.look)).observation
            assert isinstance(observation.effect, Unchanged), observation.effect


async def acting_alone_takes_no_screenshot(browser: Browser, example: SessionExample) -> None:
    """What was not asked for is not paid for."""
    async with browser.open(example.spec) as session:
        capture = await session.step(example.does_something, NOTHING)
    assert capture.observation.screenshot is None
    assert not capture.blobs


async def an_agents_mistake_is_told_not_raised(browser: Browser, example: SessionExample) -> None:
    """A click far off the viewport fails, and the session goes on."""
    async with browser.open(example.spec) as session:
        observation = (await session.step(Click(Point(100_000, 5)), example.look)).observation
        assert isinstance(observation.effect, Failed), observation.effect
        after = (await session.step(example.does_something, example.look)).observation
        assert isinstance(after.effect, Changed), after.effect


async def an_unknown_blob_is_a_typed_error(browser: Browser, example: SessionExample) -> None:
    """And does no harm."""
    async with browser.open(example.spec) as session:
        with pytest.raises(WebGymError):
            await session.blob("sha256:" + 64 * "0")
        await session.step(None, example.look)


async def two_sessions_do_not_influence_each_other(browser: Browser, example: SessionExample) -> None:
    """What is done to one is not seen in the other."""
    async with browser.open(example.spec) as one, browser.open(example.spec) as other:
        before = (await other.step(None, example.look)).observation
        await one.step(example.does_something, example.look)
        after = (await other.step(None, example.look)).observation
    assert (before.url, before.title) == (after.url, after.title)
    assert after.sequence == 2


async def a_cancelled_step_leaves_the_browser_usable(browser: Browser, example: SessionExample) -> None:
    """Cutting one session off harms no other."""
    async with browser.open(example.spec) as bystander:
        with anyio.move_on_after(0.3) as scope:
            async with browser.open(example.spec) as session:
                await session.step(Wait(30.0), example.look)
        assert scope.cancelled_caught
        await bystander.step(None, example.look)
    async with browser.open(example.spec) as session:
        await session.step(None, example.look)


def _bounded(check: Check) -> Check:
    async def run(browser: Browser, example: SessionExample) -> None:
        with anyio.fail_after(_SECONDS):
            await check(browser, example)

    run.__name__ = check.__name__
    run.__doc__ = check.__doc__
    return run


SESSION_CHECKS: tuple[Check, ...] = tuple(
    _bounded(check)
    for check in (
        sessions_follow_the_protocol,
        observing_changes_nothing,
        screenshots_are_addressed_by_their_content,
        an_action_that_does_something_is_said_to,
        answering_and_waiting_do_nothing_to_the_page,
        acting_alone_takes_no_screenshot,
        an_agents_mistake_is_told_not_raised,
        an_unknown_blob_is_a_typed_error,
        two_sessions_do_not_influence_each_other,
        a_cancelled_step_leaves_the_browser_usable,
    )
)
