"""What a mouse does, seen from the page."""

from __future__ import annotations

import anyio
import pytest
from tests.integration.action_pages import VIEWPORT, mark_named, over, showing, until

from webgym.browser.server.chromium.actions import perform
from webgym.browser.server.chromium.marks import collect
from webgym.records.action import Click, Hover, MarkRef, Point, Scroll
from webgym.records.observation import ActionFailure, FailedReason

pytestmark = [pytest.mark.anyio, pytest.mark.chromium]


LOG = """
<style>#pad {position: fixed; left: 100px; top: 100px; width: 200px; height: 100px; background: #ddd}</style>
<div id=pad></div><script>
  window.log = [];
  const types = "mousemove mousedown mouseup click dblclick auxclick contextmenu mouseenter".split(" ");
  const note = (e) => log.push([e.type, e.button, e.detail, e.isTrusted, [e.ctrlKey, e.shiftKey].join()]);
  for (const type of types) pad.addEventListener(type, note);
</script>"""


async def kinds(page) -> list[str]:
    return [entry[0] for entry in await page.evaluate("log")]


async def test_a_click_is_a_move_a_press_and_a_release_that_pages_trust(tab):
    async with showing(tab, LOG) as page:
        assert await perform(tab, Click(Point(150, 150))) is None
        log = await page.evaluate("log")
    assert [entry[0] for entry in log] == ["mouseenter", "mousemove", "mousedown", "mouseup", "click"]
    assert all(entry[3] for entry in log)


async def test_a_double_click_is_one_to_the_page(tab):
    async with showing(tab, LOG) as page:
        await perform(tab, Click(Point(150, 150), count=2))
        log = await page.evaluate("log")
    assert [entry[0] for entry in log][-4:] == ["mousedown", "mouseup", "click", "dblclick"]
    assert [entry[2] for entry in log if entry[0] == "click"] == [1, 2]


async def test_the_right_button_opens_the_pages_context_menu(tab):
    async with showing(tab, LOG) as page:
        await perform(tab, Click(Point(150, 150), button="right"))
        assert {"contextmenu", "auxclick"} <= set(await kinds(page))
        assert "click" not in await kinds(page)


async def test_the_middle_button_is_told_as_such(tab):
    async with showing(tab, LOG) as page:
        await perform(tab, Click(Point(150, 150), button="middle"))
        log = await page.evaluate("log")
    assert [entry[1] for entry in log if entry[0] == "auxclick"] == [1]


async def test_modifiers_are_held_during_a_click(tab):
    async with showing(tab, LOG) as page:
        await perform(tab, Click(Point(150, 150), modifiers=("Control", "Shift", "Control")))
        log = await page.evaluate("log")
    assert [entry[4] for entry in log if entry[0] == "click"] == ["true,true"]


async def test_hovering_stays_and_shows_what_hovering_shows(tab):
    menu = "<style>#m i {display: none} #m:hover i {display: inline}</style><b id=m>Menu <i>Item</i></b>"
    async with showing(tab, menu) as page:
        assert await perform(tab, Hover(Point(20, 15))) is None
        assert await page.evaluate("getComputedStyle(document.querySelector('i')).display") == "inline"


@pytest.mark.parametrize("point", [(-1, 5), (5, -1), (VIEWPORT.width, 5), (5, VIEWPORT.height), (10**6, 10**6)])
@pytest.mark.parametrize("action", [Click, Hover])
async def test_points_outside_the_viewport_are_refused(tab, point, action):
    failed = await perform(tab, action(Point(*point)))
    assert isinstance(failed, ActionFailure)
    assert failed.reason == FailedReason.OFF_VIEWPORT
    assert "1000x700" in failed.detail


@pytest.mark.parametrize("count", [0, -1, 6, 10**9])
async def test_a_number_of_clicks_that_no_person_makes_is_refused(tab, count):
    failed = await perform(tab, Click(Point(5, 5), count=count))
    assert isinstance(failed, ActionFailure)
    assert failed.reason == FailedReason.INVALID_VALUE


async def test_a_click_that_closes_its_tab_is_no_failure(tab):
    async with showing(tab, "<button onclick='window.open(`/popup`)'>open</button>") as page:
        async with page.expect_popup() as popup:
            await perform(tab, Click(Point(20, 15)))
        opened = await popup.value
        async with over(tab, opened) as other:
            await opened.set_content("<button onclick='window.close()'>close</button>")
            assert await perform(other, Click(Point(20, 15))) is None
            await until(opened.is_closed)


SCROLLERS = """
<style>body {margin: 0; height: 5000px; width: 4000px}
  #inner {position: absolute; left: 50px; top: 50px; width: 200px; height: 200px; overflow: auto}
  #inner div {width: 3000px; height: 3000px; background: linear-gradient(red, blue)}</style>
<div id=inner><div></div></div>"""


async def scrolled(page) -> list[float]:
    return await page.evaluate("[scrollX, scrollY, inner.scrollLeft, inner.scrollTop]")


async def test_scrolling_moves_the_innermost_scroller_under_the_point(tab):
    async with showing(tab, SCROLLERS) as page:
        assert await perform(tab, Scroll(dy=120, target=Point(100, 100))) is None
        await until(lambda: scrolled(page), [0, 0, 0, 120])
        await perform(tab, Scroll(dy=300))
        await until(lambda: scrolled(page), [0, 300, 0, 120])


