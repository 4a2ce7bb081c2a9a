"""What curves and the report claim of a run: its end, its changes, its examples. In Chromium."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

import msgspec
import pytest
from playwright.async_api import Page, expect
from tests.integration.test_curves import PATIENCE, PHONE, line, opened
from tests.unit.curves.made import iteration, rate, run, screenshot

from webgym.curves.about import RunFacts, RunState
from webgym.curves.app import Curve
from webgym.curves.report import ExampleStep, ReportExample, write_report
from webgym.curves.serve import serve_curves
from webgym.records.curve import ENOUGH_FOR_A_RATE, Iteration
from webgym.store.statistics import Interval

pytestmark = [pytest.mark.anyio, pytest.mark.chromium]
expect.set_options(timeout=PATIENCE)
WORDS = Path(__file__).parents[2] / "src/webgym/curves/page/words.js"
NOISE, CHANGE = Interval(0.048, -0.008, 0.101, 125), Interval(0.048, 0.012, 0.084, 125)


def evaluated(number: int, successes: int, attempts: int, levels: Sequence[str] = ("easy",)) -> Iteration:
    """An iteration whose evaluation has these results, at tasks of these levels."""
    one = iteration(number)
    found = rate(successes, attempts)
    tests = msgspec.structs.replace(
        iteration(0).evaluation, success=found, by_level=dict.fromkeys(levels, found), tasks=attempts
    )
    return msgspec.structs.replace(one, evaluation=tests)


def trained(number: int) -> Iteration:
    return msgspec.structs.replace(iteration(number), evaluation=None)


def course(before: int, after: int, attempts: int, levels: Sequence[str] = ("easy",)) -> list[Iteration]:
    return [evaluated(0, before, attempts, levels), trained(1), evaluated(2, after, attempts, levels)]


def reported(folder: Path, iterations: Sequence[Iteration], **more) -> str:
    about = RunFacts("demo", facts={"model": "nano"}, state="ended")
    write_report(folder / "report.html", iterations, about, **more)
    return (folder / "report.html").as_uri()


async def colour(page: Page, selector: str) -> str:
    return await page.locator(selector).first.evaluate("node => getComputedStyle(node).color")


@pytest.mark.parametrize("state", ["ended", "stopped"])
async def test_curves_of_a_run_that_is_over_neither_say_live_nor_what_is_left(bare_chromium, state: RunState):
    about = RunFacts("demo", 40, state=state)
    async with serve_curves(lambda: run(6), about=about) as server, opened(bare_chromium, server.url) as page:
        link = page.locator("#link")
        await expect(link).to_have_text(f"run {state}")
        await expect(link).to_have_attribute("data-state", "over")
        tile = page.locator("#tile-progress")
        await expect(tile).to_contain_text("6 of 40")
        await expect(tile).to_contain_text("in all")
        await expect(tile).to_contain_text(f"{'stopped after' if state == 'stopped' else 'ended'} 20")
        await expect(tile.locator(".progress")).to_have_count(0)
        text = await page.locator("main").inner_text()
        assert not re.search(r"\bleft\b|so far", text)


async def test_curves_of_a_run_that_ends_while_one_looks_say_so(bare_chromium):
    state: list[RunState] = ["running"]
    about = lambda: RunFacts("demo", state=state[0])  # noqa: E731
    async with serve_curves(lambda: run(3), about=about) as server, opened(bare_chromium, server.url) as page:
        await expect(page.locator("#link")).to_have_text("live")
        await expect(page.locator("#tile-progress")).to_contain_text("so far")
        state[0] = "ended"
        await expect(page.locator("#link")).to_have_text("run ended")
        await expect(page.locator("#tile-progress")).not_to_contain_text("so far")


@pytest.mark.parametrize(
    ("difference", "way", "words"),
    [(NOISE, "", "chance alone explains that"), (CHANGE, "up", "more than chance alone explains")],
)
async def test_a_change_has_a_colour_only_if_it_is_more_than_noise(bare_chromium, tmp_path, difference, way, words):
    url = reported(tmp_path, course(37, 43, 125), difference=difference)
    async with opened(bare_chromium, url) as page:
        grey = await colour(page, "#change .quiet")
        for where in ("#change tbody tr:first-child .change", "#tile-evaluation .change", "#verdict .change"):
            await expect(page.locator(where)).to_have_text("+4.8 points")
            assert await page.locator(where).get_attribute("class") == f"change {way}"
            assert (await colour(page, where) == grey) is not bool(way)
        said = await page.locator("#verdict").inner_text()
        assert said.startswith("This run changed success by +4.8 points (95 % interval")
        assert said.endswith(f"paired over 125 tasks): {words}.")
        await expect(page.locator("#tile-evaluation")).to_contain_text(words)


async def test_without_pairs_the_interval_of_the_difference_is_newcombes(bare_chromium, tmp_path):
    """As published: 56 of 70 and 48 of 80 differ by 20 points, 5.24 to 33.39 (Newcombe 1998, table II, method 10)."""
    before, after = evaluated(0, 48, 80), evaluated(2, 56, 70)
    async with opened(bare_chromium, reported(tmp_path, [before, trained(1), after])) as page:
        await expect(page.locator("#verdict")).to_contain_text("+20.0 points (95 % interval +5.2 to +33.4, not paired)")


async def test_training_rollouts_have_no_change_and_say_why(bare_chromium, tmp_path):
    async with opened(bare_chromium, reported(tmp_path, run(12))) as page:
        tile = page.locator("#tile-train")
        await expect(tile.locator(".change")).to_have_count(0)
        await expect(tile).not_to_contain_text("points")
        await expect(tile).to_contain_text("rises with shuffled rewards too")


async def test_few_attempts_are_counted_everywhere_and_nothing_is_concluded(bare_chromium, tmp_path):
    url = reported(tmp_path, course(3, 4, 11), difference=Interval(0.09, -0.2, 0.3, 11))
    async with opened(bare_chromium, url) as page:
        await expect(page.locator("#tile-evaluation .value")).to_have_text("4 of 11")
        await expect(page.locator("#tile-evaluation")).to_contain_text("3 of 11 at iteration 0")
        await expect(page.locator('#chart-success [data-entry="evaluation"] b')).to_have_text("4 of 11")
        cells = page.locator("#change tbody tr").first.locator("td.number")
        assert await cells.all_inner_texts() == ["3 of 11", "4 of 11", "\u2013"]
        await expect(page.locator("#verdict")).to_have_text(
            "11 tasks are too few to say whether that is a change: it takes 60."
        )
        assert "%" not in await page.locator("#tile-evaluation").inner_text()


def test_pages_and_terminal_agree_on_how_many_are_enough():
    assert f"const ENOUGH = {ENOUGH_FOR_A_RATE};" in WORDS.read_text()


@pytest.mark.parametrize(("levels", "rows"), [(("easy",), 4), (("easy", "hard"), 6)])
async def test_a_level_alone_does_not_repeat_the_row_above(bare_chromium, tmp_path, levels, rows):
    iterations = [
        msgspec.structs.replace(one, train=None, learned=None) for one in course(37, 43, 125, levels) if one.evaluation
    ]
    async with opened(bare_chromium, reported(tmp_path, iterations)) as page:
        await expect(page.locator("#change tbody tr")).to_have_count(rows)
        await expect(page.locator("#section-levels")).to_have_count(int(len(levels) > 1))


async def test_the_own_run_comes_first_and_another_one_is_apart_on_the_same_scale(bare_chromium, tmp_path):
    other = Curve(RunFacts("nano at full length", 20, {"seed": "1"}), tuple(course(64, 77, 80)))
    own = [msgspec.structs.replace(one, train=None) for one in course(7, 9, 80)]
    async with opened(bare_chromium, reported(tmp_path, own, beside=other)) as page:
        await line(page, "beside", "evaluation")
        tops = {name: (await page.locator(f"#{name}").bounding_box())["y"] for name in (
            "section-change", "section-success", "section-beside", "section-attempts",
        )}  # fmt: skip
        assert sorted(tops, key=tops.__getitem__) == list(tops)
        heading = page.locator("#section-beside h2")
        await expect(heading).to_have_text("For comparison, another run: nano at full length seed 1")
        axes = [
            await page.locator(f"#{name} .tick[text-anchor=end]").all_text_contents()
            for name in ("chart-success", "chart-beside")
        ]
        assert axes[0] == axes[1]
        assert "100 %" in axes[0]
        await page.click("#smooth")  # redraws
        await expect(page.locator("#section-beside")).to_have_count(1)


async def test_a_file_says_nothing_of_what_is_to_come(bare_chromium, tmp_path):
    write_report(tmp_path / "report.html", run(6), RunFacts("demo", 40))  # nobody said that it is over
    async with opened(bare_chromium, (tmp_path / "report.html").as_uri()) as page:
        await line(page, "success", "train")
        text = await page.locator("main").inner_text()
        assert not re.search(r"\bleft\b|so far", text)


async def test_a_ring_is_where_the_agent_acted_and_an_arrow_where_it_scrolled(bare_chromium, tmp_path):
    steps = [
        ExampleStep(screenshot("Shop"), "Search issues", "Type \u201cARM-79\u201d and press Enter.", at=(0.25, 0.75)),
        ExampleStep(screenshot("Shop"), "Reply", "Scroll down.", path=((0.5, 0.3), (0.5, 0.7))),
        ExampleStep(screenshot("Shop"), "Done"),
    ]
    url = reported(tmp_path, run(3), examples=[ReportExample("Find it", "success", steps)])
    async with opened(bare_chromium, url) as page:
        step = page.locator(".step")
        await expect(step.nth(0).locator(".action bdi")).to_have_text("Search issues")
        await expect(step.nth(0).locator(".detail")).to_have_text("Type \u201cARM-79\u201d and press Enter.")
        for drawn in (".step .shot", "dialog.large .shot"):
            shot = page.locator(drawn).first
            image = await shot.locator("img").bounding_box()
            ring = await shot.locator(".ring .core").bounding_box()
            assert (ring["x"] + ring["width"] / 2 - image["x"]) / image["width"] == pytest.approx(0.25, abs=0.01)
            assert (ring["y"] + ring["height"] / 2 - image["y"]) / image["height"] == pytest.approx(0.75, abs=0.01)
            await page.locator(".step .shot").first.click(force=True)
        await page.keyboard.press("Escape")
        await expect(step.nth(1).locator(".arrow")).to_have_count(1)
        await expect(step.nth(1).locator(".ring")).to_have_count(0)
        await expect(step.nth(2).locator(".drawn")).to_have_count(0)


@pytest.mark.parametrize("viewport", [{"width": 1440, "height": 900}, PHONE])
async def test_a_strip_that_is_cut_off_says_so_and_can_be_moved(bare_chromium, tmp_path, viewport):
    steps = [ExampleStep(screenshot("Shop"), "go")]
    examples = [ReportExample("Long", "success", steps * 12), ReportExample("Short", "failure", steps)]
    async with opened(bare_chromium, reported(tmp_path, run(3), examples=examples), viewport=viewport) as page:
        long, short = page.locator(".strip").nth(0), page.locator(".strip").nth(1)
        before, after = long.get_by_label("Earlier steps"), long.get_by_label("Later steps")
        await expect(after).to_be_visible()
        await expect(before).to_be_hidden()
        await after.click()
        await expect(before).to_be_visible()
        await long.locator(".film").evaluate("film => film.scrollTo({ left: film.scrollWidth })")
        await expect(after).to_be_hidden()
        await expect(short.locator(".more:visible")).to_have_count(0)
