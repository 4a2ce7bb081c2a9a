"""Which elements are marked, what is said of them, and what they are found through."""

from __future__ import annotations

import gc
from weakref import ref

import anyio
import pytest
from playwright.async_api import Error
from tests.integration.action_pages import VIEWPORT, mark_named, showing, tab_of, until

from webgym.browser.server.chromium import accessibility
from webgym.browser.server.chromium.actions import perform
from webgym.browser.server.chromium.marks import collect
from webgym.records.action import Click, Point, TypeText
from webgym.records.observation import Mark

pytestmark = [pytest.mark.anyio, pytest.mark.chromium]


async def names(tab) -> list[str]:
    return [mark.name for mark in await collect(tab)]


async def only(tab) -> Mark:
    marks = await collect(tab)
    assert len(marks) == 1, marks
    return marks[0]


CONTROLS = [
    ("<a href=/x>Link</a>", "link", "Link", ""),
    ("<button>Send</button>", "button", "Send", ""),
    ("<button aria-label=Close>x</button>", "button", "Close", ""),
    ("<button title=Settings><svg width=16 height=16></svg></button>", "button", "Settings", ""),
    ("<a href=/x><img alt=Home width=20 height=20></a>", "link", "Home", ""),
    ("<input type=submit value='Sign in'>", "button", "Sign in", ""),
    ("<label>E-mail <input type=email value=me@example.org></label>", "textbox", "E-mail", "me@example.org"),
    ("<label for=i>Age</label><input id=i type=number value=7>", "spinbutton", "Age", "7"),
    ("<input placeholder='Search here' type=search>", "searchbox", "Search here", ""),
    ("<span id=l>Total</span><input aria-labelledby=l value=12>", "textbox", "Total", "12"),
    ("<input type=password aria-label=Secret value=hunter2>", "textbox", "Secret", "•••••••"),
    ("<textarea aria-label=Notes>two\nlines</textarea>", "textbox", "Notes", "two lines"),
    ("<select aria-label=Size><option>S<option selected>M</select>", "combobox", "Size", "M"),
    ("<input type=range aria-label=Volume value=30>", "slider", "Volume", "30"),
    ("<input type=date aria-label=Day value=2024-01-02>", "date", "Day", "2024-01-02"),
    ("<input type=file aria-label=Attach>", "file", "Attach", ""),
    ("<details><summary>More</summary>text</details>", "button", "More", ""),
    ("<div role=tab tabindex=0>Reviews</div>", "tab", "Reviews", ""),
    ("<div role=slider aria-valuenow=4 aria-label=Stars style='height: 20px'></div>", "slider", "Stars", "4"),
    ("<div contenteditable aria-label=Message>typed so far</div>", "textbox", "Message", "typed so far"),
    ("<div onclick='1'>Handler</div>", "generic", "Handler", ""),
    ("<div style='cursor: pointer; width: 90px'>Pointer <b>div</b></div>", "generic", "Pointer div", ""),
    ("<div id=d style='width: 90px'>Property</div><script>d.onclick = () => 1</script>", "generic", "Property", ""),
    ("<div id=d style='width: 90px'>Press</div><script>d.onmousedown = () => 1</script>", "generic", "Press", ""),
    ("<div onpointerdown='1' style='width: 90px'>Point</div>", "generic", "Point", ""),
    ("<li draggable=true>Card</li>", "generic", "Card", ""),
    ("<div style='cursor: move; width: 90px'>Title bar</div>", "generic", "Title bar", ""),
    ("<div style='cursor: grab; width: 90px'>Item</div>", "generic", "Item", ""),
    ("<div style='cursor: col-resize; width: 6px; height: 90px'></div>", "generic", "resize", ""),
]


@pytest.mark.parametrize(("html", "role", "name", "value"), CONTROLS, ids=[html[:40] for html, *_ in CONTROLS])
async def test_controls_are_marked_once_with_role_name_and_value(tab, html, role, name, value):
    async with showing(tab, html):
        mark = await only(tab)
    assert (mark.mark, mark.role, mark.name, mark.value) == (1, role, name, value)
    assert mark.box.width > 0
    assert mark.box.height > 0


