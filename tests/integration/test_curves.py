"""Live curves and the report in Chromium."""

from __future__ import annotations

import re
from contextlib import asynccontextmanager

import pytest
from playwright.async_api import Page, expect
from tests.unit.curves.made import ABOUT, iteration, run, screenshot
from tests.unit.training_async.test_flow_curves import flowing

from webgym.curves.about import RunFacts
from webgym.curves.report import ExampleStep, ReportExample, write_report
from webgym.curves.serve import serve_curves
from webgym.records.curve import Iteration
from webgym.store.statistics import Interval

pytestmark = [pytest.mark.anyio, pytest.mark.chromium]
PATIENCE = 30_000
expect.set_options(timeout=PATIENCE)
WIDE, PHONE = {"width": 1280, "height": 900}, {"width": 400, "height": 844}
HOSTILE = "<img src=x onerror=\"document.title='owned'\"><script>document.title='owned'</script>"
FIGURES = "loss grad_norm kl_behaviour kl_mismatch clip_share entropy effective_share".split()


@asynccontextmanager
async def opened(browser, url: str, **options):
    """The page, on which nothing may go wrong, with all that it asked for."""
    context = await browser.new_context(**({"viewport": WIDE} | options))
    page = await context.new_page()
    page.set_default_timeout(PATIENCE)
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.on("console", lambda message: errors.append(message.text) if message.type == "error" else None)
    page.on("dialog", lambda dialog: errors.append(f"dialog: {dialog.message}"))
    try:
        await page.goto(url)
        yield page
        assert errors == []
    finally:
        await context.close()


@asynccontextmanager
async def live(browser, iterations: list[Iteration], about: RunFacts = ABOUT, **options):
    async with serve_curves(lambda: iterations, about=about) as server:
        async with opened(browser, server.url, **options) as page:
            await expect(page.locator("#link")).to_have_text("live")
            yield page


def points_of(path: str) -> int:
    return len(re.findall(r"[ML]", path))


async def line(page: Page, chart: str, series: str) -> str:
    found = page.locator(f'#chart-{chart} path.curve[data-series="{series}"]')
    await expect(found).to_have_count(1)
    return await found.get_attribute("d") or ""


async def test_a_run_of_twelve_iterations_is_drawn(bare_chromium):
    async with live(bare_chromium, run(12)) as page:
        assert points_of(await line(page, "success", "train")) == 12
        assert points_of(await line(page, "success", "evaluation")) == 5
        await expect(page.locator("#chart-success path.band")).to_have_count(2)
        for level in ("easy", "medium", "hard"):
            assert points_of(await line(page, f"level-{level}", "evaluation")) == 5
        for figure in FIGURES:
            assert points_of(await line(page, f"figure-{figure}", f"figure-{figure}")) == 12
        for chart, series in (("outcomes-train", "blocked"), ("time", "collect"), ("fates", "kept"), ("lags", "1")):
            path = await page.locator(f'#chart-{chart} path.columns[data-series="{series}"]').get_attribute("d")
            assert points_of(path or "") == 12
        for chart, curves in (("steps", 6), ("tokens", 4), ("masked", 2), ("groups", 3)):
            await expect(page.locator(f"#chart-{chart} path.curve")).to_have_count(curves)
        await expect(page.locator("#careful")).to_contain_text("training rollouts, iteration 12: 5.9% of the attempts")
        await expect(page.locator("#chart-steps-per-second path.curve")).to_have_count(1)
        ticks = page.locator("#chart-success .tick")
        assert {"0 %", "20 %", "0", "12"} <= set(await ticks.all_text_contents())
        await expect(page.locator("#run")).to_have_text("shop-small")
        await expect(page.locator("#tile-progress .value")).to_have_text("12 of 40")
        await expect(page.locator("#empty")).to_be_hidden()
        assert "token" not in page.url


