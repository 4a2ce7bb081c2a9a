"""The monitor's page in Chromium: it shows what happens while it happens."""

from __future__ import annotations

import re
from contextlib import asynccontextmanager

import anyio
import pytest
from playwright.async_api import Page, expect
from tests.integration.contrast import least_contrast
from tests.unit.monitor.boards import decide, end, submit
from tests.unit.monitor.watching import Watched, watched

from webgym.monitor.board import Board
from webgym.monitor.demo import SimulatedPictures
from webgym.monitor.simulated import SimulationPlan, simulated_run
from webgym.records import event as events

pytestmark = [pytest.mark.anyio, pytest.mark.chromium]
PATIENCE = 30_000
expect.set_options(timeout=PATIENCE)
HOSTILE = "<img src=x onerror=\"document.title='owned'\"><script>document.title='owned'</script>"
PIXEL = """([x, y]) => {
  const canvas = document.getElementById("grid"), box = canvas.getBoundingClientRect();
  const scale = canvas.width / box.width;
  return [...canvas.getContext("2d").getImageData(x * scale, y * scale, 1, 1).data];
}"""
FILL = """(status) => {
  const probe = document.createElement("span");
  probe.dataset.status = status;
  document.body.append(probe);
  const fill = getComputedStyle(probe).backgroundColor.match(/[\\d.]+/g).map(Number);
  probe.remove();
  return fill;
}"""


@pytest.fixture
async def seen(anyio_backend):
    async with watched(Board(), "nightly") as served:
        yield served


@asynccontextmanager
async def opened(browser, seen: Watched, tolerated: str = "", **options):
    """The page, on which nothing may go wrong but what is tolerated."""
    context = await browser.new_context(**({"viewport": {"width": 1280, "height": 800}} | options))
    page = await context.new_page()
    page.set_default_timeout(PATIENCE)
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.on("console", lambda message: errors.append(message.text) if message.type == "error" else None)
    try:
        await page.goto(seen.server.url)
        await expect(page.locator("#link")).to_have_text("live")
        yield page
        assert [error for error in errors if not tolerated or tolerated not in error] == []
    finally:
        await context.close()


async def middle_of(page: Page, slot: int) -> tuple[float, float]:
    """Where a cell is on the canvas, while there are few."""
    width = await page.locator("#grid").evaluate("canvas => canvas.getBoundingClientRect().width")
    pitch = 52
    columns = int(width / pitch)
    return slot % columns * pitch + pitch / 2, slot // columns * pitch + pitch / 2


async def looks(page: Page, slot: int, status: str, alpha: int = 255) -> None:
    """Wait until a cell has the colour of a status."""
    x, y = await middle_of(page, slot)
    wanted: list[float] = []
    found: list[int] = []
    with anyio.move_on_after(PATIENCE / 1000):
        while True:
            wanted = [*(await page.evaluate(FILL, status)), alpha]
            found = await page.evaluate(PIXEL, [x - 19, y - 1])
            if all(abs(one - other) <= 3 for one, other in zip(found, wanted, strict=True)):
                return
            await anyio.sleep(0.05)
    pytest.fail(f"cell {slot} is {found}, not {status} {wanted}")


def count_of(page: Page, status: str):
    return page.locator(f'#legend [data-filter="{status}"] b')


async def test_cells_appear_and_change_colour_while_the_run_goes_on(bare_chromium, seen):
    async with opened(bare_chromium, seen) as page:
        await expect(page.locator("#empty")).to_be_visible()
        submit(seen.board, "a", "b", "c")
        await looks(page, 2, "waiting")
        await expect(page.locator("#empty")).to_be_hidden()
        seen.board.apply(events.OperationQueued("a", "open"))
        seen.board.apply(events.OperationStarted("b", "infer", 2, 0.5))
        await looks(page, 0, "queued")
        await looks(page, 1, "running")
        for attempt, outcome in zip("abc", ("success", "failure", "blocked"), strict=True):
            end(seen.board, attempt, outcome=outcome)
        await looks(page, 0, "success")
        await looks(page, 1, "failure")
        await looks(page, 2, "blocked")
        await expect(page.locator("#run")).to_have_text("nightly")
        assert "token" not in page.url


