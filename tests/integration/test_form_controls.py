"""Selects, pickers and the menu that stands in for the browser's own popup."""

from __future__ import annotations

import anyio
import pytest
from tests.integration.action_pages import mark_named, showing, until

from webgym.browser.server.chromium.actions import perform
from webgym.browser.server.chromium.marks import collect
from webgym.records.action import Click, Hover, MarkRef, Point, Press, Scroll, Select, TypeText
from webgym.records.observation import ActionFailure, FailedReason

pytestmark = [pytest.mark.anyio, pytest.mark.chromium]

EVENTS = """<script>window.events = []; for (const type of ["input", "change"])
  document.addEventListener(type, (e) => events.push(`${type}:${e.target.value}`));</script>"""
SELECT = f"""<body style='margin: 0'><select id=s aria-label=Fruit style='width: 120px; height: 30px'>
  <option value=a>Apple</option><option value=b>  Banana
  split</option><optgroup label=Rare>
    <option value=c disabled>Cherimoya</option><option value=d>Durian</option></optgroup></select>
  <button style='position: absolute; top: 500px; left: 10px' onclick='document.title = "after"'>After</button>
  {EVENTS}"""
AT = Point(30, 15)


@pytest.mark.parametrize(
    ("option", "value"), [("Durian", "d"), ("Banana split", "b"), ("b", "b"), ("durian", "d"), (" Apple ", "a")]
)
async def test_an_option_is_chosen_by_label_or_value(tab, option, value):
    async with showing(tab, SELECT) as page:
        assert await perform(tab, Select(AT, (option,))) is None
        assert await page.evaluate("s.value") == value
        assert await page.evaluate("events") == [f"input:{value}", f"change:{value}"]


async def test_an_option_is_chosen_by_mark(tab):
    async with showing(tab, SELECT) as page:
        assert await perform(tab, Select(await mark_named(tab, "Fruit"), ("Durian",))) is None
        assert await page.evaluate("s.value") == "d"


@pytest.mark.parametrize("option", ["Elderberry", "Cherimoya", "c", ""])
async def test_options_that_cannot_be_chosen_are_refused_with_those_that_can(tab, option):
    async with showing(tab, SELECT) as page:
        failed = await perform(tab, Select(AT, (option,)))
        assert isinstance(failed, ActionFailure)
        assert failed.reason == FailedReason.NO_SUCH_OPTION
        assert "'Apple', 'Banana split', 'Durian'" in failed.detail
        assert "Cherimoya'," not in failed.detail.split("there are")[1]
        assert await page.evaluate("events") == []


async def test_several_options_are_chosen_where_several_can_be(tab):
    multiple = f"<select id=s multiple><option selected>One<option>Two<option>Three</select>{EVENTS}"
    async with showing(tab, multiple) as page:
        assert await perform(tab, Select(Point(20, 20), ("Three", "Two"))) is None
        assert await page.evaluate("[...s.selectedOptions].map((o) => o.value)") == ["Two", "Three"]
        assert await perform(tab, Select(Point(20, 20), ())) is None
        assert await page.evaluate("s.selectedOptions.length") == 0


async def test_one_option_only_where_only_one_can_be(tab):
    async with showing(tab, SELECT):
        failed = await perform(tab, Select(AT, ("Apple", "Durian")))
        assert isinstance(failed, ActionFailure)
        assert failed.reason == FailedReason.INVALID_VALUE


@pytest.mark.parametrize("html", ["<button>No select</button>", "<select disabled><option>One</select>"])
async def test_choosing_where_nothing_can_be_chosen_is_refused(tab, html):
    async with showing(tab, html):
        failed = await perform(tab, Select(Point(20, 18), ("One",)))
        assert isinstance(failed, ActionFailure)
        assert failed.reason == FailedReason.NOT_EDITABLE


async def test_options_are_chosen_inside_a_frame_of_another_process(tab):
    pages = {"a/": "<iframe src='http://b.localhost:PORT/f'></iframe>", "b/f": SELECT}
    async with showing(tab, pages) as page:
        assert await perform(tab, Select(Point(40, 25), ("Durian",))) is None
        assert await page.frames[1].evaluate("s.value") == "d"


async def options_shown(tab) -> list[str]:
    return [mark.name for mark in await collect(tab) if mark.role == "option"]


async def option_point(tab, name: str) -> Point:
    box = next(mark.box for mark in await collect(tab) if mark.role == "option" and mark.name == name)
    return Point(round(box.x + box.width / 2), round(box.y + box.height / 2))