async def test_asynchronous_runs_show_lag_idle_shares_and_what_was_too_old(bare_chromium):
    async with live(bare_chromium, [flowing(number) for number in range(1, 7)]) as page:
        for chart, series in (
            ("lag", "lag-mean"),
            ("lag", "lag-max"),
            ("idle", "browser"),
            ("idle", "inference"),
            ("idle", "trainer"),
            ("pipeline", "running"),
            ("lacking", "lacking"),
        ):
            assert points_of(await line(page, chart, series)) == 6
        waited = page.locator('#chart-time path.columns[data-series="wait"]')
        assert points_of(await waited.get_attribute("d") or "") == 6


async def test_rates_are_drawn_where_they_belong(bare_chromium):
    """From the path back to the numbers, by the ticks of the axis."""
    iterations = run(12)
    async with live(bare_chromium, iterations) as page:
        path = await line(page, "success", "evaluation")
        ticks = await page.locator("#chart-success .tick[text-anchor=end]").evaluate_all(
            "nodes => nodes.map(node => [parseFloat(node.textContent) / 100, parseFloat(node.getAttribute('y')) - 3.5])"
        )
    (low, at_low), (high, at_high) = ticks[0], ticks[-1]
    drawn = [float(y) for y in re.findall(r"[ML][\d.]+ ([\d.]+)", path)]
    shown = [low + (y - at_low) / (at_high - at_low) * (high - low) for y in drawn]
    real = [one.evaluation.success.rate for one in iterations if one.evaluation]
    assert shown == pytest.approx(real, abs=0.002)


@pytest.mark.parametrize(
    ("planned", "shown", "left"),
    [(40, "12 of 40", True), (12, "12 of 12", False), (5, "12", False), (None, "12", False)],
)
async def test_what_is_left_is_told_while_something_is(bare_chromium, planned, shown, left):
    async with live(bare_chromium, run(12), RunFacts("shop-small", planned)) as page:
        tile = page.locator("#tile-progress")
        await expect(tile.locator(".value")).to_have_text(shown)
        await expect(tile).to_contain_text("so far")
        assert (" left" in await tile.inner_text()) == left


async def test_a_new_iteration_appears_by_itself(bare_chromium):
    iterations: list[Iteration] = []
    async with live(bare_chromium, iterations) as page:
        await expect(page.locator("#empty")).to_be_visible()
        await expect(page.locator("#empty")).to_have_text("No iterations yet.")
        await page.evaluate("window.mark = 'same page'")
        iterations.append(iteration(0))
        await expect(page.locator("#tile-evaluation .value")).to_have_text("29.2 %")
        await expect(page.locator("#empty")).to_be_hidden()
        await expect(page.locator("#section-learning")).to_have_count(0)
        iterations.extend(run(5)[1:])
        await expect(page.locator("#tile-progress .value")).to_have_text("5 of 40")
        assert points_of(await line(page, "success", "train")) == 5
        iterations.append(iteration(6))
        await expect(page.locator("#tile-progress .value")).to_have_text("6 of 40")
        assert points_of(await line(page, "success", "train")) == 6
        titles = await page.locator("section > h2").all_text_contents()
        assert [title.split()[0] for title in titles] == ["By", "Attempts", "Learning", "Groups,"]
        assert await page.evaluate("window.mark") == "same page"


async def test_pointing_at_a_chart_tells_exact_values_and_marks_all_charts(bare_chromium):
    iterations = run(12)
    rate = iterations[12].evaluation.success
    async with live(bare_chromium, iterations) as page:
        await line(page, "success", "train")
        box = await page.locator("#chart-success .plot").bounding_box()
        await page.mouse.move(box["x"] + box["width"] - 20, box["y"] + 60)
        tip = page.locator(".tip")
        await expect(tip).to_contain_text("Iteration 12")
        await expect(tip).to_contain_text(f"{rate.rate * 100:.1f} %")
        await expect(tip).to_contain_text(f"{rate.low * 100:.1f} \u2013 {rate.high * 100:.1f} %, 60 of 96")
        marked = await page.locator(".plot .cursor").evaluate_all(
            "nodes => nodes.filter(node => node.getAttribute('visibility') === 'visible').length"
        )
        assert marked == await page.locator(".plot").count() > 20
        await page.mouse.move(5, 5)
        await expect(tip).to_be_hidden()


