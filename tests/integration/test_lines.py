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
    assert 60 <= found[0].box.y <= 64


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
