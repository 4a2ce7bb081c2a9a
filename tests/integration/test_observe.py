"""Every field of an observation."""

from __future__ import annotations

import io
import json

import anyio
import pytest
from PIL import Image
from tests.integration.sessions import AREA, QUICK, button, driving

from webgym.errors import SessionError
from webgym.records.action import Click, Hover, MarkRef, NewTab, Point, Press, Scroll, TypeText, Wait
from webgym.records.observation import NoChange, PageChange, ScrollExtent, Tab, Viewport, address_of
from webgym.records.session import Look, SessionSpec

pytestmark = [pytest.mark.anyio, pytest.mark.chromium]

PICTURE = Look()


async def test_an_observation_has_url_title_viewport_and_scroll(session, pages):
    url = pages.page("<div style='width:2000px;height:3000px'></div>", title="Long")
    seen = await session.go(url)
    assert (seen.url, seen.title, seen.viewport, seen.settled) == (url, "Long", Viewport(), True)
    assert seen.scroll == ScrollExtent(0, 0, 2000, 3000)
    seen = await session.do(Scroll(dy=500))
    assert seen.scroll.y == 500
    assert seen.effect == PageChange(("scroll",))


async def test_observations_are_counted(session):
    assert [(await session.do()).sequence for _ in range(3)] == [1, 2, 3]


async def test_a_fresh_session_shows_a_blank_page(session):
    seen = await session.do()
    assert (seen.url, seen.effect, seen.tabs) == ("about:blank", None, (Tab(1, "about:blank", "", active=True),))


@pytest.mark.parametrize("kind", ["jpeg", "png", "webp"])
async def test_the_screenshot_is_of_the_viewport_in_the_format_asked_for(session, pages, kind):
    await session.go(pages.page("<div style='background:#f00;height:100vh'></div>"))
    capture = await session.session.step(None, Look(screenshot=kind))
    blob = capture.observation.screenshot
    image = Image.open(io.BytesIO(capture.blobs[blob.address]))
    assert (image.format, image.size) == (kind.upper(), (1280, 768))
    assert image.convert("RGB").getpixel((640, 300))[0] > 250
    assert (blob.media_type, blob.size) == (f"image/{kind}", len(capture.blobs[blob.address]))
    assert blob.address == address_of(capture.blobs[blob.address])


async def test_the_same_page_has_the_same_screenshot_address(session, pages):
    await session.go(pages.page("<h1>still</h1>"))
    first, second = await session.do(None, PICTURE), await session.do(None, PICTURE)
    assert first.screenshot == second.screenshot


async def test_recent_screenshots_can_be_asked_for_and_unknown_blobs_are_refused(session, pages):
    await session.go(pages.page("<h1>still</h1>"))
    capture = await session.session.step(None, PICTURE)
    address = capture.observation.screenshot.address
    assert await session.session.blob(address) == capture.blobs[address]
    with pytest.raises(SessionError):
        await session.session.blob("sha256:0")


async def test_no_screenshot_is_taken_unless_asked_for(session):
    capture = await session.session.step(None, QUICK)
    assert capture.observation.screenshot is None
    assert capture.blobs == {}


async def test_marks_and_labelled_picture_come_with_the_screenshot(session, pages):
    await session.go(
        pages.page(button("document.title='pressed'", "Press me") + "<a href=/x style='margin-left:300px'>Go</a>")
    )
    capture = await session.session.step(None, Look(marks=True))
    seen = capture.observation
    assert [(mark.role, mark.name) for mark in seen.marks] == [("button", "Press me"), ("link", "Go")]
    assert seen.labelled.address != seen.screenshot.address
    assert set(capture.blobs) == {seen.labelled.address, seen.screenshot.address}
    assert (await session.do(Click(MarkRef(1)))).title == "pressed"


async def test_the_accessibility_tree_comes_on_request(session, pages):
    await session.go(pages.page("<h1>Heading</h1><button>Press me</button>"))
    assert (await session.do()).accessibility is None
    tree = (await session.do(None, Look(screenshot=None, accessibility=True))).accessibility
    assert "Heading" in tree
    assert "Press me" in tree