SVG = "<svg width=16 height=16></svg>"
NAMED_LAST = {
    # by what they carry
    "<button data-tooltip='Archive it'></button>": "Archive it",
    f"<button><span title=Undo>{SVG}</span></button>": "Undo",
    # by what stands beside a field
    "<p>First name: <input></p>": "First name",
    "<div>Amount *</div><div><input></div>": "Amount",
    "<p><input type=checkbox> Remember me</p>": "Remember me",
    "<table><tr><td>Quantity</td><td><input></td></tr></table>": "Quantity",
    "<p>City <button>Locate</button> <input id=zip></p>": "zip",
    "<p>A whole sentence that tells what all of this is about</p><input id=shipping-address>": "shipping address",
    # by what they are called
    "<button id=btnSearch></button>": "search",
    "<button><i class='fa fa-trash-o icon-large'></i></button>": "trash",
    "<button class='icon-close'></button>": "close",
    "<a href=/account/settings.html><svg width=16 height=16><use href='#icon-cog' /></svg></a>": "cog",
    "<a href=/account/settings.html><svg width=16 height=16></svg></a>": "settings",
    "<button><img src='/static/zoom_in.png?v=2' width=16 height=16></button>": "zoom in",
    "<div onclick='1' class='half-hour' style='width: 90px; height: 20px'></div>": "half hour",
    # by what they are
    "<svg width=90 height=30><circle r=20 onclick='1' /></svg>": "circle",
    "<svg width=90 height=30><circle r=20 onclick='1'><title>Node 4</title></circle></svg>": "Node 4",
    # by where they are
    "<h2>Palette</h2><div onclick='1' class='a1 b2' style='width: 90px; height: 20px'></div>": "near Palette",
    "<section aria-label=Board><div onclick='1' style='width: 90px; height: 20px'></div></section>": "near Board",
}


@pytest.mark.parametrize("html", NAMED_LAST)
async def test_a_mark_without_a_name_gets_one_from_what_is_known_of_it(tab, html):
    async with showing(tab, html):
        marks = [mark for mark in await collect(tab) if mark.name != "Locate"]
    assert [mark.name for mark in marks] == [NAMED_LAST[html]]


async def test_classes_for_layout_and_generated_names_are_no_names(tab):
    tailwind = "inline-flex items-center rounded-md bg-blue px-4 py-2 text-white shadow"
    html = f"<button class='{tailwind}'></button><button class='css-1x2y3z'></button><button id=ember482></button>"
    async with showing(tab, html):
        assert await names(tab) == ["", "", ""]


async def test_a_corner_to_resize_by_stands_for_all_edges(tab):
    edge = "<div style='position: absolute; width: 20px; height: 20px; top: {}px; cursor: {}'></div>"
    async with showing(tab, edge.format(0, "n-resize") + edge.format(40, "w-resize") + edge.format(80, "se-resize")):
        assert (await only(tab)).box.y == 80


@pytest.mark.parametrize(
    ("html", "states"),
    [
        ("<input type=checkbox checked>", ("checked",)),
        ("<div role=switch aria-checked=true tabindex=0>x</div>", ("checked",)),
        ("<button disabled>x</button>", ("disabled",)),
        ("<button disabled style='pointer-events: none'>x</button>", ("disabled",)),
        ("<button aria-disabled=true>x</button>", ("disabled",)),
        ("<fieldset disabled><button>x</button></fieldset>", ("disabled",)),
        ("<button aria-expanded=true>x</button>", ("expanded",)),
        ("<details open><summary>x</summary></details>", ("expanded",)),
        ("<input autofocus>", ("focused",)),
        ("<input aria-invalid=true>", ("invalid",)),
        ("<button aria-pressed=true>x</button>", ("pressed",)),
        ("<input readonly>", ("readonly",)),
        ("<input required>", ("required",)),
        ("<div role=option aria-selected=true>x</div>", ("selected",)),
        ("<button>x</button>", ()),
    ],
)
async def test_states_are_told(tab, html, states):
    async with showing(tab, html):
        assert (await only(tab)).states == states


