"""Pages that give the names of the window other meanings: they are observed as they are."""

from __future__ import annotations

import anyio
import pytest
from tests.integration.pages_server import Pages
from tests.integration.sessions import Driver, button

from webgym.records.action import Click, MarkRef, Scroll, Select
from webgym.records.observation import Observation, PageChange, ScrollExtent
from webgym.records.session import Look

pytestmark = [pytest.mark.anyio, pytest.mark.chromium]

LOOK = Look(screenshot=None, marks=True, elements=True, lines=True, settle_seconds=5.0)

LET_ALL = """<script>
  const mine = document.createElement("script");
  mine.text = "let " + Object.getOwnPropertyNames(window).filter((name) => /^[A-Za-z]\\w*$/.test(name)
    && Object.getOwnPropertyDescriptor(window, name).configurable).join() + ";";
  document.currentScript.replaceWith(mine);
  mine.remove();
</script>"""
"""Every name that can be declared anew is, and is undefined from then on. What is left of its own name is `mine`."""

OVERWRITE = """<script>
  for (const name of ["innerWidth", "innerHeight", "scrollX", "scrollY", "length", "Node", "Map", "Math", "Set"]) {
    window[name] = 3;
  }
</script>"""

ORDINARY = """<div style="height:3000px"><p>Some text</p><button onclick="this.textContent='done'">Press</button>
<label>Name <input value=Ada></label><select aria-label=Choice><option>one<option>two</select>
<div><template shadowrootmode=open><a href="/x">Inside</a></template></div>
<iframe src="/inner" style="position:fixed;left:300px;top:300px"></iframe></div>"""


def told(seen: Observation) -> tuple[object, ...]:
    return seen.title, seen.scroll, seen.settled, seen.blank, seen.marks, seen.elements, seen.lines


async def visit(session: Driver, pages: Pages, script: str) -> Observation:
    pages.page("<button>Framed</button>" + script, "/inner")
    return await session.go(pages.page(ORDINARY + script), LOOK)


@pytest.mark.parametrize(
    "script",
    ["<script>let scrollY;</script>", "<script>var scrollX = 0.5, scrollY = 'top';</script>", LET_ALL, OVERWRITE],
    ids=["let", "var", "all", "overwritten"],
)
async def test_a_page_with_names_of_its_own_is_told_as_one_without(session, pages, script):
    plain = await visit(session, pages, "")
    assert {mark.name for mark in plain.marks} == {"Press", "Name", "Choice", "Inside", "Framed"}
    assert told(await visit(session, pages, script)) == told(plain)


async def test_scrolling_is_told_where_the_page_has_a_variable_of_that_name(session, pages):
    await session.go(pages.page("<p style='height:3000px'>long<script>var scrollX = 0, scrollY = 0;</script>"))
    seen = await session.do(Scroll(dy=300))
    assert seen.effect == PageChange(("scroll",))
    assert (seen.scroll.x, seen.scroll.y) == (0, 300)


@pytest.mark.parametrize("size", ["let innerHeight, innerWidth", "var innerHeight = 0, innerWidth = 0"])
async def test_images_in_view_are_waited_for_where_the_page_has_its_own_idea_of_the_view(session, pages, size):
    pages.put("/late.svg", "<svg xmlns='http://www.w3.org/2000/svg'/>", after=0.7, media_type="image/svg+xml")
    showing = button("document.body.innerHTML='<img src=/late.svg width=9 height=9 onload=shown()>'")
    await session.go(pages.page(f"{showing}<script>{size}; const shown = () => {{document.title = 'shown'}}</script>"))
    seen = await session.click()
    assert seen.title == "shown"


async def test_frames_are_waited_for_where_the_page_has_a_length_of_its_own(session, pages):
    pages.put("/late", "done", after=0.7)
    pages.page("<script>fetch('/late').then(()=>{parent.document.title='fetched'})</script>", "/inner")
    seen = await session.go(pages.page("<script>var length = 0;</script><iframe src='/inner'></iframe>"))
    assert seen.title == "fetched"


async def test_such_a_page_is_acted_on(session, pages):
    seen = await visit(session, pages, LET_ALL)
    number = {mark.name: mark.mark for mark in seen.marks}
    assert "done" in {mark.name for mark in (await session.do(Click(MarkRef(number["Press"])), LOOK)).marks}
    seen = await session.do(Select(MarkRef(number["Choice"]), ("two",)), LOOK)
    assert "two" in {mark.value for mark in seen.marks}
    seen = await session.do(Click(MarkRef(number["Choice"])), LOOK)
    assert {"one", "two"} <= {mark.name for mark in seen.marks if mark.role == "option"}


WRONG = "Object.defineProperty(document.documentElement, 'scrollWidth', {get: () => 'wide'});"


async def test_a_state_of_the_wrong_shape_is_asked_for_in_a_simpler_way(session, pages):
    seen = await session.go(pages.page(f"<p>text<script>{WRONG}</script>", title="odd"))
    assert (seen.title, seen.url, seen.scroll) == ("odd", pages.url(), ScrollExtent())
    assert (await session.go(pages.page("x", "/fine", "fine"))).title == "fine"


async def test_a_frame_whose_state_has_the_wrong_shape_is_left_out(session, pages):
    inner = pages.page(f"x<script>{WRONG}</script>", "/inner").replace("127.0.0.1", "localhost")
    seen = await session.go(pages.page(f"<iframe src='{inner}'></iframe>", title="outer"))
    assert (seen.title, seen.settled) == ("outer", True)


async def test_marks_and_elements_of_the_wrong_shape_are_left_out(session, pages):
    odd = "<button>b</button>text<script>Array.prototype.toJSON = () => '[odd]'</script>"
    seen = await session.go(pages.page(odd), LOOK)
    assert (seen.marks, seen.elements, seen.lines) == ((), (), ())
    with anyio.fail_after(20):
        assert (await session.go(pages.page("x", "/fine", "fine"))).title == "fine"