ALL = ["Apple", "Banana split", "Cherimoya", "Durian"]


async def test_a_click_on_a_select_shows_a_menu_whose_options_can_be_clicked(tab):
    async with showing(tab, SELECT) as page:
        before = await page.screenshot()
        assert await perform(tab, Click(AT)) is None
        await until(lambda: options_shown(tab), ALL)
        assert await page.screenshot() != before
        assert await page.evaluate("document.activeElement.id") == "s"
        await perform(tab, Click(await option_point(tab, "Durian")))
        assert await page.evaluate("[s.value, events]") == ["d", ["input:d", "change:d"]]
        assert await options_shown(tab) == []


async def test_disabled_options_and_group_names_do_nothing_when_clicked(tab):
    async with showing(tab, SELECT) as page:
        await perform(tab, Click(AT))
        await until(lambda: options_shown(tab), ALL)
        disabled = await option_point(tab, "Cherimoya")
        await perform(tab, Click(disabled))
        await perform(tab, Click(Point(disabled.x, disabled.y - 24)))
        assert await options_shown(tab) == ALL
        assert await page.evaluate("[s.value, events]") == ["a", []]
        states = {mark.name: mark.states for mark in await collect(tab) if mark.role == "option"}
        assert states["Cherimoya"] == ("disabled",)
        assert states["Apple"] == ("selected",)


async def test_the_menu_closes_on_escape_on_a_click_elsewhere_and_on_a_second_click(tab):
    async with showing(tab, SELECT) as page:
        for close in (Press(("Escape",)), Click(Point(30, 515)), Click(AT)):
            await perform(tab, Click(AT))
            await until(lambda: options_shown(tab), ALL)
            await perform(tab, close)
            await until(lambda: options_shown(tab), [])
        assert await page.title() == "after"
        assert await page.evaluate("events") == []


async def test_the_menu_is_worked_by_keys_too(tab):
    async with showing(tab, SELECT) as page:
        await page.evaluate("s.focus()")
        await perform(tab, Press(("Enter",)))
        await until(lambda: options_shown(tab), ALL)
        for key in ("End", "ArrowUp", "ArrowDown"):
            await perform(tab, Press((key,)))
        await perform(tab, Press(("Enter",)))
        assert await page.evaluate("[s.value, events]") == ["d", ["input:d", "change:d"]]
        await perform(tab, Press(("space",)))
        await until(lambda: options_shown(tab), ALL)
        await perform(tab, Press(("b",)))
        await perform(tab, Press(("Tab",)))
        assert await page.evaluate("s.value") == "b"


async def test_a_long_menu_scrolls_and_stays_in_the_viewport(tab):
    many = "".join(f"<option>Option {n}" for n in range(200))
    bottom = f"<select id=s style='position: fixed; bottom: 40px; left: 40px'>{many}</select>"
    async with showing(tab, bottom) as page:
        await perform(tab, Click(Point(60, 650)))
        await until(lambda: shows(tab, "Option 0"))
        boxes = [mark.box for mark in await collect(tab) if mark.role == "option"]
        assert min(box.y for box in boxes) >= 0
        assert max(box.y + box.height for box in boxes) <= 700
        await perform(tab, Scroll(dy=2400, target=Point(60, 400)))
        await until(lambda: shows(tab, "Option 105"))
        assert not await shows(tab, "Option 0")
        await perform(tab, Click(await option_point(tab, "Option 105")))
        assert await page.evaluate("s.value") == "Option 105"


async def shows(tab, option: str) -> bool:
    return option in await options_shown(tab)


async def test_the_page_never_sees_the_menus_events(tab):
    outside = f"""{SELECT}<script>for (const type of ["pointerdown", "mousedown", "click"])
      document.addEventListener(type, (e) => {{ if (e.target !== s) document.title += type; }});</script>"""
    async with showing(tab, outside) as page:
        await perform(tab, Click(AT))
        await until(lambda: options_shown(tab), ALL)
        await perform(tab, Click(await option_point(tab, "Durian")))
        assert await page.evaluate("s.value") == "d"
        assert await page.title() == ""


async def test_a_page_that_opens_its_own_menu_instead_is_left_to_it(tab):
    own = (
        SELECT
        + "<script>s.addEventListener('mousedown', (e) => { e.preventDefault(); document.title = 'own' })</script>"
    )
    async with showing(tab, own) as page:
        await perform(tab, Click(AT))
        await until(page.title, "own")
        await anyio.sleep(0.1)
        assert await options_shown(tab) == []