async def test_charts_can_be_read_with_the_keyboard(bare_chromium):
    async with live(bare_chromium, run(12)) as page:
        plot, tip = page.locator("#chart-figure-loss .plot"), page.locator(".tip")
        await plot.focus()
        await page.keyboard.press("End")
        await expect(tip).to_contain_text("Iteration 12")
        await page.keyboard.press("ArrowLeft")
        await expect(tip).to_contain_text("Iteration 11")
        await page.keyboard.press("Home")
        await expect(tip).to_contain_text("Iteration 1")
        await page.keyboard.press("Escape")
        await expect(tip).to_be_hidden()
        label = await page.locator("#chart-success .plot").get_attribute("aria-label")
        assert label is not None
        assert "unseen websites 62.5 % at iteration 12" in label


async def test_a_series_is_switched_off_in_the_legend_and_stays_off(bare_chromium):
    iterations = run(12)
    async with live(bare_chromium, iterations) as page:
        await page.click('#chart-success [data-entry="train"]')
        curves = page.locator("#chart-success path.curve")
        await expect(curves).to_have_count(1)
        iterations.append(iteration(13))
        await expect(page.locator("#tile-progress .value")).to_have_text("13 of 40")
        await expect(curves).to_have_count(1)
        await page.click('#chart-success [data-entry="train"]')
        await expect(curves).to_have_count(2)


async def test_curves_are_smoothed_on_demand_with_the_raw_ones_behind_them(bare_chromium):
    async with live(bare_chromium, run(12)) as page:
        rough = await line(page, "figure-loss", "figure-loss")
        await page.click("#smooth")
        curves = page.locator("#chart-figure-loss path.curve")
        await expect(curves).to_have_count(2)
        assert await curves.first.get_attribute("d") == rough
        assert await curves.last.get_attribute("d") != rough
        await page.click("#smooth")
        assert await line(page, "figure-loss", "figure-loss") == rough


@pytest.mark.parametrize("scheme", ["light", "dark"])
async def test_colours_follow_the_system_until_they_are_switched(bare_chromium, scheme):
    ground = "getComputedStyle(document.body).backgroundColor"
    stroke = "getComputedStyle(document.querySelector('#chart-success path.curve')).stroke"
    async with live(bare_chromium, run(3), color_scheme=scheme) as page:
        await line(page, "success", "train")
        before = [await page.evaluate(ground), await page.evaluate(stroke)]
        await page.click("#theme")
        after = [await page.evaluate(ground), await page.evaluate(stroke)]
        assert all(one != other for one, other in zip(before, after, strict=True))
        await page.reload()
        await line(page, "success", "train")
        assert [await page.evaluate(ground), await page.evaluate(stroke)] == after


async def test_a_phone_shows_everything_without_scrolling_sideways(bare_chromium, tmp_path):
    wide = "document.documentElement.scrollWidth"
    async with live(bare_chromium, run(12), viewport=PHONE, has_touch=True) as page:
        await line(page, "success", "train")
        assert await page.evaluate(wide) <= 400
        await page.locator("#chart-success .plot").tap(position={"x": 200, "y": 100})
        tip = page.locator(".tip")
        await expect(tip).to_be_visible()
        box = await tip.bounding_box()
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= 400
    write_report(
        tmp_path / "report.html",
        run(12),
        ABOUT,
        [ReportExample("Buy", "success", [ExampleStep(screenshot("Shop"), "go")] * 6)],
    )
    async with opened(bare_chromium, (tmp_path / "report.html").as_uri(), viewport=PHONE) as page:
        await line(page, "success", "train")
        assert await page.evaluate(wide) <= 400


