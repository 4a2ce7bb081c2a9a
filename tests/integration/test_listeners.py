"""Elements that have a listener and nothing else to tell that they can be used: marked, and pages do not notice."""

from __future__ import annotations

import pytest
from tests.integration.action_pages import HUB, VIEWPORT, showing

from webgym.browser.server.chromium.marks import collect

pytestmark = [pytest.mark.anyio, pytest.mark.chromium]


def boxes(*names: str, style: str = "width:90px;height:30px", tag: str = "div") -> str:
    return "".join(f"<{tag} id={name} style='{style}'>{name}</{tag}>" for name in names)


def script(code: str) -> str:
    return f"<script>const nothing = () => 1; {code}</script>"


async def named(tab) -> list[str]:
    return [mark.name for mark in await collect(tab)]


@pytest.mark.parametrize(
    "type_", ["click", "dblclick", "contextmenu", "mousedown", "mouseup", "pointerdown", "pointerup", "touchstart"]
)
async def test_an_element_that_listens_for_the_pointer_is_marked(tab, type_):
    code = f"yes.addEventListener('{type_}', nothing); no.addEventListener('scroll', nothing)"
    async with showing(tab, boxes("yes", "no") + script(code)):
        assert await named(tab) == ["yes"]


async def test_listeners_are_found_in_shadow_roots_frames_and_shapes(tab):
    pages = {
        "a/": "<svg width=80 height=20><rect width=80 height=20 /></svg><div id=host></div><iframe src=/frame></iframe>"
        "<iframe src='http://b.localhost:PORT/frame'></iframe>"
        + script(
            "document.querySelector('rect').addEventListener('mousedown', {handleEvent() {}});"
            "const root = host.attachShadow({mode: 'closed'}); root.innerHTML = '<p>shadow</p>';"
            "root.firstChild.addEventListener('pointerdown', nothing, true)"
        ),
        "a/frame": boxes("near") + script("near.addEventListener('click', nothing, {passive: true})"),
        "b/frame": boxes("far") + script("far.addEventListener('click', nothing)"),
    }
    async with showing(tab, pages):
        assert await named(tab) == ["rect", "shadow", "near", "far"]


async def test_listeners_are_known_of_documents_that_scripts_write_and_of_elements_that_move_to_other_windows(tab):
    html = "<iframe></iframe>" + boxes("moved")
    async with showing(tab, html) as page:
        await page.evaluate("""() => {
            moved.addEventListener('click', () => 1);
            frames[0].document.body.append(moved);
        }""")
        assert await named(tab) == ["moved"]
        await page.evaluate("""() => {
            document.open();
            document.write("<p style='width:90px' id=written>written</p>");
            document.close();
            written.addEventListener('click', () => 1);
        }""")
        assert await named(tab) == ["written"]


async def test_a_listener_that_is_gone_marks_nothing(tab):
    names = ("removed", "aborted", "late", "fired", "twice", "kept")
    code = """
      const controller = new AbortController();
      removed.addEventListener('click', nothing);
      removed.removeEventListener('click', nothing);
      aborted.addEventListener('click', nothing, {signal: controller.signal});
      controller.abort();
      late.addEventListener('click', nothing, {signal: controller.signal});
      fired.addEventListener('click', nothing, {once: true});
      fired.click();
      for (const _ of '12') twice.addEventListener('click', nothing);
      twice.removeEventListener('click', nothing);
      kept.addEventListener('click', nothing);
      kept.addEventListener('click', nothing, true);
      kept.removeEventListener('click', nothing);
      kept.removeEventListener('click', () => 1, true);
    """
    async with showing(tab, boxes(*names) + script(code)) as page:
        assert await named(tab) == ["kept"]
        await page.evaluate("kept.removeEventListener('click', nothing, {capture: true})")
        assert await named(tab) == []


async def test_what_listens_for_others_is_not_marked(tab):
    """Delegation: on the document, on the ground of a page, on a list, at the root of a framework."""
    types = ("click dblclick auxclick contextmenu mousedown mouseup pointerdown pointerup touchstart touchend").split()
    html = (
        "<div id=ground style='width:600px;height:500px'>text</div>"
        "<div id=root style='width:90px'>root</div>"
        "<ul id=list><li><a href=/1>one</a><li><a href=/2>two</a><li><a href=/3>three</a></ul>"
    )
    code = f"""
      for (const target of [window, document, document.documentElement, document.body, ground, list])
        target.addEventListener('click', nothing);
      for (const type of {types}) root.addEventListener(type, nothing);
      const other = () => 2;
      for (let i = 0; i < 99; i++) list.addEventListener('mousedown', () => i);
    """
    async with showing(tab, html + script(code)):
        assert await named(tab) == ["one", "two", "three"]


