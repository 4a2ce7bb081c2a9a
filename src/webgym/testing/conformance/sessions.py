"""Conformance checks for `Browser` and `Session`.

@pytest.mark.parametrize("check", SESSION_CHECKS)
async def test_my_sessions(check):
    async with my_browser() as browser:
        await check(browser, SessionExample(does_something=TypeText("echo hi", submit=True)))
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

import anyio

from webgym.errors import WebGymError
from webgym.records.action import Action, Answer, Click, Point, Wait
from webgym.records.observation import ActionFailure, NoChange, PageChange, address_of
from webgym.records.session import NOTHING, Look, SessionSpec
from webgym.stages import Browser, Session
from webgym.testing.conformance.checking import bounded, refused


@dataclass(frozen=True, slots=True)
class SessionExample:
    """How to exercise an implementation."""

    does_something: Action
    """An action that visibly changes a new session."""
    spec: SessionSpec = SessionSpec()
    look: Look = Look()


Check = Callable[[Browser, SessionExample], Awaitable[None]]


async def sessions_follow_the_protocol(browser: Browser, example: SessionExample) -> None:
    """`open` yields an object with the methods of a `Session`."""
    assert isinstance(browser, Browser), f"{browser!r} has no method `open`"
    async with browser.open(example.spec) as session:
        assert isinstance(session, Session), f"{session!r} lacks `step` or `blob`"


async def observing_changes_nothing(browser: Browser, example: SessionExample) -> None:
    """Observing twice shows the same page, and observations are numbered from 1."""
    async with browser.open(example.spec) as session:
        first = (await session.step(None, example.look)).observation
        second = (await session.step(None, example.look)).observation
    counted = first.sequence, second.sequence
    assert counted == (1, 2), f"observations must be numbered from 1, not {counted}"
    assert first.effect is None, f"there was no action, but its effect is reported as {first.effect}"
    assert first.url == second.url, f"observing changed the page from {first.url} to {second.url}"


async def screenshots_are_addressed_by_their_content(browser: Browser, example: SessionExample) -> None:
    """A screenshot's bytes come with the observation, and can be fetched again."""
    async with browser.open(example.spec) as session:
        capture = await session.step(None, example.look)
        shot = capture.observation.screenshot
        assert shot is not None, "a screenshot was requested, but there is none"
        assert shot.address in capture.blobs, "the screenshot's bytes did not come with its observation"
        data = capture.blobs[shot.address]
        told, true = (shot.address, shot.size), (address_of(data), len(data))
        assert told == true, f"the reported address and size are {told}, but should be {true}"
        assert await session.blob(shot.address) == data, "fetched again, the screenshot has different bytes"


async def an_action_that_does_something_is_said_to(browser: Browser, example: SessionExample) -> None:
    """The effect is reported, and the observation gets the next number."""
    async with browser.open(example.spec) as session:
        await session.step(None, example.look)
        observation = (await session.step(example.does_something, example.look)).observation
    assert isinstance(observation.effect, PageChange), f"an action with an effect is reported as {observation.effect}"
    assert observation.sequence == 2, f"the second observation has the number {observation.sequence}"


async def answering_and_waiting_do_nothing_to_the_page(browser: Browser, example: SessionExample) -> None:
    """`Answer` and `Wait` have no effect on the page."""
    async with browser.open(example.spec) as session:
        for action in (Answer("42"), Wait(0.01)):
            observation = (await session.step(action, example.look)).observation
            assert isinstance(observation.effect, NoChange), f"{action} has the reported effect {observation.effect}"


async def acting_alone_takes_no_screenshot(browser: Browser, example: SessionExample) -> None:
    """Without a requested screenshot, none is taken."""
    async with browser.open(example.spec) as session:
        capture = await session.step(example.does_something, NOTHING)
    assert capture.observation.screenshot is None, "no screenshot was requested, but one was taken"
    assert not capture.blobs, "nothing was requested, but blobs were returned"


async def an_agents_mistake_is_told_not_raised(browser: Browser, example: SessionExample) -> None:
    """A click outside the viewport is reported as failed, and the session stays usable."""
    async with browser.open(example.spec) as session:
        observation = (await session.step(Click(Point(100_000, 5)), example.look)).observation
        assert isinstance(observation.effect, ActionFailure), (
            f"a click outside the viewport has the reported effect {observation.effect}"
        )
        after = (await session.step(example.does_something, example.look)).observation
        assert isinstance(after.effect, PageChange), f"after a failed action, an action has the effect {after.effect}"


async def an_unknown_blob_is_a_typed_error(browser: Browser, example: SessionExample) -> None:
    """An unknown address raises a `WebGymError`, and the session stays usable."""
    async with browser.open(example.spec) as session:
        with refused("an address that was never given out", WebGymError):
            await session.blob("sha256:" + 64 * "0")
        await session.step(None, example.look)


async def two_sessions_do_not_influence_each_other(browser: Browser, example: SessionExample) -> None:
    """An action in one session is not visible in another."""
    async with browser.open(example.spec) as one, browser.open(example.spec) as other:
        before = (await other.step(None, example.look)).observation
        await one.step(example.does_something, example.look)
        after = (await other.step(None, example.look)).observation
    stood, stands = (before.url, before.title), (after.url, after.title)
    assert stood == stands, f"an action in another session changed the page from {stood} to {stands}"
    assert after.sequence == 2, f"the second observation of a session has the number {after.sequence}"


async def a_cancelled_step_leaves_the_browser_usable(browser: Browser, example: SessionExample) -> None:
    """Cancelling a step in one session affects neither other sessions nor the browser."""
    async with browser.open(example.spec) as bystander:
        with anyio.move_on_after(0.3) as scope:
            async with browser.open(example.spec) as session:
                await session.step(Wait(30.0), example.look)
        assert scope.cancelled_caught, "a waiting step could not be cancelled"
        await bystander.step(None, example.look)
    async with browser.open(example.spec) as session:
        await session.step(None, example.look)


SESSION_CHECKS: tuple[Check, ...] = bounded(
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
