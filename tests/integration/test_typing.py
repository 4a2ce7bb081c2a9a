"""Text arrives as it was sent, where it was meant to, with the events that pages listen for."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.integration.action_pages import mark_named, showing, until

from webgym.browser.server.chromium.actions import perform
from webgym.records.action import Click, Point, Press, TypeText
from webgym.records.observation import ActionFailure, FailedReason

pytestmark = [pytest.mark.anyio, pytest.mark.chromium]

FIELDS = """<body style='margin: 0'><form id=f action=/submitted>
  <input id=one name=one placeholder=one style='display: block; width: 300px; height: 30px'>
  <textarea id=many placeholder=many style='display: block; width: 300px; height: 60px'></textarea>
  <div id=rich contenteditable aria-label=rich style='width: 300px; height: 60px; border: 1px solid'></div>
  </form><p id=other>Other text of the page</p>
  <script>window.events = []; for (const type of ["keydown", "keypress", "input", "keyup", "change", "submit"])
    addEventListener(type, (e) => events.push(e.key ? `${type}:${e.key}` : type), true);</script>"""
ONE, MANY, RICH = Point(50, 15), Point(50, 60), Point(50, 120)

DIFFICULT = [
    "plain words",
    "Punctuation: !@#$%^&*()_+-=[]{}|;':\",./<>?`~\\",
    "naïve café \u2013 “quotes”…",
    "日本語の文章と한국어",
    "שלום עולם مرحبا بالعالم",
    "\U0001f1e9\U0001f1ea\U0001f1eb\U0001f1f7 flags",
    "\U0001f469\u200d\U0001f469\u200d\U0001f467\u200d\U0001f466 family, \U0001f44d\U0001f3fd thumb, 1\ufe0f\u20e3",
    "e\u0301 combining, ﷽, \U0001d4b3 astral",
    "tab\there",
    "x" * 3000,
]


async def value(page, field: str) -> str:
    return await page.evaluate(f"{field}.value ?? {field}.innerText")


@pytest.mark.parametrize("text", DIFFICULT)
@pytest.mark.parametrize(("point", "field"), [(ONE, "one"), (MANY, "many"), (RICH, "rich")])
async def test_text_arrives_intact(tab, text, point, field):
    async with showing(tab, FIELDS) as page:
        assert await perform(tab, TypeText(text, point)) is None
        got = await value(page, field)
    assert got.replace("\u00a0", " ").replace("\t", " ") == text.replace("\t", " ")


async def test_short_text_comes_with_an_event_for_every_key(tab):
    async with showing(tab, FIELDS) as page:
        await perform(tab, TypeText("aB", ONE))
        events = await page.evaluate("events")
    assert events == [
        "keydown:a", "keypress:a", "input", "keyup:a", "keydown:B", "keypress:B", "input", "keyup:B",
    ]  # fmt: skip


async def test_text_that_no_keyboard_writes_still_comes_with_key_events(tab):
    async with showing(tab, FIELDS) as page:
        await perform(tab, TypeText("日本", ONE))
        assert await page.evaluate("events") == ["keydown:Process", "input", "keyup:Process"]


@pytest.mark.parametrize(("point", "field"), [(ONE, "one"), (MANY, "many"), (RICH, "rich")])
async def test_replacing_replaces_and_leaves_the_rest_of_the_page_alone(tab, point, field):
    async with showing(tab, FIELDS) as page:
        await perform(tab, TypeText("the first", point))
        await perform(tab, TypeText("second", point))
        assert await value(page, field) == "second"
        assert await page.evaluate("other.innerText") == "Other text of the page"


@pytest.mark.parametrize(("point", "field"), [(ONE, "one"), (MANY, "many"), (RICH, "rich")])
async def test_appending_goes_on_at_the_end(tab, point, field):
    async with showing(tab, FIELDS) as page:
        await perform(tab, TypeText("one", point))
        await perform(tab, TypeText(" two", point, mode="append"))
        await perform(tab, TypeText(" drei ü", point, mode="append"))
        assert (await value(page, field)).replace("\u00a0", " ") == "one two drei ü"


@pytest.mark.parametrize(("point", "field"), [(ONE, "one"), (MANY, "many"), (RICH, "rich")])
async def test_replacing_with_nothing_empties_the_field(tab, point, field):
    async with showing(tab, FIELDS) as page:
        await perform(tab, TypeText("something", point))
        assert await perform(tab, TypeText("", point)) is None
        assert (await value(page, field)).strip() == ""
        assert await page.evaluate("other.innerText") == "Other text of the page"


@pytest.mark.parametrize("kind", ["number", "email"])
async def test_appending_works_where_the_caret_cannot_be_set(tab, kind):
    field = f"<input id=one type={kind} value=12 style='width: 300px; height: 30px'>"
    async with showing(tab, field) as page:
        await perform(tab, TypeText("34", Point(12, 22), mode="append"))
        assert await value(page, "one") == "1234"


async def test_line_breaks_are_kept_in_text_areas_and_rich_text(tab):
    text = "first\nsecond\n\nlast"
    async with showing(tab, FIELDS) as page:
        await perform(tab, TypeText(text, MANY))
        await perform(tab, TypeText(text, RICH))
        assert await value(page, "many") == text
        lines = [line for line in (await value(page, "rich")).split("\n") if line]
        assert lines == ["first", "second", "last"]
        assert "submit" not in await page.evaluate("events")


async def test_line_breaks_do_not_send_what_enter_would_send(tab):
    chat = """<div id=box contenteditable style='width: 300px; height: 60px'></div><script>
      box.addEventListener("keydown", (e) => {
        if (e.key === "Enter" && !e.shiftKey) { document.title = box.innerText; e.preventDefault(); }
      });</script>"""
    async with showing(tab, chat) as page:
        assert await perform(tab, TypeText("Dear all,\nsee you … soon", Point(50, 30))) is None
        assert await page.title() == ""
        assert (await value(page, "box")).split("\n") == ["Dear all,", "see you … soon"]
        assert await perform(tab, TypeText("", Point(50, 30), mode="append", submit=True)) is None
        assert await page.title() != ""


@pytest.mark.parametrize("text", ["query\n", "\nquery", "one\r\ntwo"])
async def test_line_breaks_in_a_field_of_one_line_do_not_submit_it(tab, text):
    async with showing(tab, FIELDS) as page:
        await perform(tab, TypeText(text, ONE))
        assert "submit" not in await page.evaluate("events")
        assert await value(page, "one") == text.strip().replace("\r\n", " ")


async def test_submitting_presses_enter_afterwards(tab):
    async with showing(tab, {"a/": FIELDS, "a/submitted": "<h1>thanks</h1>"}) as page:
        assert await perform(tab, TypeText("hello", ONE, submit=True)) is None
        await page.wait_for_url("**/submitted?one=hello")


async def test_without_a_target_text_goes_to_the_focus(tab):
    async with showing(tab, FIELDS) as page:
        await page.evaluate("many.focus()")
        await perform(tab, TypeText("here"))
        assert await value(page, "many") == "here"


@pytest.mark.parametrize(
    ("html", "point"),
    [
        ("<p style='margin: 0'>Just text", Point(20, 10)),
        ("<a href=/elsewhere>link</a>", Point(20, 15)),
        ("<form><button onclick='document.title = 1'>Send</button></form>", Point(20, 20)),
        ("<input value=fixed readonly style='width: 200px'>", Point(50, 18)),
        ("<input disabled style='width: 200px'>", Point(50, 18)),
        ("<select><option>One</select>", Point(20, 18)),
        ("<input type=checkbox style='width: 30px; height: 30px'>", Point(20, 20)),
        ("<body>", None),
    ],
)
async def test_what_cannot_be_typed_into_is_refused_and_not_pressed(tab, html, point):
    async with showing(tab, html) as page:
        before = page.url
        failed = await perform(tab, TypeText("x", point))
        assert isinstance(failed, ActionFailure)
        assert failed.reason == FailedReason.NOT_EDITABLE
        assert (page.url, await page.title()) == (before, "")


async def test_a_label_leads_to_its_field(tab):
    async with showing(tab, "<label for=x>Name</label><div style='height: 50px'></div><input id=x>") as page:
        assert await perform(tab, TypeText("me", Point(20, 15))) is None
        assert await value(page, "x") == "me"


async def test_a_click_may_bring_up_the_field(tab):
    overlay = """<div id=open style='width: 200px; height: 40px' onclick='x.hidden = false; x.focus()'>Search…</div>
      <input id=x hidden>"""
    async with showing(tab, overlay) as page:
        assert await perform(tab, TypeText("shoes", Point(50, 20))) is None
        assert await value(page, "x") == "shoes"


async def test_one_digit_boxes_pass_the_focus_on_as_they_fill(tab):
    box = "<input maxlength=1 style='width: 30px' oninput='setTimeout(() => this.nextElementSibling?.focus())'>"
    async with showing(tab, f"<div>{box * 6}</div>") as page:
        assert await perform(tab, TypeText("493028", Point(20, 18))) is None
        digits = await page.evaluate("[...document.querySelectorAll('input')].map((box) => box.value).join('')")
        assert digits == "493028"


async def test_text_over_the_limit_is_refused(tab):
    small = replace(tab, most_text=10)
    async with showing(tab, FIELDS) as page:
        failed = await perform(small, TypeText("x" * 11, ONE))
        assert isinstance(failed, ActionFailure)
        assert failed.reason == FailedReason.TEXT_TOO_LONG
        assert await value(page, "one") == ""


async def test_letters_are_refused_by_a_number_field(tab):
    async with showing(tab, "<input id=x type=number style='width: 200px'>") as page:
        failed = await perform(tab, TypeText("many", Point(50, 18)))
        assert isinstance(failed, ActionFailure)
        assert failed.reason == FailedReason.INVALID_VALUE
        assert await perform(tab, TypeText("-12.5", Point(50, 18))) is None
        assert await value(page, "x") == "-12.5"


async def test_a_framework_that_watches_the_value_property_sees_typing(tab):
    watching = """<input id=x style='width: 200px'><script>
      const native = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value");
      let tracked = ""; window.changes = [];
      const now = () => native.get.call(x);
      Object.defineProperty(x, "value", {get: now, set(v) { tracked = v; native.set.call(x, v); }});
      x.addEventListener("input", () => { if (now() !== tracked) changes.push(tracked = now()); });
    </script>"""
    async with showing(tab, watching) as page:
        await perform(tab, TypeText("ab", Point(50, 18)))
        assert await page.evaluate("changes") == ["a", "ab"]


async def test_typing_goes_through_closed_shadow_roots(tab):
    closed = """<div id=host></div><script>
      window.root = host.attachShadow({mode: "closed"});
      root.innerHTML = "<input aria-label=inside value=old style='width: 200px; height: 30px'>";</script>"""
    async with showing(tab, closed) as page:
        assert await perform(tab, TypeText("new", Point(50, 20))) is None
        assert await page.evaluate("root.querySelector('input').value") == "new"
        assert await perform(tab, TypeText("newer ü", await mark_named(tab, "inside"))) is None
        assert await page.evaluate("root.querySelector('input').value") == "newer ü"


async def test_typing_goes_into_frames_of_another_process(tab):
    pages = {
        "a/": "<iframe src='http://b.localhost:PORT/f' width=400 height=200></iframe>",
        "b/f": "<body style='margin: 0'><input id=x value=old aria-label=inside style='width: 200px; height: 30px'>",
    }
    async with showing(tab, pages) as page:
        inner = page.frames[1]
        assert await perform(tab, TypeText("by point", Point(60, 25))) is None
        assert await inner.evaluate("x.value") == "by point"
        assert await perform(tab, TypeText("by mark, 日本", await mark_named(tab, "inside"))) is None
        assert await inner.evaluate("x.value") == "by mark, 日本"
        assert await perform(tab, TypeText("!", mode="append")) is None
        assert await inner.evaluate("x.value") == "by mark, 日本!"


async def test_an_editor_with_a_hidden_keyboard_textarea_is_replaced_by_its_own_keys(tab):
    editor = """<pre id=view style='width: 300px; height: 40px' onclick='k.focus()'>old</pre>
      <textarea id=k style='position: absolute; width: 1px; height: 1px; opacity: 0'></textarea><script>
      let all = false;
      k.addEventListener("keydown", (e) => { if (e.ctrlKey && e.key === "a") all = true; });
      k.addEventListener("input", () => {
        view.textContent = (all ? "" : view.textContent) + k.value;
        k.value = "";
        all = false;
      });
      </script>"""
    async with showing(tab, editor) as page:
        assert await perform(tab, TypeText("new", Point(50, 30))) is None
        assert await page.evaluate("view.textContent") == "new"


async def test_chords_do_what_they_do_in_a_browser(tab):
    async with showing(tab, FIELDS) as page:
        await perform(tab, TypeText("abc", ONE))
        assert await perform(tab, Press(("Control", "a"))) is None
        assert await perform(tab, Press(("Backspace",))) is None
        assert await value(page, "one") == ""


@pytest.mark.parametrize(
    ("keys", "heard"),
    [
        (("ctrl", "shift", "k"), "Control+Shift:K"),
        (("cmd", "k"), "Control:k"),
        (("esc",), ":Escape"),
        (("enter",), ":Enter"),
        (("RETURN",), ":Enter"),
        (("down",), ":ArrowDown"),
        (("Arrow_Up",), ":ArrowUp"),
        (("pagedown",), ":PageDown"),
        (("space",), ": "),
        (("Control+Alt+x",), "Control+Alt:x"),
        (("alt", "F4"), "Alt:F4"),
        (("+",), "Shift:+"),
        (("shift", "1"), "Shift:!"),
        (("Digit7",), ":7"),
        (("é",), ":é"),
    ],
)
async def test_keys_go_by_many_names(tab, keys, heard):
    listener = """<body tabindex=0><script>document.body.focus(); addEventListener("keydown", (e) => {
      const held = ["Control", "Alt", "Meta", "Shift"].filter((name) => e.getModifierState(name));
      window.last = held.join("+") + ":" + e.key; e.preventDefault(); });</script>"""
    async with showing(tab, listener) as page:
        assert await perform(tab, Press(keys)) is None
        assert await page.evaluate("last") == heard


@pytest.mark.parametrize("keys", [("Bogus",), ("Control", "hello"), (), ("",), ("\x07",)])
async def test_unknown_keys_are_refused_and_nothing_is_pressed(tab, keys):
    async with showing(tab, FIELDS) as page:
        failed = await perform(tab, Press(keys))
        assert isinstance(failed, ActionFailure)
        assert failed.reason == FailedReason.NO_SUCH_KEY
        assert await page.evaluate("events") == []


async def test_tab_moves_the_focus(tab):
    async with showing(tab, FIELDS) as page:
        await perform(tab, Click(ONE))
        await perform(tab, Press(("Tab",)))
        await until(lambda: page.evaluate("document.activeElement.id"), "many")