async def test_text_of_others_is_shown_as_text(bare_chromium, tmp_path):
    about = RunFacts(HOSTILE, facts={HOSTILE: HOSTILE})
    async with live(bare_chromium, run(3), about) as page:
        await expect(page.locator("#run")).to_have_text(HOSTILE)
        await expect(page.locator("#facts dd")).to_have_text(HOSTILE)
        assert await page.locator("main img, main script").count() == 0
    examples = [ReportExample(HOSTILE, "failure", [ExampleStep(None, HOSTILE, HOSTILE)], note=HOSTILE)]
    write_report(tmp_path / "report.html", run(3), about, examples)
    async with opened(bare_chromium, (tmp_path / "report.html").as_uri()) as page:
        await expect(page.locator(".example .title")).to_have_text(HOSTILE)
        await expect(page.locator(".step .action bdi")).to_have_text(HOSTILE)
        await expect(page.locator(".step .detail bdi")).to_have_text(HOSTILE)
        assert await page.locator("script").count() == 2
        assert await page.locator("main img").count() == 0
        assert await page.title() == f"{HOSTILE} \u00b7 learning"


@pytest.mark.parametrize(("planned", "words"), [(40, "no response, retrying"), (3, "run ended")])
async def test_a_run_that_is_out_of_reach_is_told(bare_chromium, planned, words):
    async with serve_curves(lambda: run(3), about=RunFacts("a run", planned)) as server:
        context = await bare_chromium.new_context()
        page = await context.new_page()
        await page.goto(server.url)
        await line(page, "success", "train")
    try:
        await expect(page.locator("#link")).to_have_text(words)
        await expect(page.locator("#chart-success path.curve")).to_have_count(2)
    finally:
        await context.close()


async def test_the_report_opens_from_disk_without_a_network(bare_chromium, tmp_path):
    examples = [
        ReportExample(
            "Buy a steel mug",
            "success",
            [ExampleStep(screenshot("Shop"), "click mark 3"), ExampleStep(None, "answer \u201cdone\u201d")],
        ),
        ReportExample(
            "Read the news", "truncated", [ExampleStep(screenshot("News"), "scroll down")], note="ran out of steps"
        ),
    ]
    write_report(tmp_path / "report.html", run(12), ABOUT, examples, difference=Interval(1 / 3, 0.21, 0.44, 96))
    (tmp_path / "alone").mkdir()
    moved = (tmp_path / "report.html").rename(tmp_path / "alone" / "report.html")
    async with opened(bare_chromium, moved.as_uri(), offline=True) as page:
        asked: list[str] = []
        page.on("request", lambda request: asked.append(request.url))
        await page.reload()
        assert points_of(await line(page, "success", "train")) == 12
        assert points_of(await line(page, "figure-loss", "figure-loss")) == 12
        rows = page.locator("#change tbody tr")
        await expect(rows.nth(0)).to_contain_text("29.2 %")
        await expect(rows.nth(0)).to_contain_text("62.5 %")
        await expect(rows.nth(0)).to_contain_text("+33.3 points")
        await expect(rows.nth(0)).to_contain_text("+21.0 to +44.0")
        await expect(page.locator("#change tbody th").nth(1)).to_have_text("easy")
        await expect(page.locator(".example")).to_have_count(2)
        await expect(page.locator(".example").nth(1)).to_contain_text("ran out of steps")
        pictures = page.locator(".step img")
        await expect(pictures).to_have_count(2)
        assert await pictures.first.evaluate("image => image.decode().then(() => image.naturalWidth)") == 960
        await pictures.first.click()
        await expect(page.locator("dialog.large img")).to_be_visible()
        await page.keyboard.press("Escape")
        await expect(page.locator("dialog.large")).to_have_count(0)
        await page.locator("#chart-success .plot").hover()
        await expect(page.locator(".tip")).to_contain_text("Iteration")
        assert {url.split(":")[0] for url in asked} <= {"file", "data"}
        assert sum(url.startswith("file:") for url in asked) == 1


async def test_a_report_of_nothing_says_so(bare_chromium, tmp_path):
    write_report(tmp_path / "report.html", [], RunFacts("empty"))
    async with opened(bare_chromium, (tmp_path / "report.html").as_uri()) as page:
        await expect(page.locator("#empty")).to_have_text("No iterations yet.")
        await expect(page.locator("#change")).to_have_count(0)
