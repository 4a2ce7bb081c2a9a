"""What is drawn into a session's window is small; what a page is told, and what is seen of it, is not."""

from __future__ import annotations

import io

import pytest
from PIL import Image

from webgym.records.action import Click, Point, Scroll
from webgym.records.observation import Changed
from webgym.records.session import Look, SessionSpec

pytestmark = [pytest.mark.anyio, pytest.mark.chromium]

TOLD = """<script>
let resizes = 0;
for (const target of [window, visualViewport]) target.addEventListener("resize", () => { resizes++; });
document.onclick = () => {
  document.title = [outerWidth, outerHeight, innerWidth, innerHeight, screen.width, screen.height, resizes].join();
};
</script>"""


async def test_a_page_is_told_of_the_whole_viewport_and_hears_of_no_resize(session, pages):
    viewport = SessionSpec().viewport
    await session.go(pages.page(TOLD), Look())
    await session.do(Click(Point(700, 500)), Look())
    seen = await session.do(Click(Point(1200, 700)), Look())
    size = [viewport.width, viewport.height]
    assert seen.title == ",".join(map(str, [*size, *size, *size, 0]))


async def test_a_picture_shows_the_corner_that_is_farthest_away(session, pages):
    corner = "<div style='position:fixed;right:0;bottom:0;width:40px;height:40px;background:rgb(200,0,0)'></div>"
    await session.go(pages.page(corner))
    capture = await session.session.step(None, Look(screenshot="png"))
    picture = Image.open(io.BytesIO(capture.blobs[capture.observation.screenshot.address])).convert("RGB")
    viewport = capture.observation.viewport
    assert picture.size == (viewport.width, viewport.height)
    assert picture.getpixel((viewport.width - 20, viewport.height - 20)) == (200, 0, 0)


async def test_the_wheel_turns_what_is_under_the_mouse_far_from_the_corner(session, pages):
    style = "position:fixed;right:10px;bottom:10px;width:300px;height:200px;overflow:auto"
    await session.go(pages.page(f"<div style='{style}'><div style='height:2000px'></div></div>"))
    for _ in range(2):
        assert (await session.do(Scroll(dy=100, target=Point(1150, 650)))).effect == Changed(("scroll",))
