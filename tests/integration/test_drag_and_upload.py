"""Dragging by mouse and by the browser's own drag and drop; handing over files."""

from __future__ import annotations

import pytest
from tests.integration.action_pages import mark_named, showing, until

from webgym.browser.server.chromium.actions import perform
from webgym.records.action import Drag, File, Point, Upload
from webgym.records.observation import ActionFailure, FailedReason

pytestmark = [pytest.mark.anyio, pytest.mark.chromium]

SLIDER = """<style>body {margin: 0}
  #knob {position: absolute; left: 0; top: 50px; width: 20px; height: 20px; background: red}</style>
<div id=knob></div><script>
  let held = false; window.moves = 0;
  knob.onpointerdown = () => { held = true; };
  onpointermove = (e) => { if (held) { moves += 1; knob.style.left = e.clientX - 10 + "px"; } };
  onpointerup = () => { held = false; };
</script>"""

LISTS = """<style>body {margin: 0} .box {position: absolute; width: 150px; height: 150px; border: 1px solid}</style>
<div class=box id=from style='left: 50px; top: 50px'><button draggable=true id=item>Item</button></div>
<div class=box id=into style='left: 400px; top: 300px' tabindex=0 aria-label=Bin></div><script>
  window.seen = [];
  for (const type of ["dragstart", "dragenter", "dragover", "drop", "dragend"])
    addEventListener(type, (e) => { if (!seen.includes(type)) seen.push(type); });
  item.ondragstart = (e) => e.dataTransfer.setData("text/plain", "payload");
  into.ondragover = (e) => e.preventDefault();
  into.ondrop = (e) => { into.append(item); into.title = e.dataTransfer.getData("text/plain"); };
</script>"""


async def test_dragging_moves_what_follows_the_pointer(tab):
    async with showing(tab, SLIDER) as page:
        assert await perform(tab, Drag(Point(10, 60), Point(410, 60))) is None
        assert await page.evaluate("knob.style.left") == "400px"
        assert await page.evaluate("moves") >= 5


async def test_the_browsers_own_drag_and_drop_is_carried_out(tab):
    async with showing(tab, LISTS) as page:
        assert await perform(tab, Drag(Point(70, 60), Point(470, 370))) is None
        await until(lambda: page.evaluate("[item.parentElement.id, into.title]"), ["into", "payload"])
        assert await page.evaluate("seen") == ["dragstart", "dragenter", "dragover", "drop", "dragend"]


async def test_dragging_from_mark_to_mark(tab):
    async with showing(tab, LISTS) as page:
        start, end = await mark_named(tab, "Item"), await mark_named(tab, "Bin")
        # Both numbers are of the same, latest collection.
        assert await perform(tab, Drag(start, end)) is None
        await until(lambda: page.evaluate("item.parentElement.id"), "into")


async def test_drag_and_drop_inside_a_frame_of_another_process(tab):
    frame = "<iframe style='border: 0; width: 900px; height: 600px' src='http://b.localhost:PORT/f'></iframe>"
    async with showing(tab, {"a/": f"<body style='margin: 0'>{frame}", "b/f": LISTS}) as page:
        assert await perform(tab, Drag(Point(70, 60), Point(470, 370))) is None
        await until(lambda: page.frames[1].evaluate("item.parentElement.id"), "into")


async def test_a_range_is_dragged(tab):
    async with showing(
        tab, "<body style='margin: 0'><input type=range id=x value=0 style='width: 200px; margin: 0'>"
    ) as page:
        assert await perform(tab, Drag(Point(8, 8), Point(150, 8))) is None
        assert 60 < int(await page.evaluate("x.value")) < 90


async def test_a_drag_to_outside_the_viewport_is_refused_before_it_starts(tab):
    async with showing(tab, SLIDER) as page:
        failed = await perform(tab, Drag(Point(10, 60), Point(5000, 60)))
        assert isinstance(failed, ActionFailure)
        assert failed.reason == FailedReason.OFF_VIEWPORT
        assert await page.evaluate("moves") == 0


async def test_ends_that_cannot_be_seen_together_are_refused(tab):
    apart = """<body style='height: 6000px'><button>Top</button>
      <button id=b style='position: absolute; top: 300px'>Bottom</button>"""
    async with showing(tab, apart) as page:
        top, bottom = await mark_named(tab, "Top"), await mark_named(tab, "Bottom")
        await page.evaluate("b.style.top = '5000px'")
        failed = await perform(tab, Drag(top, bottom))
        assert isinstance(failed, ActionFailure)
        assert failed.reason == FailedReason.OFF_VIEWPORT


NOTES = File("notes.txt", b"some notes", "text/plain")
PICTURE = File("picture.png", bytes(range(256)), "image/png")
READ = """<script>addEventListener("change", async (e) => {
  const read = async (file) => [file.name, file.type, (await file.arrayBuffer()).byteLength];
  window.got = await Promise.all([...e.target.files].map(read));
});</script>"""


@pytest.mark.parametrize(
    "html",
    [
        "<input type=file style='width: 300px; height: 40px'>",
        "<label style='display: block; height: 40px'>Attach <input type=file hidden></label>",
        "<button style='height: 40px' onclick='f.click()'>Choose</button><input type=file id=f hidden>",
        """<button style='height: 40px' onclick='setTimeout(() => f.click(), 300)'>Choose</button>
           <input type=file id=f hidden>""",
        """<button style='height: 40px' onclick='choose()'>Choose</button><script>
           const choose = () => {
             const made = document.createElement("input");
             made.type = "file";
             made.onchange = () => {
               made.onchange = null;
               document.body.append(made);
               made.dispatchEvent(new Event("change", {bubbles: true}));
             };
             made.click();
           };</script>""",
    ],
    ids=["input", "label", "button", "late button", "input made on the fly"],
)
async def test_files_reach_the_input_however_it_is_opened(tab, html):
    async with showing(tab, html + READ) as page:
        assert await perform(tab, Upload(Point(30, 25), (NOTES,))) is None
        await until(lambda: page.evaluate("window.got"), [["notes.txt", "text/plain", 10]])


async def test_several_files_where_several_are_taken(tab):
    async with showing(tab, f"<input type=file multiple style='width: 300px; height: 40px'>{READ}") as page:
        assert await perform(tab, Upload(Point(30, 25), (NOTES, PICTURE))) is None
        await until(
            lambda: page.evaluate("window.got"), [["notes.txt", "text/plain", 10], ["picture.png", "image/png", 256]]
        )


async def test_several_files_are_refused_where_one_is_taken(tab):
    async with showing(tab, "<input type=file style='width: 300px; height: 40px'>"):
        failed = await perform(tab, Upload(Point(30, 25), (NOTES, PICTURE)))
        assert isinstance(failed, ActionFailure)
        assert failed.reason == FailedReason.INVALID_VALUE


async def test_what_asks_for_no_file_is_refused(tab):
    async with showing(tab, "<button>Nothing</button>"):
        failed = await perform(tab, Upload(Point(20, 18), (NOTES,)))
        assert isinstance(failed, ActionFailure)
        assert failed.reason == FailedReason.NOT_A_FILE_INPUT


async def test_files_go_into_frames_of_another_process(tab):
    field = f"<body style='margin: 0'><input type=file aria-label=Attach style='width: 250px; height: 40px'>{READ}"
    async with showing(tab, {"a/": "<iframe src='http://b.localhost:PORT/f'></iframe>", "b/f": field}) as page:
        assert await perform(tab, Upload(await mark_named(tab, "Attach"), (NOTES,))) is None
        await until(lambda: page.frames[1].evaluate("window.got"), [["notes.txt", "text/plain", 10]])
