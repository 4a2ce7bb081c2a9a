"""Every interactive element of a page, in sight or not, and how a click gets to it."""

from __future__ import annotations

import pytest
from tests.integration.action_pages import VIEWPORT, showing

from webgym.browser.server.chromium.elements import collect
from webgym.records.action import Point
from webgym.records.observation import Element

pytestmark = [pytest.mark.anyio, pytest.mark.chromium]


async def element(tab, key: str) -> Element:
    found = [one for one in await collect(tab) if one.key == key]
    assert len(found) == 1, found
    return found[0]


async def test_links_fields_and_whatever_has_a_test_id_are_told_in_document_order(tab):
    page = (
        "<a href='/x?y=1'>Link</a><p>text</p><label>Name <input value=Ada></label><select><option value=a>A</select>"
        "<textarea></textarea><button>Send</button><div data-testid=box>Box</div><input type=hidden value=h>"
    )
    async with showing(tab, page):
        found = await collect(tab)
    assert [one.tag for one in found] == ["a", "input", "select", "textarea", "button", "div"]
    assert [found[0].href, found[1].text, found[1].value, found[2].value] == ["/x?y=1", "Name", "Ada", "a"]
    assert [found[5].key, found[5].text] == ["box", "Box"]


async def test_a_field_goes_by_the_words_of_its_label_not_by_what_it_holds(tab):
    page = (
        "<label>Sort <b>by</b> <select data-testid=in><option>Price</option><option>Name</option></select></label>"
        "<label for=t>Text</label><textarea id=t data-testid=apart>Some text</textarea>"
        "<label><textarea data-testid=note>Held</textarea> Note</label>"
    )
    async with showing(tab, page):
        texts = [(await element(tab, key)).text for key in ("in", "apart", "note")]
    assert texts == ["Sort by", "Text", "Note"]


async def test_what_can_be_clicked_has_a_point_that_reaches_it(tab):
    async with showing(
        tab, "<button data-testid=b style='position:absolute;left:40px;top:60px;width:80px;height:30px'>b"
    ):
        button = await element(tab, "b")
    assert button.point == Point(80, 75)
    assert button.shown
    assert not button.cover


async def test_what_is_scrolled_away_is_shown_without_a_point(tab):
    async with showing(tab, "<div style='height:3000px'></div><button data-testid=far>Far</button>"):
        button = await element(tab, "far")
    assert button.shown
    assert button.point is None
    assert button.box.y > VIEWPORT.height


async def test_what_is_scrolled_away_inside_a_part_of_the_page_names_that_part(tab):
    page = (
        "<div style='position:absolute;left:10px;top:20px;width:200px;height:100px;overflow-y:auto'>"
        "<div style='height:900px'></div><button data-testid=in>In</button></div>"
    )
    async with showing(tab, page):
        button = await element(tab, "in")
    assert button.point is None
    assert button.scroller is not None
    assert (button.scroller.x, button.scroller.y, button.scroller.height) == (10, 20, 100)


async def test_what_is_hidden_names_what_shows_it_and_the_innermost_hidden_part_counts(tab):
    page = (
        "<div hidden data-via='open:menu'><button data-testid='open:more'>More</button>"
        "<div hidden data-via='open:more'><a data-testid=deep href=/deep>Deep</a></div></div>"
        "<div data-via='open:nothing'><span hidden><i data-testid=other>x</i></span></div>"
    )
    async with showing(tab, page):
        deep, more, other = await element(tab, "deep"), await element(tab, "open:more"), await element(tab, "other")
    assert not deep.shown
    assert [deep.via, more.via] == ["open:more", "open:menu"]
    assert other.via == "open:nothing"  # the part itself has no size while all in it is hidden


async def test_what_is_covered_names_what_removes_the_cover(tab):
    page = (
        "<button data-testid=b style='position:absolute;left:40px;top:60px;width:80px;height:30px'>b</button>"
        "<div data-dismiss='dismiss:promo' style='position:fixed;inset:0'>"
        "<button data-testid='dismiss:promo'>x</button></div>"
    )
    async with showing(tab, page):
        button = await element(tab, "b")
    assert button.point is None
    assert button.cover == "dismiss:promo"


@pytest.mark.parametrize(
    ("html", "on"),
    [
        ("<input type=checkbox data-testid=t checked>", True),
        ("<input type=radio data-testid=t>", False),
        ("<div data-testid=t role=option aria-selected=true>x</div>", True),
        ("<button data-testid=t aria-expanded=false>x</button>", False),
        ("<button data-testid=t aria-pressed=true>x</button>", True),
    ],
)
async def test_whether_something_is_on_is_told(tab, html, on):
    async with showing(tab, html):
        assert (await element(tab, "t")).checked is on


async def test_a_click_on_a_label_reaches_its_field(tab):
    page = (
        "<label style='position:absolute;left:10px;top:10px;width:100px;height:30px'>"
        "<input type=checkbox data-testid=t style='width:100%;height:100%;margin:0'>"
        "<span style='position:absolute;inset:0'>On</span></label>"
    )
    async with showing(tab, page):
        assert (await element(tab, "t")).point is not None


async def test_disabled_elements_are_told_apart(tab):
    async with showing(tab, "<fieldset disabled><button data-testid=b>b</button></fieldset>"):
        assert (await element(tab, "b")).disabled