async def test_rows_that_all_listen_are_marked_beside_what_is_in_them(tab):
    row = "<div class=row style='width:300px'>row {} <button>a{}</button> <button>b{}</button></div>"
    html = "".join(row.format(n, n, n) for n in (1, 2))
    code = "for (const row of document.querySelectorAll('.row')) row.addEventListener('click', nothing)"
    async with showing(tab, html + script(code)):
        assert sorted(await named(tab)) == ["a1", "a2", "b1", "b2", "row 1 a1 b1", "row 2 a2 b2"]


async def test_pages_do_not_notice_that_listeners_are_recorded(tab):
    async with showing(tab, boxes("e")) as page:
        seen = await page.evaluate("""() => {
            const own = Object.getOwnPropertyDescriptor(EventTarget.prototype, 'addEventListener');
            const read = [];
            const options = {};
            for (const name of ['capture', 'once', 'passive', 'signal'])
              Object.defineProperty(options, name, {get() { read.push(name); }});
            let converted = 0;
            const type = {toString() { converted += 1; return 'click'; }};
            const heard = [];
            e.addEventListener('click', function (event) { heard.push(this === e, event.type); }, options);
            e.addEventListener(type, () => 1);
            e.click();
            const refused = [];
            for (const attempt of [() => e.addEventListener(), () => e.addEventListener('click', 1),
                () => EventTarget.prototype.addEventListener.call({}, 'click', () => 1)]) {
              try { attempt(); } catch (error) { refused.push(error.name); }
            }
            const { addEventListener: add, removeEventListener: remove } = EventTarget.prototype;
            return {
              source: [add, remove].map((one) => /^function \\w*\\(\\) \\{ \\[native code\\] \\}$/.test(String(one))),
              shape: [add.name, add.length, remove.name, remove.length, own.writable, own.enumerable, own.configurable],
              read: read.sort().join(), converted, heard, refused, inherited: e.addEventListener === add,
              returned: [e.addEventListener('click', null), add.call(undefined, 'click', () => 1)],
            };
        }""")
    assert seen == {
        "source": [True, True],
        "shape": ["addEventListener", 2, "removeEventListener", 2, True, True, True],
        "read": "capture,once,passive,signal",
        "converted": 1,
        "heard": [True, "click"],
        "refused": ["TypeError", "TypeError", "TypeError"],
        "inherited": True,
        "returned": [None, None],
    }


async def test_a_page_that_breaks_what_listeners_are_recorded_with_keeps_working(tab):
    code = """
      for (const name of ['get', 'set', 'has', 'delete']) WeakMap.prototype[name] = () => { throw Error('broken'); };
      Object.getOwnPropertyDescriptor = Array.prototype.push = Reflect.apply = () => { throw Error('broken'); };
      e.addEventListener('click', () => { document.title = 'clicked'; }, {once: true});
      f.addEventListener('click', nothing);
      e.click();
    """
    async with showing(tab, boxes("e", "f") + script(code)) as page:
        assert await page.title() == "clicked"
        asked = f"[e, f].map((one) => window.{HUB}.listenedHere(one)).join()"
        assert (await tab.cdp.send("Runtime.evaluate", {"expression": asked}))["result"]["value"] == "0,1"


async def test_a_hundred_thousand_listeners_cost_little(tab):
    async with showing(tab, "<p>x") as page:
        plain, recorded, crowded = await page.evaluate("""() => {
            const elements = Array.from({length: 100_000}, () => document.createElement('div'));
            const took = (run) => {
              const began = performance.now();
              run();
              return performance.now() - began;
            };
            const listener = () => 1;
            const each = (type) => () => { for (const one of elements) one.addEventListener(type, listener); };
            const crowd = () => { for (let i = 0; i < 3000; i++) elements[0].addEventListener('click', () => i); };
            each('scroll')();
            return [each('wheel'), each('click'), crowd].map(took);
        }""")
    assert recorded < 10 * plain + 300
    assert crowded < 10 * plain + 600


async def test_a_listener_far_larger_than_a_control_is_ground_unless_it_is_drawn_on(tab):
    width, height = VIEWPORT.width // 2, round(VIEWPORT.height * 0.7)
    html = f"<canvas id=sheet width={width} height={height}></canvas>"
    async with showing(tab, html + script("sheet.addEventListener('mousedown', nothing)")):
        assert await named(tab) == ["sheet"]