async def test_the_storage_state_comes_on_request_and_starts_another_session(chromium, pages):
    url = pages.page("<script>localStorage.k='v';document.cookie='c=1;max-age=1000'</script>")
    echo = pages.page("<script>document.title=localStorage.k+document.cookie</script>", "/echo")
    async with driving(chromium, start_url=url) as first:
        state = (await first.do(None, Look(screenshot=None, storage_state=True))).storage_state
    assert {cookie["name"] for cookie in json.loads(state)["cookies"]} == {"c"}
    async with driving(chromium, storage_state=state, start_url=echo) as second:
        assert (await second.do()).title == "vc=1"


async def test_timings_say_where_the_time_went(session, pages):
    await session.go(pages.page("x"))
    timings = (await session.do(Wait(0.3), PICTURE)).timings
    assert timings.acted >= 0.3
    assert timings.settled > 0
    assert timings.captured > 0


async def test_refused_requests_are_counted(session, pages):
    seen = await session.go(pages.page("<img src='http://10.1.2.3/x.png'>"))
    assert seen.blocked_requests == 1


async def test_a_click_on_nothing_leaves_the_page_unchanged(session, pages):
    await session.go(pages.page("<p>nothing here"), PICTURE)
    assert (await session.click(600, 600, PICTURE)).effect == NoChange()


async def test_a_click_that_changes_the_document_says_content(session, pages):
    await session.go(pages.page(button("this.after('more')")))
    assert "content" in (await session.click()).effect.what


async def test_what_the_page_does_by_itself_between_steps_is_not_the_action(session, pages):
    await session.go(pages.page("<p id=p>x<script>setTimeout(()=>p.textContent='late', 2500)</script>"))
    await anyio.sleep(3)
    assert (await session.click(600, 600)).effect == NoChange()


async def test_a_style_that_changes_under_the_mouse_is_seen(session, pages):
    await session.go(pages.page("<style>p:hover{background:red}</style><p>hover me"), PICTURE)
    assert (await session.do(Hover(Point(20, 25)), PICTURE)).effect == PageChange(("content",))


async def test_typing_says_value_and_focus(session, pages):
    await session.go(pages.page(f"<input style='{AREA}'>"))
    assert set((await session.do(TypeText("hello", Point(50, 20)))).effect.what) == {"value", "focus"}


async def test_a_press_that_nothing_listens_to_is_unchanged(session, pages):
    await session.go(pages.page("<input autofocus>"), PICTURE)
    assert (await session.do(Press(("Shift",)), PICTURE)).effect == NoChange()


async def test_scrolling_inside_an_element_says_scroll(session, pages):
    box = "<div style='width:300px;height:200px;overflow:auto'><div style='height:2000px'></div></div>"
    await session.go(pages.page(box))
    assert (await session.do(Scroll(dy=100, target=Point(50, 50)))).effect == PageChange(("scroll",))


async def test_changes_inside_frames_are_seen(session, pages):
    inner = pages.page(button("this.after('more')"), "/inner")
    far = inner.replace("127.0.0.1", "localhost")
    for source in (inner, far):
        await session.go(pages.page(f"<iframe src='{source}' style='border:0'></iframe>", f"/{len(source)}"))
        assert "content" in (await session.click()).effect.what


async def test_new_tabs_say_tabs(session):
    seen = await session.do(NewTab())
    assert "tabs" in seen.effect.what
    assert [tab.active for tab in seen.tabs] == [False, True]


async def test_the_first_step_may_be_an_action(chromium, pages):
    url = pages.page(button("this.after('more')"))
    async with chromium.open(SessionSpec(start_url=url)) as session:
        seen = (await session.step(Click(Point(50, 20)), QUICK)).observation
    assert "content" in seen.effect.what


async def test_the_storage_state_holds_what_other_sites_stored_before(chromium, pages):
    script = "<script>localStorage.k = 'kept'</script>"
    async with driving(chromium, start_url=pages.page(script)) as session:
        await session.do()
        await session.go("about:blank")
        state = (await session.do(None, Look(screenshot=None, storage_state=True))).storage_state
    assert state is not None
    assert '"kept"' in state
