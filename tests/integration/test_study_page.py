"""The page of a study, opened from disk in a real browser."""

from __future__ import annotations

import re

import pytest
from playwright.async_api import expect
from tests.integration.contrast import least_contrast
from tests.unit.study.test_study_page import study_of

from webgym.study.compare import compared, runs_in
from webgym.study.page import write_page

pytestmark = [pytest.mark.anyio, pytest.mark.chromium]
expect.set_options(timeout=20_000)
WIDE, PHONE = {"width": 1440, "height": 900}, {"width": 390, "height": 844}
DRAWN = re.compile(r"^M[\d.]+ [\d.]+L[\d.]+ [\d.]+L[\d.]+ [\d.]+$")
HOSTILE = "<img src=x onerror=\"document.title='owned'\">"


@pytest.fixture(scope="module")
async def page_file(anyio_backend, tmp_path_factory):
    folder = tmp_path_factory.mktemp("study")
    arms = await study_of(folder, lrs={"usual": 1e-5, "higher": 3e-5})
    runs = runs_in({"usual": arms["usual"], HOSTILE: arms["higher"]})
    write_page(folder / "page.html", "rates", runs, compared(runs), ["resume it with `webgym train --resume x`"])
    return folder / "page.html"


@pytest.fixture
async def page(bare_chromium, page_file):
    context = await bare_chromium.new_context(viewport=WIDE)
    page = await context.new_page()
    complaints: list[str] = []
    asked: list[str] = []
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("console", lambda said: complaints.append(said.text) if said.type in ("error", "warning") else None)
    page.on("request", lambda request: asked.append(request.url))
    await page.goto(page_file.as_uri())
    yield page
    assert complaints == []
    assert asked == [page_file.as_uri()]
    await context.close()


async def test_it_says_what_was_found_and_what_was_compared(page):
    await expect(page).to_have_title("rates · study")
    await expect(page.locator("#verdict .first")).to_contain_text("ended 50.0 points above usual on 10 unseen tasks")
    settings = page.locator("#section-compared")
    await expect(settings.get_by_role("row").filter(has_text="train.lr")).to_contain_text("3e-05")
    await expect(settings.get_by_role("columnheader")).to_have_text(["usual", HOSTILE])
    await expect(settings).to_contain_text("policy.model = nano")


async def test_success_is_drawn_with_bands_over_updates_and_over_time(page):
    for chart in ("updates", "time"):
        figure = page.locator(f"#chart-{chart}")
        await expect(figure.locator("path.band")).to_have_count(2)
        await expect(figure.locator("path.curve")).to_have_count(2)
        await expect(figure.locator("path.curve").first).to_have_attribute("d", DRAWN)
        plot = figure.locator(".plot")
        await plot.focus()
        await page.keyboard.press("End")
        await expect(page.locator(".tip:visible b")).to_have_text(
            "Iteration 8" if chart == "updates" else "4 min 0 s of training"
        )
    await expect(page.locator(".rise .track")).to_have_count(4)


async def test_every_table_says_what_its_columns_mean(page):
    tables = page.locator("figure.study")
    await expect(tables).to_have_count(5)
    for place in range(5):
        await expect(tables.nth(place).locator("figcaption p")).not_to_be_empty()
        assert await tables.nth(place).locator(".meanings div").count() >= 3
    await expect(page.locator("#table-0 .meanings")).to_contain_text("after minus before in points")
    await expect(page.locator("#section-notes code")).to_have_text("webgym train --resume x")


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", [WIDE, PHONE], ids=["wide", "phone"])
async def test_it_fits_and_its_words_stand_out(bare_chromium, page_file, size, scheme):
    context = await bare_chromium.new_context(viewport=size, color_scheme=scheme)
    try:
        page = await context.new_page()
        await page.goto(page_file.as_uri())
        await expect(page.locator("figure.study")).to_have_count(5)
        assert await page.evaluate("document.documentElement.scrollWidth") <= size["width"]
        assert await least_contrast(page) >= 4.5
        await page.get_by_role("button", name="Switch to").click()
        assert await least_contrast(page) >= 4.5
    finally:
        await context.close()


async def test_on_paper_it_is_light_and_no_wider_than_the_sheet(bare_chromium, page_file):
    context = await bare_chromium.new_context(viewport=WIDE, color_scheme="dark")
    try:
        page = await context.new_page()
        await page.goto(page_file.as_uri())
        await expect(page.locator("#chart-time path.curve")).to_have_count(2)
        await page.emulate_media(media="print")
        assert await page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
        assert await least_contrast(page) >= 4.5
        paper = await page.pdf(format="A4")
        assert paper.startswith(b"%PDF")
        await page.set_viewport_size({"width": 720, "height": 1000})
        assert await page.evaluate("document.documentElement.scrollWidth") <= 720
    finally:
        await context.close()