@pytest.mark.parametrize(
    "html",
    [
        "<button style='display: none'>x</button>",
        "<button style='visibility: hidden'>x</button>",
        "<button style='opacity: 0'>x</button>",
        "<div style='opacity: 0'><button>x</button></div>",
        "<button style='width: 0; height: 0; padding: 0; border: 0; overflow: hidden'></button>",
        "<input type=hidden value=x>",
        "<button style='position: absolute; top: 5000px'>x</button>",
        "<button style='position: absolute; left: -500px'>x</button>",
        "<div style='height: 50px; overflow: hidden'><button style='margin-top: 100px'>x</button></div>",
        "<button>x</button><div style='position: fixed; inset: 0; background: white'></div>",
        "<button style='pointer-events: none'>x</button>",
        "<div inert><button>x</button></div>",
        "<p tabindex=-1>Text that scripts focus</p>",
        "<p>Plain text</p><img width=50 height=50>",
        "<body style='cursor: pointer; height: 100vh'>Everything has a pointer",
    ],
)
async def test_what_cannot_be_seen_or_used_is_not_marked(tab, html):
    async with showing(tab, html):
        assert await collect(tab) == ()


async def test_part_of_an_element_is_enough_and_the_box_is_that_part(tab):
    html = """<div style='position: absolute; left: 100px; top: 100px; width: 150px; height: 150px; overflow: hidden'>
      <button style='width: 400px; height: 60px'>Wide</button></div>
      <button style='position: absolute; left: 900px; top: 650px; width: 300px; height: 100px'>Corner</button>"""
    async with showing(tab, html):
        boxes = {mark.name: mark.box for mark in await collect(tab)}
    assert (boxes["Wide"].x, boxes["Wide"].width) == (100, 150)
    corner = boxes["Corner"]
    assert (corner.x + corner.width, corner.y + corner.height) == (VIEWPORT.width, VIEWPORT.height)


async def test_an_element_half_under_another_is_marked_and_clicked_on_its_free_half(tab):
    html = """<button style='position: absolute; left: 50px; top: 50px; width: 200px; height: 40px'
        onclick='document.title = "hit"'>Half</button>
      <div style='position: absolute; left: 120px; top: 0; width: 400px; height: 200px; background: #ccc'></div>"""
    async with showing(tab, html) as page:
        assert await perform(tab, Click(await mark_named(tab, "Half"))) is None
        assert await page.title() == "hit"


async def test_one_thing_gets_one_mark(tab):
    html = """<a href=/1><span>Span</span></a> <a href=/2><button>Button</button></a>
      <div tabindex=0 style='width: 120px'><a href=/3 style='display: block'>Wrapped</a></div>
      <label style='cursor: pointer'><input type=checkbox> Agree</label>
      <button><svg width=20 height=20 style='cursor: pointer'><path d='M0 0h20v20z'/></svg></button>"""
    async with showing(tab, html):
        assert sorted(await names(tab)) == ["", "Agree", "Button", "Span", "Wrapped"]


async def test_controls_inside_a_clickable_card_are_kept_beside_it(tab):
    card = """<div style='cursor: pointer; width: 300px; height: 200px; border: 1px solid' aria-label=Card>
      <button>Like</button><button>Share</button></div>"""
    async with showing(tab, card):
        marks = await collect(tab)
        assert [mark.role for mark in marks] == ["generic", "button", "button"]


async def test_a_focusable_region_does_not_swallow_what_is_in_it(tab):
    region = """<div tabindex=0 style='width: 400px; height: 300px' aria-label=Region>
      <style>p {cursor: pointer; width: 100px}</style><p>Row one</p><p>Row two</p></div>"""
    async with showing(tab, region):
        assert await names(tab) == ["Region", "Row one", "Row two"]
    async with showing(tab, region.replace("400px; height: 300px", "100%; height: 90vh")):
        assert await names(tab) == ["Row one", "Row two"]


async def test_shapes_of_a_picture_that_can_be_clicked_are_marked(tab):
    chart = """<svg width=300 height=200><g style='cursor: pointer' aria-label=Bar><rect width=50 height=100 /></g>
      <a href=/x aria-label=Area><circle cx=200 cy=80 r=40 /></a><path d='M0 150h50v50z' /></svg>"""
    async with showing(tab, chart):
        assert await names(tab) == ["Bar", "Area"]