@pytest.mark.parametrize(
    "html",
    [
        "<div id=host></div><script>host.attachShadow({mode: 'closed'}).innerHTML = `%s`</script>",
        """<dialog id=d>%s</dialog><script>
          d.showModal(); d.style.cssText = "margin: 0; inset: 0; padding: 0; border: 0"</script>""",
        "<iframe style='border: 0; height: 400px' srcdoc=\"<body style='margin: 0'>%s\"></iframe>",
        """<meta http-equiv=Content-Security-Policy
          content="style-src 'unsafe-inline'; require-trusted-types-for 'script'">%s""",
        """<style>div, [popover] {display: none !important; color: red !important}
          * {visibility: collapse} select {visibility: visible}</style>%s""",
    ],
    ids=["closed shadow root", "modal dialog", "frame", "content security policy", "hostile styles"],
)
async def test_the_menu_works_wherever_a_select_is(tab, html):
    select = "<select style='width: 100px; height: 30px'><option>One<option>Two</select>"
    async with showing(tab, "<body style='margin: 0'>" + html.replace("%s", select)):
        await perform(tab, Click(Point(40, 15)))
        await until(lambda: options_shown(tab), ["One", "Two"])
        await perform(tab, Click(await option_point(tab, "Two")))
        await until(lambda: select_value(tab), "Two")


async def select_value(tab) -> str:
    return next(mark.value for mark in await collect(tab) if mark.tag == "select")


async def test_the_menu_works_in_a_frame_of_another_process(tab):
    pages = {"a/": "<iframe src='http://b.localhost:PORT/f' width=300 height=300></iframe>", "b/f": SELECT}
    async with showing(tab, pages) as page:
        await perform(tab, Click(Point(40, 25)))
        await until(lambda: options_shown(tab), ALL)
        option = next(MarkRef(mark.mark) for mark in await collect(tab) if mark.name == "Durian")
        assert await perform(tab, Click(option)) is None
        await until(lambda: page.frames[1].evaluate("s.value"), "d")


async def test_hovering_an_option_lights_it_up(tab):
    async with showing(tab, SELECT) as page:
        await perform(tab, Click(AT))
        await until(lambda: options_shown(tab), ALL)
        before = await page.screenshot()
        await perform(tab, Hover(await option_point(tab, "Durian")))
        assert await page.screenshot() != before


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("date", "2024-02-29"),
        ("time", "23:59"),
        ("datetime-local", "2024-02-29T23:59"),
        ("month", "2024-02"),
        ("week", "2024-W09"),
        ("color", "#ff8800"),
        ("range", "75"),
    ],
)
async def test_pickers_take_their_value_as_text(tab, kind, text):
    async with showing(tab, f"<input id=x type={kind} style='width: 200px; height: 30px'>{EVENTS}") as page:
        assert await perform(tab, TypeText(text, Point(60, 20))) is None
        assert await page.evaluate("x.value") == text
        assert await page.evaluate("events") == [f"input:{text}", f"change:{text}"]


@pytest.mark.parametrize(
    ("kind", "text", "expected"),
    [
        ("date", "02/29/2024", "YYYY-MM-DD"),
        ("date", "2023-02-29", "YYYY-MM-DD"),
        ("time", "9 pm", "HH:MM"),
        ("datetime-local", "tomorrow", "YYYY-MM-DDTHH:MM"),
        ("month", "May", "YYYY-MM"),
        ("week", "9", "YYYY-Www"),
        ("color", "orange", "#rrggbb"),
        ("range", "101", "a number from 0 to 100"),
        ("range", "loud", "a number from 0 to 100"),
    ],
)
async def test_values_a_picker_cannot_have_are_refused_with_the_format(tab, kind, text, expected):
    async with showing(tab, f"<input id=x type={kind} style='width: 200px; height: 30px'>{EVENTS}") as page:
        failed = await perform(tab, TypeText(text, Point(60, 20)))
        assert isinstance(failed, ActionFailure)
        assert failed.reason == FailedReason.INVALID_VALUE
        assert expected in failed.detail
        assert await page.evaluate("events") == []


async def test_a_picker_inside_a_frame_of_another_process_takes_its_value(tab):
    field = "<body style='margin: 0'><input id=x type=date style='width: 200px; height: 30px'>"
    async with showing(tab, {"a/": "<iframe src='http://b.localhost:PORT/f'></iframe>", "b/f": field}) as page:
        assert await perform(tab, TypeText("2030-01-02", Point(40, 25))) is None
        assert await page.frames[1].evaluate("x.value") == "2030-01-02"
