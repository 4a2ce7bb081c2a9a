"""Tabs: opened, followed, switched, closed."""

from __future__ import annotations

import time

import anyio
import pytest
from tests.integration.sessions import AREA, button, config_for, driving, link

from webgym.browser.server.chromium.browser import ChromiumBrowser
from webgym.browser.server.chromium.executable import find_executable
from webgym.records.action import Click, CloseTab, NewTab, Point, Press, SwitchTab, TypeText
from webgym.records.observation import ActionFailure, FailedReason, PageChange, Tab
from webgym.records.session import Look

pytestmark = [pytest.mark.anyio, pytest.mark.chromium]


def active(seen) -> int:
    return next(tab.tab for tab in seen.tabs if tab.active)


@pytest.mark.parametrize(
    "opener",
    [button("window.open('/next')"), link("/next", "target=_blank"), link("/next", "target=_blank rel=noopener")],
    ids=["window.open", "target=_blank", "noopener"],
)
async def test_a_window_that_a_click_opens_is_followed(session, pages, opener):
    following = pages.put("/next", "<title>next</title>", after=0.5)
    first = pages.page(opener, title="first")
    await session.go(first)
    seen = await session.click()
    assert (seen.url, seen.title, seen.settled) == (following, "next", True)
    assert seen.tabs == (Tab(1, first, "first"), Tab(2, following, "next", active=True))
    assert "tabs" in seen.effect.what


CLICK = Click(Point(50, 20))
HELD = {name: Click(Point(50, 20), modifiers=(name,)) for name in ("Control", "Shift")}
MIDDLE = Click(Point(50, 20), "middle")
FOCUSED = link("/next", "autofocus")
SCRIPTED = "let a=document.createElement('a');Object.assign(a,{href:'/next',target:'_blank',rel:'noopener'});a.click()"
WAYS = {
    "Control and click": (link("/next"), HELD["Control"]),
    "Shift and click": (link("/next"), HELD["Shift"]),
    "Control, Shift and click": (link("/next"), Click(Point(50, 20), modifiers=("Control", "Shift"))),
    "middle click": (link("/next"), MIDDLE),
    "Control and Enter": (FOCUSED, Press(("Control", "Enter"))),
    "Shift and Enter": (FOCUSED, Press(("Shift", "Enter"))),
    "a form, Control and click": (f"<form action=/next>{button('')}</form>", HELD["Control"]),
    "noopener": (link("/next", "target=_blank rel=noopener"), CLICK),
    "opener": (link("/next", "target=_blank rel=opener"), CLICK),
    "window.open, noopener": (button("window.open('/next','','noopener')"), CLICK),
    "a form, noopener": (f"<form target=_blank rel=noopener action=/next>{button('')}</form>", CLICK),
    "a link of a script": (button(SCRIPTED), CLICK),
    "a link in a frame": (f"<iframe src=/inner style='{AREA};border:0'></iframe>", HELD["Control"]),
}


@pytest.mark.parametrize("way", WAYS)
async def test_a_tab_is_seen_by_the_step_that_opens_it(session, pages, way):
    body, action = WAYS[way]
    pages.put("/next", "<title>next</title>", after=0.05)
    pages.page(link("/next"), "/inner")
    await session.go(pages.page(body, title="first"))
    for tab in (2, 3, 4):  # without the news of it, most are seen late, but not all
        seen = await session.do(action)
        assert (seen.title, active(seen), seen.settled) == ("next", tab, True)
        assert (await session.do(CloseTab())).title == "first"


async def test_a_tab_opened_for_a_download_alone_closes_in_the_same_step(session, pages):
    pages.put("/file", "x", headers={"Content-Disposition": "attachment; filename=a.txt"})
    await session.go(pages.page(link("/file"), title="first"))
    for count in (1, 2, 3):
        seen = await session.do(HELD["Control"])
        assert (seen.title, len(seen.tabs), len(seen.downloads)) == ("first", 1, count)
    assert len((await session.do()).tabs) == 1


FAR_WAYS = {
    "window.open": (button("window.open('/next')"), CLICK),
    "target=_blank": (link("/next", "target=_blank"), CLICK),
    "Control and click": (link("/next"), HELD["Control"]),
    "a form": (f"<form target=_blank action=/next>{button('')}</form>", CLICK),
}


async def test_a_tab_opened_by_a_frame_in_another_process_is_seen_by_the_same_step(pages, site, tmp_path):
    isolating = tmp_path / "chromium"
    isolating.write_text(f'#!/bin/sh\nexec {find_executable()} --site-per-process "$@"\n')
    isolating.chmod(0o700)
    pages.put("/next", "<title>next</title>", after=0.05)
    frame = f"<iframe src='{pages.url('/inner', 'localhost')}' style='{AREA};border:0'></iframe>"
    first = pages.page(frame, title="first")
    drawn = Look()  # the browser routes clicks into such frames by what has been drawn
    async with ChromiumBrowser(config_for(site, executable=str(isolating))) as browser, driving(browser) as session:
        for body, action in FAR_WAYS.values():
            pages.page(body, "/inner")
            await session.go(first, drawn)
            for _ in range(3):
                assert (await session.do(action)).title == "next"
                assert (await session.do(CloseTab(), drawn)).title == "first"