async def test_sums_operations_and_throughput_are_shown(bare_chromium, seen):
    submit(seen.board, *"abcdef")
    seen.board.apply(events.LimitChanged("infer", 40))
    seen.board.apply(events.OperationStarted("a", "infer", 1, 0.25))
    seen.board.apply(events.OperationEnded("a", "infer", 1, 1.5, "timeout"))
    seen.board.apply(events.OperationStarted("a", "infer", 2, 0.25))
    seen.board.apply(events.OperationQueued("b", "infer", 1))
    decide(seen.board, "a", 1)
    end(seen.board, "c")
    end(seen.board, "d", outcome="judge_unknown")
    async with opened(bare_chromium, seen) as page:
        await expect(page.locator("#equation")).to_have_text("6 submitted = 1 success + 1 judge unknown + 4 open")
        await expect(page.locator("#warning")).to_be_hidden()
        cells = page.locator('#operations tr[data-operation="infer"] td')
        texts = [text.replace("\u2009", "") for text in await cells.all_inner_texts()]
        assert texts == ["1/40", "1", "0.25/0.25", "1.5/1.5", "1"]
        await expect(page.locator("#steps-overall")).to_contain_text("1 done")
        await expect(page.locator("#elapsed")).to_have_text(re.compile(r"^\d+:\d\d$"))
        await expect(count_of(page, "judge_unknown")).to_have_text("1")
        seen.board.lost = 7
        end(seen.board, "e")
        await expect(page.locator("#warning")).to_contain_text("7 events were lost")


async def test_the_legend_and_the_search_field_show_only_what_was_asked_for(bare_chromium, seen):
    seen.board.apply(events.AttemptSubmitted("a", "buy a mug", "shop-1"))
    seen.board.apply(events.AttemptSubmitted("b", "read the news", "news-2"))
    end(seen.board, "a")
    async with opened(bare_chromium, seen) as page:
        await looks(page, 0, "success")
        waiting = page.locator('#legend [data-filter="waiting"]')
        await waiting.click()
        assert await waiting.get_attribute("aria-pressed") == "true"
        await looks(page, 0, "success", alpha=33)
        await looks(page, 1, "waiting")
        end(seen.board, "b")
        await looks(page, 1, "success", alpha=33)
        await waiting.click()
        await looks(page, 0, "success")
        await page.fill("#find", "NEWS")
        await looks(page, 0, "success", alpha=33)
        await looks(page, 1, "success")
        await page.fill("#find", "")
        await looks(page, 0, "success")


async def test_a_click_opens_an_attempt_with_its_live_screenshot_and_history(bare_chromium, seen):
    first, second = seen.add_picture("red"), seen.add_picture("blue")
    seen.board.apply(events.AttemptSubmitted("a", "t-1", "shop-1", "hard", "Buy a blue mug."))
    decide(seen.board, "a", 1, sentence="Click the search field", url="http://shop/", screenshot=first)
    async with opened(bare_chromium, seen) as page:
        picture, history = page.locator("#panel-picture"), page.locator("#panel-history li")
        await looks(page, 0, "waiting")
        x, y = await middle_of(page, 0)
        await page.locator("#grid").click(position={"x": x, "y": y})
        await expect(page.locator("#panel-title")).to_have_text("a")
        await expect(page.locator("#panel-instruction")).to_have_text("Buy a blue mug.")
        await expect(picture).to_have_attribute("src", f"/api/picture/{first.replace(':', '%3A')}")
        await expect(history).to_have_count(1)
        await page.wait_for_selector("#panel-picture")
        assert await picture.evaluate("image => image.decode().then(() => image.naturalWidth)") == 64

        decide(seen.board, "a", 2, sentence="Type a word", url="http://shop/?q", screenshot=second)
        await expect(history).to_have_count(2)
        await expect(history.first).to_contain_text("Type a word")
        await expect(picture).to_have_attribute("src", f"/api/picture/{second.replace(':', '%3A')}")
        await expect(picture).to_have_attribute("alt", "What the agent saw at step 2")

        await history.last.locator("button").click()
        await expect(picture).to_have_attribute("src", f"/api/picture/{first.replace(':', '%3A')}")
        await page.click("#panel-live")
        await expect(picture).to_have_attribute("src", f"/api/picture/{second.replace(':', '%3A')}")

        end(seen.board, "a", outcome="truncated")
        await expect(page.locator("#panel-state")).to_contain_text("truncated")
        await page.click("#panel-close")
        await expect(page.locator("#panel")).to_be_hidden()


