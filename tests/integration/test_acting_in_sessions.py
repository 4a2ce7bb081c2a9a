"""Actions as an agent takes them: through a session, told only what the observation tells."""

from __future__ import annotations

import io
from collections.abc import Mapping
from contextlib import asynccontextmanager

import pytest
from PIL import Image, ImageChops
from tests.integration.action_pages import serving

from webgym.browser.config import ChromiumConfig, EgressConfig
from webgym.browser.server.chromium.browser import ChromiumBrowser
from webgym.records.action import AnswerDialog, Click, MarkRef, Point, Press, Scroll, Select, TypeText
from webgym.records.observation import ActionFailure, Capture, FailedReason, PageChange
from webgym.records.session import Look, SessionSpec

pytestmark = [pytest.mark.anyio, pytest.mark.chromium]

LOOK = Look(screenshot="png", marks=True)
HOSTS = ("a", "b", "c")


@asynccontextmanager
async def session_on(pages: Mapping[str, str] | str):
    several = {"a/": pages} if isinstance(pages, str) else pages
    async with serving(several) as port:
        egress = EgressConfig(allow=tuple(f"{host}.localhost:{port}" for host in HOSTS))
        async with (
            ChromiumBrowser(ChromiumConfig(egress=egress)) as browser,
            browser.open(SessionSpec(start_url=f"http://a.localhost:{port}/")) as session,
        ):
            yield session


def mark(capture: Capture, name: str) -> MarkRef:
    return MarkRef(next(mark.mark for mark in capture.observation.marks or () if mark.name == name))


def picture(capture: Capture) -> Image.Image:
    blob = capture.observation.screenshot
    assert blob is not None
    return Image.open(io.BytesIO(capture.blobs[blob.address])).convert("RGB")


async def test_an_agent_that_only_sees_picks_an_option_by_clicking_twice():
    html = """<body style='margin: 0; background: white'><select style='width: 120px; height: 30px'
      onchange='document.title = this.value'><option>One<option>Two<option>Three</select>"""
    look = Look(screenshot="png")
    async with session_on(html) as session:
        before = await session.step(None, look)
        opened = await session.step(Click(Point(60, 15)), look)
        assert isinstance(opened.observation.effect, PageChange)
        area = ImageChops.difference(picture(before), picture(opened)).getbbox()
        assert area is not None
        _, _, _, bottom = area
        assert 90 < bottom < 140  # three rows below the select
        chosen = await session.step(Click(Point(60, 30 + 4 + 24 + 12)), look)
        assert chosen.observation.title == "Two"


async def test_marks_of_an_observation_are_acted_on_in_the_next_step():
    pages = {
        "a/": "<button>Outside</button><iframe src='http://b.localhost:PORT/f'></iframe>",
        "b/f": "<input aria-label=Inside><button onclick='this.textContent = `pressed`'>Press</button>",
    }
    async with session_on(pages) as session:
        seen = await session.step(None, LOOK)
        assert seen.observation.labelled is not None
        typed = await session.step(TypeText("hello", mark(seen, "Inside")), LOOK)
        values = {one.name: one.value for one in typed.observation.marks or ()}
        assert values["Inside"] == "hello"
        pressed = await session.step(Click(mark(typed, "Press")), LOOK)
        assert isinstance(pressed.observation.effect, PageChange)
        assert "pressed" in {one.name for one in pressed.observation.marks or ()}


async def test_what_cannot_be_done_is_told_and_the_session_goes_on():
    html = "<p>Text</p><select aria-label=S><option>One</select><button>Go</button>"
    async with session_on(html) as session:
        seen = await session.step(None, LOOK)
        for action, reason in (
            (Click(Point(5000, 5)), FailedReason.OFF_VIEWPORT),
            (Click(MarkRef(99)), FailedReason.MARK_GONE),
            (Press(("Nonsense",)), FailedReason.NO_SUCH_KEY),
            (Select(mark(seen, "S"), ("Two",)), FailedReason.NO_SUCH_OPTION),
            (TypeText("x", Point(20, 30)), FailedReason.NOT_EDITABLE),
        ):
            effect = (await session.step(action, LOOK)).observation.effect
            assert isinstance(effect, ActionFailure)
            assert effect.reason == reason
            assert effect.detail


async def test_a_click_that_opens_a_dialog_returns_with_the_dialog():
    html = "<button onclick='document.title = confirm(`Sure?`)'>Ask</button>"
    async with session_on(html) as session:
        asked = await session.step(Click(Point(30, 18)), Look(screenshot=None))
        assert asked.observation.dialog is not None
        assert asked.observation.dialog.message == "Sure?"
        answered = await session.step(AnswerDialog(accept=True), LOOK)
        assert answered.observation.title == "true"


async def test_typing_into_a_field_that_alerts_at_every_key_does_not_hang():
    html = "<input style='width: 300px; height: 30px' onkeydown='alert(1)'>"
    async with session_on(html) as session:
        typed = await session.step(TypeText("abc", Point(50, 20)), Look(screenshot=None))
        assert typed.observation.dialog is not None


async def test_what_a_scroll_brings_into_view_is_marked():
    html = "<body style='height: 3000px'><button style='position: absolute; top: 1500px'>Below</button>"
    async with session_on(html) as session:
        assert (await session.step(None, LOOK)).observation.marks == ()
        scrolled = await session.step(Scroll(dy=1200), LOOK)
        assert scrolled.observation.scroll.y == 1200
        assert [one.name for one in scrolled.observation.marks or ()] == ["Below"]