async def test_a_form_can_open_a_window(session, pages):
    pages.put("/next", "<title>next</title>")
    await session.go(pages.page(f"<form target=_blank action=/next>{button('')}</form>"))
    assert (await session.click()).title == "next"


async def test_new_tabs_can_be_opened_switched_and_closed(session, pages):
    one = pages.page("x", "/one", "one")
    two = pages.page("x", "/two", "two")
    await session.go(one)
    seen = await session.do(NewTab(two))
    assert (seen.title, active(seen)) == ("two", 2)
    seen = await session.do(SwitchTab(1))
    assert (seen.title, active(seen)) == ("one", 1)
    seen = await session.do(CloseTab(2))
    assert [tab.tab for tab in seen.tabs] == [1]
    assert seen.effect == PageChange(("tabs",))


async def test_numbers_of_tabs_are_not_used_again(session):
    await session.do(NewTab())
    await session.do(CloseTab())
    assert [tab.tab for tab in (await session.do(NewTab())).tabs] == [1, 3]


async def test_closing_the_last_tab_leaves_a_blank_one(session, pages):
    await session.go(pages.page("x"))
    seen = await session.do(CloseTab())
    assert [(tab.tab, tab.url) for tab in seen.tabs] == [(2, "about:blank")]
    assert seen.url == "about:blank"


async def test_a_tab_that_does_not_exist_is_a_failure(session):
    for action in (SwitchTab(7), CloseTab(7)):
        assert (await session.do(action)).effect == ActionFailure(FailedReason.NO_SUCH_TAB, "no tab 7")


async def test_a_page_that_closes_itself_gives_way_to_its_opener(session, pages):
    pages.page(button("window.close()"), "/next", "next")
    await session.go(pages.page(button("window.open('/next')"), title="first"))
    await session.click()
    seen = await session.click()
    assert (seen.title, [tab.tab for tab in seen.tabs]) == ("first", [1])
    assert "tabs" in seen.effect.what


async def test_no_more_tabs_than_allowed_are_opened(chromium, pages):
    pages.put("/next", "<title>next</title>")
    async with driving(chromium, max_tabs=3) as session:
        await session.go(pages.page(button("for(let i=0;i<10;i++)window.open('/next')")))
        seen = await session.click()
        assert len(seen.tabs) <= 3
        assert (await session.do()).tabs == seen.tabs
        while len((await session.do()).tabs) < 3:
            await session.do(NewTab())
        seen = await session.do(NewTab())
        assert isinstance(seen.effect, ActionFailure)
        assert len(seen.tabs) == 3


async def test_a_window_that_opens_between_steps_is_followed_by_the_next(session, pages):
    pages.put("/next", "<title>next</title>")
    await session.go(pages.page("<script>setTimeout(()=>window.open('/next'),2500)</script>", title="first"))
    deadline = time.monotonic() + 10
    while (seen := await session.do()).title != "next":
        assert time.monotonic() < deadline
    assert len(seen.tabs) == 2


async def test_tabs_of_one_session_share_their_cookies(session, pages):
    await session.go(pages.page("<script>document.cookie='c=1'</script>", "/set"))
    seen = await session.do(NewTab(pages.page("<script>document.title=document.cookie</script>", "/get")))
    assert seen.title == "c=1"


@pytest.mark.parametrize(
    ("closing", "action"),
    [
        ("<script>onkeydown=()=>window.close()</script>", Press(("a",))),
        (f"<input style='{AREA}' oninput='this.value[2]&&window.close()'>", TypeText("text " * 10, Point(50, 20))),
    ],
    ids=["a key", "typing"],
)
async def test_a_page_that_closes_itself_during_an_action_gives_way_to_its_opener(session, pages, closing, action):
    pages.page(closing, "/next", "next")
    await session.go(pages.page(button("window.open('/next')"), title="first"))
    for _ in range(3):
        assert (await session.click()).title == "next"
        seen = await session.do(action)
        assert (seen.title, len(seen.tabs)) == ("first", 1)
        assert "tabs" in seen.effect.what


async def test_a_window_that_hangs_from_the_start_is_interrupted(session, pages):
    pages.put("/next", "<title>next</title><script>for(;;);</script>")
    await session.go(pages.page(button("window.open('/next','','noopener')"), title="first"))
    with anyio.fail_after(30):
        seen = await session.click(look=Look(screenshot=None, settle_seconds=1))
    assert (seen.effect.reason, active(seen)) == (FailedReason.PAGE_UNRESPONSIVE, 2)
    assert (await session.do(SwitchTab(1))).title == "first"


async def test_a_tab_in_the_background_has_no_title_of_a_page_that_it_has_left(session, pages):
    pages.put("/later", "<title>later</title>")
    await session.go(pages.page("<script>setTimeout(()=>location='/later',2500)</script>", title="first"))
    await session.do(NewTab())
    with anyio.fail_after(10):
        while (first := (await session.do()).tabs[0]).url != pages.url("/later"):
            await anyio.sleep(0.1)
    assert first.title == ""
    assert (await session.do(SwitchTab(1))).title == "later"