async def test_a_link_without_a_box_of_its_own_is_marked_around_its_contents(tab):
    link = "<a href=/x style='display: contents'><div style='width: 200px; height: 80px'>Tile</div></a>"
    async with showing(tab, link):
        mark = await only(tab)
    assert (mark.box.width, mark.box.height) == (200, 80)


async def test_a_label_stands_in_for_an_input_that_is_not_drawn(tab):
    toggle = "<input type=checkbox id=c style='display: none'><label for=c>Dark mode</label>"
    async with showing(tab, toggle) as page:
        await perform(tab, Click(await mark_named(tab, "Dark mode")))
        assert await page.evaluate("c.checked")


async def test_marks_are_numbered_in_reading_order(tab):
    html = """<style>button {position: absolute; width: 80px; height: 30px}</style>
      <button style='left: 300px; top: 200px'>5</button><button style='left: 300px; top: 12px'>2</button>
      <button style='left: 10px; top: 10px'>1</button><button style='left: 10px; top: 205px'>4</button>
      <button style='left: 600px; top: 8px'>3</button>"""
    async with showing(tab, html):
        marks = await collect(tab)
    assert [mark.name for mark in marks] == ["1", "2", "3", "4", "5"]
    assert [mark.mark for mark in marks] == [1, 2, 3, 4, 5]


async def test_the_page_is_left_without_a_trace(tab):
    async with showing(tab, "<button>Go</button><div style='cursor: pointer'>Div</div>") as page:
        before = await page.content()
        await collect(tab)
        assert await page.content() == before
        assert await page.evaluate("Object.keys(window).filter((name) => /hub/.test(name))") == []
        assert "[native code]" in await page.evaluate("Element.prototype.attachShadow.toString()")


NESTED = {
    "a/": """<body style='margin: 0'><button>Main</button><div id=open></div><div id=closed></div>
      <style>iframe {position: absolute; border: 5px solid}
        #same {left: 100px; top: 100px; width: 300px; height: 150px; padding: 3px}
        #other {left: 500px; top: 100px; width: 400px; height: 300px}</style>
      <iframe id=same src=/same></iframe><iframe id=other src='http://b.localhost:PORT/other'></iframe><script>
        document.getElementById("open").attachShadow({mode: "open"}).innerHTML = "<button>In open</button>";
        const root = document.getElementById("closed").attachShadow({mode: "closed"});
        root.innerHTML = "<button>In closed</button><div id=deeper></div>";
        root.getElementById("deeper").attachShadow({mode: "closed"}).innerHTML =
          "<button onclick='document.title = 1'>Deeper</button>";
      </script>""",
    "a/same": """<body style='margin: 0'><button>In same</button><div id=h></div>
      <script>h.attachShadow({mode: 'closed'}).innerHTML = '<button>Same closed</button>'</script>""",
    "b/other": """<body style='margin: 0'><button onclick='this.textContent = "pressed"'>In other</button>
      <div id=h></div>
      <iframe src='http://c.localhost:PORT/inner' style='width: 200px; height: 100px; border: 2px solid'></iframe>
      <script>h.attachShadow({mode: 'closed'}).innerHTML = '<input aria-label="Other closed">'</script>""",
    "c/inner": "<body style='margin: 0'><button onclick='this.textContent = \"inner pressed\"'>In inner</button>",
}


async def test_marks_are_found_through_frames_of_other_processes_and_closed_shadow_roots(tab):
    async with showing(tab, NESTED) as page:
        by_url = {frame.url.split("/")[-1]: frame for frame in page.frames}
        for name in ("other", "inner"):  # only frames in a process of their own have a session of their own
            await (await page.context.new_cdp_session(by_url[name])).detach()
        with pytest.raises(Error, match="separate CDP session"):
            await page.context.new_cdp_session(by_url["same"])

        marks = {mark.name: mark for mark in await collect(tab)}
        assert set(marks) == {
            "Main", "In open", "In closed", "Deeper", "In same", "Same closed", "In other", "Other closed", "In inner",
        }  # fmt: skip
        assert (marks["In same"].box.x, marks["In same"].box.y) == (108, 108)
        assert (marks["In other"].box.x, marks["In other"].box.y) == (505, 105)

        await perform(tab, Click(await mark_named(tab, "Deeper")))
        assert await page.title() == "1"
        await perform(tab, Click(await mark_named(tab, "In other")))
        await until(lambda: by_url["other"].evaluate("document.querySelector('button').textContent"), "pressed")
        await perform(tab, Click(await mark_named(tab, "In inner")))
        await until(lambda: by_url["inner"].evaluate("document.querySelector('button').textContent"), "inner pressed")
        await perform(tab, TypeText("deep down", await mark_named(tab, "Other closed")))
        assert {mark.name: mark.value for mark in await collect(tab)}["Other closed"] == "deep down"