async def test_everything_can_be_done_with_the_keyboard(bare_chromium, seen):
    submit(seen.board, *(f"attempt {number}" for number in range(60)))
    end(seen.board, "attempt 4", "attempt 9", outcome="failure")
    async with opened(bare_chromium, seen) as page:
        await expect(count_of(page, "waiting")).to_have_text("58")
        grid, spoken = page.locator("#grid"), page.locator("#spoken")
        await grid.focus()
        for key in ("ArrowRight", "ArrowRight", "ArrowRight", "ArrowLeft"):
            await page.keyboard.press(key)
        await expect(spoken).to_have_text("attempt 1, shop-1, easy, waiting")
        columns = int(await grid.evaluate("canvas => canvas.getBoundingClientRect().width") / 52)
        await page.keyboard.press("ArrowDown")
        await expect(spoken).to_contain_text(f"attempt {1 + columns},")
        await page.keyboard.press("End")
        await expect(spoken).to_contain_text("attempt 59,")
        await page.keyboard.press("Home")
        await expect(spoken).to_contain_text("attempt 0,")

        await page.locator('#legend [data-filter="failure"]').press("Enter")
        await grid.focus()
        await page.keyboard.press("ArrowRight")
        await expect(spoken).to_contain_text("attempt 4, shop-1, easy, failure")
        await page.keyboard.press("ArrowRight")
        await page.keyboard.press("Enter")
        await expect(page.locator("#panel-title")).to_have_text("attempt 9")
        await expect(page.locator("#panel-title")).to_be_focused()
        await page.keyboard.press("Escape")
        await expect(page.locator("#panel")).to_be_hidden()
        await expect(grid).to_be_focused()


@pytest.mark.parametrize("scheme", ["light", "dark"])
async def test_colours_follow_the_system_until_they_are_switched(bare_chromium, seen, scheme):
    submit(seen.board, "a")
    async with opened(bare_chromium, seen, color_scheme=scheme) as page:
        await looks(page, 0, "waiting")
        page_colour = "getComputedStyle(document.body).backgroundColor"
        before, fill = await page.evaluate(page_colour), await page.evaluate(FILL, "waiting")
        await page.click("#theme")
        assert await page.evaluate(page_colour) != before
        assert await page.evaluate(FILL, "waiting") != fill
        await looks(page, 0, "waiting")
        after = await page.evaluate(page_colour)
        await page.reload()
        await expect(page.locator("#link")).to_have_text("live")
        assert await page.evaluate(page_colour) == after


async def test_what_websites_and_models_wrote_is_shown_as_text_and_does_not_run(bare_chromium):
    async with watched(Board(), HOSTILE) as seen:
        attempt = f"{HOSTILE}/..?#%00"
        seen.board.apply(events.AttemptSubmitted(attempt, HOSTILE, HOSTILE, HOSTILE, HOSTILE, HOSTILE))
        seen.board.apply(
            events.StepDecided(attempt, 1, HOSTILE, HOSTILE, f"javascript:{HOSTILE}", 'x" onerror="alert(1)')
        )
        seen.board.apply(events.OperationEnded(attempt, "act", 1, 1.0, HOSTILE))
        async with opened(bare_chromium, seen, tolerated="404") as page:  # no picture has that address
            asked: list[str] = []
            dialogs: list[str] = []
            page.on("request", lambda request: asked.append(request.url))
            page.on("dialog", lambda dialog: dialogs.append(dialog.message))
            await expect(page.locator("#run")).to_have_text(HOSTILE)
            await looks(page, 0, "waiting")
            x, y = await middle_of(page, 0)
            await page.hover("#grid", position={"x": x, "y": y})
            await expect(page.locator("#tip")).to_contain_text(HOSTILE)
            await page.locator("#grid").click(position={"x": x, "y": y})
            await expect(page.locator("#panel-title")).to_have_text(attempt)
            await expect(page.locator("#panel-instruction")).to_have_text(HOSTILE)
            await expect(page.locator("#panel-history .sentence")).to_contain_text(HOSTILE)
            await expect(page.locator("#panel-history .url")).to_have_text(f"javascript:{HOSTILE}")
            assert await page.locator("main img").count() == 1
            assert await page.locator("script").count() == 1
            assert "owned" not in (await page.title()).replace(HOSTILE, "")
            assert dialogs == []
            assert {url.split("/api/")[0] for url in asked} == {seen.address}


