"""Every line of text in sight: what it says, where, and what names it."""

from __future__ import annotations

import pytest
from tests.integration.action_pages import VIEWPORT, showing

from webgym.browser.server.chromium import elements, lines
from webgym.records.observation import TextLine

pytestmark = [pytest.mark.anyio, pytest.mark.chromium]


async def told(tab, page: str) -> list[TextLine]:
    async with showing(tab, page):
        return list(await lines.collect(tab))


async def test_text_is_told_line_by_line_with_its_place(tab):
    style = "position:absolute;margin:0;left:40px;top:60px;width:90px;font:16px/20px monospace"
    page = f"<p style='{style}'>one two three four</p>"
    found = await told(tab, page)
    assert " ".join(line.text for line in found) == "one two three four"
    assert len(found) >= 2
    assert all(line.box.x >= 40 and line.box.x + line.box.width <= 131 for line in found)
    assert [line.box.y for line in found] == sorted(line.box.y for line in found)
    assert 56 <= found[0].box.y <= 64  # the boxes of some fonts are taller than their line


AS_LAID_OUT = {
    '<p>Enter "<b>Ada</b>" into the <i>field</i>, then go.</p>': ['Enter "Ada" into the field, then go.'],
    "<p>one<br>two <b>three</b><br>four</p>": ["one", "two three", "four"],
    "<p>A<b>d</b>a  \n\t <i> Love </i>   lace</p>": ["Ada Love lace"],
    "<p>by <a href=/ada>ada</a><!-- --> on <span><em>Tuesday</em></span></p>": ["by ada on Tuesday"],
    "<ul><li>Tick <b>all</b> of <b>it</b></li><li>Go</li></ul>": ["Tick all of it", "Go"],
    "<a href=/x>in <div>a block</div> of a <b>link</b></a>": ["in", "a block", "of a link"],
    "<table><tr><td>a <b>b</b></td><td>c</td></tr><tr><td>d</td><td>e</td></tr></table>": ["a b", "c", "d", "e"],
    "<p>H<sub>2</sub>O is <big><big>water</big></big></p>": ["H2O is water"],
    "<p>Press <button>OK</button> now</p>": ["Press", "OK", "now"],
    "<p><span style='margin-right:3em'>Home</span> <span>Shop</span></p>": ["Home", "Shop"],
    "<p>left<span style='float:right'>right</span></p>": ["left", "right"],
    "<div style='display:flex'><span>one</span><span>two</span></div>": ["one", "two"],
    "<p><span style='display:inline-block'>W</span><span style='display:inline-block'>ord</span></p>": ["Word"],
    "<p><b style='display:contents'>with</b> <i style='display:block'>out</i></p>": ["with", "out"],
    "<p>see <b hidden>hidden </b>n <style>p{}</style>o <i style='visibility:hidden'>x</i></p>": ["see n o"],
    "<p dir=rtl>\u05d0\u05d7\u05ea <b>\u05e9\u05ea\u05d9\u05d9\u05dd</b> \u05e9\u05dc\u05d5\u05e9</p>": [
        "\u05d0\u05d7\u05ea \u05e9\u05ea\u05d9\u05d9\u05dd \u05e9\u05dc\u05d5\u05e9"
    ],
    "<p style='width:70px;font:16px/20px monospace'>123 <b>456</b> 789 <i>0</i></p>": ["123 456", "789 0"],
    "<p style='width:70px;font:16px/20px monospace;word-break:break-all'>1234567<b>89</b>0</p>": ["1234567", "890"],
    "<p>x<span data-testid='fact:hours'> 9 to 5 </span>y</p>": ["x", "9 to 5", "y"],
}


@pytest.mark.parametrize("html", AS_LAID_OUT)
async def test_a_line_is_what_stands_side_by_side_whatever_elements_it_consists_of(tab, html):
    found = await told(tab, f"<!doctype html><meta charset=utf-8>{html}")
    assert [line.text for line in found] == AS_LAID_OUT[html]
    assert all(line.shown for line in found)


async def test_the_box_of_a_line_holds_all_of_its_elements(tab):
    style = "style='position:absolute;margin:0;left:40px;top:60px;font:20px/30px monospace'"
    (line,) = await told(tab, f"<p {style}>ab <b>cd</b> <big>ef</big></p>")
    assert (line.box.x, line.box.y < 64) == (40, True)
    assert 40 + 8 * 12 <= line.box.x + line.box.width <= 40 + 8 * 15


async def test_what_cannot_be_read_is_not_told(tab):
    page = (
        "<p>seen</p><p style='visibility:hidden'>hidden</p><p style='opacity:0'>clear</p><style>p{margin:0}</style>"
        "<select><option>option</select><textarea>held</textarea>"
        "<div style='width:60px;overflow:hidden;white-space:nowrap'>short <b style='margin-left:90px'>clipped</b></div>"
        "<p style='position:absolute;top:200px'>covered</p>"
        "<div style='position:fixed;top:190px;left:0;width:300px;height:60px;background:white'>bar</div>"
        "<p style='position:absolute;top:300px'>under a notice</p>"
        "<div role=status style='position:fixed;top:310px;left:0;width:90px;height:30px;pointer-events:none'></div>"
        f"<p style='position:absolute;top:{VIEWPORT.height + 50}px'>below</p>"
    )
    found = await told(tab, page)
    assert [line.text for line in found if line.shown] == ["seen", "short", "bar"]
    away = {line.text: line.box.y for line in found if not line.shown}
    assert set(away) == {"covered", "under a notice", "below"}
    assert away["below"] > VIEWPORT.height


async def test_text_is_told_as_it_is_spelt_on_the_screen(tab):
    page = "<p style='text-transform:uppercase'>loud</p><p style='text-transform:capitalize'>each word</p>"
    assert [line.text for line in await told(tab, page)] == ["LOUD", "Each Word"]


async def test_values_are_told_with_what_names_them(tab):
    page = (
        "<dl><dt>Phone</dt><dd>555-1</dd></dl>"
        "<table><thead><tr><th>Name</th><th>Price</th></tr></thead><tbody><tr><td>Hat</td><td>$5</td></tr></tbody></table>"
        "<table><tr><th>Weight</th><td>3 kg</td></tr></table>"
        "<p><span data-testid='fact:opening-hours'>9 to 5</span></p>"
        "<article><h3>Moor hat</h3><span>12.50</span></article>"
    )
    found = {line.text: (line.label, line.item) for line in await told(tab, page)}
    assert found["555-1"] == ("Phone", "")
    assert found["$5"][0] == "Price of Hat"
    assert found["3 kg"][0] == "Weight"
    assert found["9 to 5"][0] == "opening hours"
    assert found["12.50"] == ("", "Moor hat")
    assert found["Moor hat"] == ("", "")


async def test_the_options_of_a_select_are_told_by_value(tab):
    async with showing(tab, "<select><option value=a selected>Cheapest first</option><option>Name</option></select>"):
        (select,) = await elements.collect(tab)
    assert (select.value, select.options) == ("a", {"a": "Cheapest first", "Name": "Name"})