async def marked_and_closed(browser) -> tuple[ref, ref]:
    async with tab_of(browser) as tab, showing(tab, NESTED):
        await collect(tab)
        return ref(tab.page), ref(tab.page.frames[-1])


async def test_a_closed_page_leaves_nothing_behind(bare_chromium):
    page, frame = await marked_and_closed(bare_chromium)
    with anyio.fail_after(30):
        while page() or frame():
            gc.collect()
            await anyio.sleep(0.05)


async def test_a_frame_that_hangs_is_left_out(tab):
    pages = {
        "a/": "<button>Main</button>" + "".join(f"<iframe src='http://{h}.localhost:PORT/f'></iframe>" for h in "bc"),
        "b/f": "<button>Hangs</button><script>onmessage = () => { for (;;); }</script>",
        "c/f": "<button>Works</button>",
    }
    async with showing(tab, pages) as page:
        assert set(await names(tab)) == {"Main", "Hangs", "Works"}
        await page.evaluate("frames[0].postMessage('', '*')")
        with anyio.fail_after(10):
            assert set(await names(tab)) == {"Main", "Works"}
            assert 'button "Works"' in await accessibility.tree(tab)


async def test_what_lies_over_a_frame_hides_what_is_in_it(tab):
    cover = "<div style='position: fixed; left: 480px; top: 0; width: 520px; height: 700px; background: white'></div>"
    pages = {**NESTED, "a/": NESTED["a/"] + cover}
    async with showing(tab, pages):
        assert "In other" not in await names(tab)
        assert "In same" in await names(tab)


async def test_a_frame_that_is_scaled_has_its_marks_where_they_are_drawn(tab):
    pages = {
        "a/": """<style>body {margin: 0} iframe {border: 0; transform: scale(0.5); transform-origin: 0 0}</style>
          <iframe src='http://b.localhost:PORT/f'></iframe>""",
        "b/f": "<button style='position: absolute; left: 100px; top: 60px; width: 80px; height: 40px'>Go</button>",
    }
    async with showing(tab, pages):
        box = (await only(tab)).box
    assert (box.x, box.y, box.width, box.height) == (50, 30, 40, 20)


async def test_slotted_content_belongs_to_the_control_around_its_slot(tab):
    html = """<div id=h><span>Slotted</span></div><script>h.attachShadow({mode: "closed"}).innerHTML =
      "<button onclick='document.title = 1'><slot></slot></button>";</script>"""
    async with showing(tab, html) as page:
        mark = await only(tab)
        assert (mark.role, mark.name) == ("button", "Slotted")
        await perform(tab, Click(await mark_named(tab, "Slotted")))
        assert await page.title() == "1"


DECLARED = """<body style='margin: 0'><div id=h><template shadowrootmode=closed>
  <button onclick='document.title = "hit"'>Declared</button><input aria-label=Field style='width: 200px; height: 30px'>
  <my-part><template shadowrootmode=closed><button>Deeper</button></template></my-part></template></div>"""


async def test_closed_shadow_roots_written_in_the_html_are_seen_through(tab):
    async with showing(tab, DECLARED) as page:
        assert await names(tab) == ["Declared", "Field", "Deeper"]
        await perform(tab, Click(await mark_named(tab, "Declared")))
        assert await page.title() == "hit"


async def test_typing_reaches_into_a_closed_shadow_root_written_in_the_html(tab):
    async with showing(tab, DECLARED):
        assert await perform(tab, TypeText("hello", Point(150, 15))) is None
        assert {mark.name: mark.value for mark in await collect(tab)}["Field"] == "hello"