async def test_scrolling_sideways_and_back(tab):
    async with showing(tab, SCROLLERS) as page:
        await perform(tab, Scroll(dx=250, target=Point(600, 400)))
        await until(lambda: scrolled(page), [250, 0, 0, 0])
        await perform(tab, Scroll(dx=-250, target=Point(600, 400)))
        await until(lambda: scrolled(page), [0, 0, 0, 0])


async def test_a_big_scroll_goes_all_the_way(tab):
    async with showing(tab, SCROLLERS) as page:
        await perform(tab, Scroll(dy=4000, target=Point(600, 400)))
        await until(lambda: scrolled(page), [0, 4000, 0, 0])
        await perform(tab, Scroll(dy=10**7, target=Point(600, 400)))
        await until(lambda: scrolled(page), [0, 4300, 0, 0])


async def test_a_mark_is_clicked_where_it_is_now(tab):
    moving = "<button id=b style='position: absolute; left: 10px' onclick='document.title = `hit`'>Go</button>"
    async with showing(tab, moving) as page:
        mark = await mark_named(tab, "Go")
        await page.evaluate("b.style.left = '500px'; b.style.top = '400px'")
        assert await perform(tab, Click(mark)) is None
        assert await page.title() == "hit"


async def test_a_mark_is_scrolled_into_view_before_it_is_clicked(tab):
    tall = "<body style='height: 5000px'><button onclick='document.title = `hit`'>Go</button>"
    async with showing(tab, tall) as page:
        mark = await mark_named(tab, "Go")
        await page.evaluate("scrollTo(0, 3000)")
        assert await perform(tab, Click(mark)) is None
        assert await page.title() == "hit"


async def test_a_mark_under_a_sticky_header_is_brought_out_from_under_it(tab):
    sticky = """<body style='height: 5000px; margin: 0'>
      <div style='position: fixed; inset: 0 0 auto 0; height: 100px; background: #eee'>Header</div>
      <button style='position: absolute; top: 600px' onclick='document.title = `hit`'>Go</button>"""
    async with showing(tab, sticky) as page:
        mark = await mark_named(tab, "Go")
        await page.evaluate("scrollTo(0, 560)")
        assert await perform(tab, Click(mark)) is None
        assert await page.title() == "hit"


async def test_marks_that_are_gone_are_refused(tab):
    async with showing(tab, "<button id=b>Go</button>") as page:
        mark = await mark_named(tab, "Go")
        await page.evaluate("b.remove()")
        failed = await perform(tab, Click(mark))
        assert isinstance(failed, ActionFailure)
        assert failed.reason == FailedReason.MARK_GONE


async def test_marks_that_were_never_given_are_refused(tab):
    async with showing(tab, "<button>Go</button>"):
        for number in (0, 1, 99):
            failed = await perform(tab, Click(MarkRef(number)))
            assert isinstance(failed, ActionFailure)
            assert failed.reason == FailedReason.MARK_GONE


async def test_marks_do_not_outlive_a_navigation_even_back_to_the_same_page(tab):
    async with showing(tab, {"a/": "<button>Go</button>", "a/other": "<a href=#>Other</a>"}) as page:
        mark = await mark_named(tab, "Go")
        await page.goto(page.url + "other")
        assert isinstance(await perform(tab, Click(mark)), ActionFailure)
        await collect(tab)
        await page.go_back()
        failed = await perform(tab, Click(mark))
        assert isinstance(failed, ActionFailure)
        assert failed.reason == FailedReason.MARK_GONE


async def test_a_link_broken_over_two_lines_is_clicked_on_its_text(tab):
    wrapped = """<body style='margin: 0; font: 20px monospace; width: 300px'>aaaaaaaaaaaaaaaaaaaa
      <a href='#hit'>bbbb cccc</a> dddddddddddd"""
    async with showing(tab, wrapped) as page:
        await perform(tab, Click(await mark_named(tab, "bbbb cccc")))
        await until(lambda: page.evaluate("location.hash"), "#hit")


async def test_actions_inside_frames_of_another_process_land_there(tab):
    pages = {
        "a/": """<style>iframe {margin: 40px; border: 7px solid; width: 300px; height: 200px}</style>
          <iframe src='http://b.localhost:PORT/f'></iframe>""",
        "b/f": """<body style='height: 2000px'>
          <button style='margin-top: 1500px' onclick='this.textContent = `hit`'>Go</button>""",
    }
    async with showing(tab, pages) as page:
        inner = page.frames[1]
        await inner.evaluate("scrollTo(0, 1450)")
        mark = await mark_named(tab, "Go")
        await inner.evaluate("scrollTo(0, 0)")
        assert await perform(tab, Click(mark)) is None
        await until(lambda: inner.evaluate("document.querySelector('button').textContent"), "hit")


async def test_a_mark_in_a_frame_that_is_scrolled_away_is_brought_back(tab):
    pages = {
        "a/": "<body style='height: 4000px'><iframe src='http://b.localhost:PORT/f'></iframe>",
        "b/f": "<button onclick='this.textContent = `hit`'>Go</button>",
    }
    async with showing(tab, pages) as page:
        mark = await mark_named(tab, "Go")
        await page.evaluate("scrollTo(0, 2500)")
        with anyio.fail_after(30):
            assert await perform(tab, Click(mark)) is None
        await until(lambda: page.frames[1].evaluate("document.querySelector('button').textContent"), "hit")
