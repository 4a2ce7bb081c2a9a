"""Browsers with windows, on a display that nobody looks at."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from collections.abc import AsyncGenerator
from pathlib import Path

import anyio
import psutil
import pytest
from PIL import Image
from tests.integration.pages_server import Pages
from tests.integration.sessions import button, config_for, driving

from webgym.browser.server.chromium.browser import ChromiumBrowser
from webgym.browser.server.chromium.display import SERVER, Display, check_headed
from webgym.errors import ConfigError
from webgym.records.action import File, NewTab, Point, SwitchTab, Upload
from webgym.records.observation import ActionFailure, Blob
from webgym.records.session import Look
from webgym.stages import Session

try:
    check_headed()
except ConfigError:
    pytest.skip("headed needs a full Chromium and a display", allow_module_level=True)

pytestmark = [pytest.mark.anyio, pytest.mark.chromium]
own_display = pytest.mark.skipif("DISPLAY" in os.environ, reason="the display is somebody else's")

PAGE = """
<button style="position:absolute;left:0;top:0;width:200px;height:40px;border:0;background:{before}"
  onclick="this.style.background='{after}'; document.title = `clicked ${{frames > 2}} ${{hovers}}`"></button>
<script>
  frames = hovers = 0
  document.onmousemove = () => hovers++
  const count = () => {{ frames++; requestAnimationFrame(count) }}
  count()
  document.title = `${{navigator.userAgent}} ${{innerWidth}}x${{innerHeight}}`
</script>"""


@pytest.fixture(scope="module")
async def headed(site: Pages) -> AsyncGenerator[ChromiumBrowser]:
    async with ChromiumBrowser(config_for(site, headed=True)) as browser:
        yield browser


async def test_sessions_whose_windows_cover_each_other_are_drawn_and_clicked_alike(headed, pages):
    colours = [("#ff0000", "#00ff00"), ("#0000ff", "#ffff00")]
    urls = [pages.page(PAGE.format(before=a, after=b), f"/{n}", "wait") for n, (a, b) in enumerate(colours)]
    look = Look(screenshot="png", settle_seconds=5.0)
    async with driving(headed) as first, driving(headed) as second:
        for driver, url, (before, _) in zip((first, second), urls, colours, strict=True):
            seen = await driver.go(url, look)
            assert "Chrome/" in seen.title
            assert "Headless" not in seen.title
            assert seen.title.endswith(" 1280x768")
            assert await colour_of(driver.session, seen.screenshot) == before
        for driver, (_, after) in zip((first, second), colours, strict=True):
            seen = await driver.click(look=look)
            # Frames were drawn, and no pointer but ours was ever over the page.
            assert seen.title == "clicked true 1"
            assert await colour_of(driver.session, seen.screenshot) == after


async def test_the_tab_in_front_is_the_one_that_is_seen(headed, pages):
    red, blue = (pages.page(f"<body bgcolor={name}>", f"/{name}", name) for name in ("red", "blue"))
    look = Look(screenshot="png", settle_seconds=5.0)
    async with driving(headed, start_url=red) as driver:
        seen = await driver.do(NewTab(blue), look)
        assert await colour_of(driver.session, seen.screenshot) == "#0000ff"
        seen = await driver.do(SwitchTab(1), look)
        assert await colour_of(driver.session, seen.screenshot) == "#ff0000"


@pytest.mark.parametrize(
    "script",
    ["print()", "document.querySelector('input').click()", "navigator.mediaDevices.getDisplayMedia({video: true})"],
)
async def test_what_would_open_a_dialog_of_the_desktop_does_not_stop_the_page(headed, pages, script):
    below = "position:absolute;left:0;top:100px;width:200px;height:40px"
    other = f"<input type=file style='{below}' onclick='document.title = 1' onchange='document.title = files[0].name'>"
    async with driving(headed, start_url=pages.page(button(script) + other)) as driver:
        await driver.do()
        assert not isinstance((await driver.click()).effect, ActionFailure)
        assert (await driver.click(50, 120)).title == "1"
        seen = await driver.do(Upload(Point(50, 120), (File("a.txt", b"a"),)))
        assert seen.title == "a.txt", seen.effect


@own_display
async def test_a_display_that_died_is_replaced():
    others = displays_below(psutil.Process())
    display = Display()
    try:
        before = await display.environment()
        assert await display.environment() == before
        [server] = [one for one in displays_below(psutil.Process()) if one not in others]
        server.kill()
        with anyio.fail_after(20):
            while (after := await display.environment()) == before:
                await anyio.sleep(0.05)
        assert Path(after["XAUTHORITY"]).exists()
        assert not Path(before["XAUTHORITY"]).exists()
    finally:
        await display.close()
    assert displays_below(psutil.Process()) == others


@own_display
def test_nothing_is_left_of_a_display_whose_worker_was_killed():
    code = """
import anyio
from webgym.browser.server.chromium.display import Display
async def main():
    print((await Display().environment())["DISPLAY"], flush=True)
    await anyio.sleep_forever()
anyio.run(main, backend_options={"use_uvloop": True})
"""
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True) as worker:
        try:
            assert worker.stdout
            number = worker.stdout.readline().strip().removeprefix(":")
            [server] = displays_below(psutil.Process(worker.pid))
            place = Path(f"/tmp/.X11-unix/X{number}")
            assert place.exists()
        finally:
            worker.kill()
    server.wait(20)
    assert not place.exists()


def displays_below(process: psutil.Process) -> list[psutil.Process]:
    return [child for child in process.children() if child.name() == SERVER]


async def colour_of(session: Session, picture: Blob | None) -> str:
    """Where `Driver.click` clicks."""
    assert picture
    data = await session.blob(picture.address)
    with Image.open(io.BytesIO(data)) as image:
        assert image.size == (1280, 768)
        return f"#{bytes(image.convert('RGB').getpixel((20, 20))).hex()}"