async def test_ten_thousand_attempts_are_shown_and_updated(bare_chromium):
    board, clock = Board(), [0.0]
    board._clock, board._start = lambda: clock[0], 0.0
    run = simulated_run(SimulationPlan(attempts=10_000, at_once=500, seed=1))
    for clock[0], event in run:
        board.apply(event)
        if clock[0] > 5:
            break
    async with watched(board, screenshot=SimulatedPictures().read) as seen, opened(bare_chromium, seen) as page:
        await expect(page.locator("#cost")).to_contain_text("10000 cells")
        for clock[0], event in run:
            board.apply(event)
            if clock[0] > 10:
                break
        await expect(page.locator("#equation")).to_contain_text("10,000 submitted")
        steps = board.totals().steps.total
        await expect(page.locator("#steps-overall")).to_contain_text(f"{steps:,} done")
        await expect(page.locator("#warning")).to_be_hidden()
        box = await page.locator("#grid").bounding_box()
        assert box is not None
        assert box["height"] < 800
        await page.locator("#grid").click(position={"x": 2, "y": 2})
        await expect(page.locator("#panel-title")).to_have_text("attempt-00000")
        await expect(page.locator("#panel-picture")).to_be_visible()


async def test_a_phone_shows_everything_without_scrolling_sideways(bare_chromium, seen):
    submit(seen.board, *(f"attempt {number}" for number in range(100)))
    seen.board.apply(events.LimitChanged("infer", 40))
    async with opened(bare_chromium, seen, viewport={"width": 390, "height": 844}) as page:
        await expect(count_of(page, "waiting")).to_have_text("100")
        assert await page.evaluate("document.documentElement.scrollWidth") <= 390
        await page.locator("#grid").click(position={"x": 10, "y": 10})
        await expect(page.locator("#panel-title")).to_have_text("attempt 0")
        box = await page.locator("#panel").bounding_box()
        assert box is not None
        assert (box["x"], box["width"]) == (0, 390)


PLACEHOLDER = """(input) => {
  const pen = document.createElement("canvas").getContext("2d"), style = getComputedStyle(input);
  pen.font = style.font;
  return [pen.measureText(input.placeholder).width, input.clientWidth - parseFloat(style.paddingLeft) * 2];
}"""


async def test_on_a_phone_the_search_field_shows_what_it_finds(bare_chromium, seen):
    async with opened(bare_chromium, seen, viewport={"width": 390, "height": 844}) as page:
        wanted, room = await page.locator("#find").evaluate(PLACEHOLDER)
        assert wanted <= room


@pytest.mark.parametrize("scheme", ["light", "dark"])
async def test_the_legend_explains_the_signs_in_the_cells_readably(bare_chromium, seen, scheme):
    async with opened(bare_chromium, seen, color_scheme=scheme) as page:
        signs = {
            "success": "\u2713", "failure": "\u00d7", "truncated": "\u2026", "blocked": "/", "infrastructure": "!",
            "judge_unknown": "?", "cancelled": "\u2013",
        }  # fmt: skip
        for status, sign in signs.items():
            entry = page.locator(f'#legend [data-filter="{status}"]')
            await expect(entry.locator(".swatch")).to_have_text(sign)
            assert await entry.get_attribute("title")
        await expect(page.locator(".key")).to_contain_text("how an attempt ended and after how many steps")
        assert await least_contrast(page) >= 4.5
        await page.click("#theme")
        assert await least_contrast(page) >= 4.5


async def test_a_run_that_ends_is_told(bare_chromium):
    async with watched(Board()) as seen:
        submit(seen.board, "a")
        async with opened(bare_chromium, seen) as page:
            await looks(page, 0, "waiting")
            end(seen.board, "a")
            seen.board.finish()
            await expect(page.locator("#link")).to_have_text("run ended")
            await looks(page, 0, "success")
