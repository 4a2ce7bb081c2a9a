"""A training run in the viewer, in a real browser: what it changed, its groups, and the evaluations it leads to."""

from __future__ import annotations

import re

import pytest
from playwright.async_api import expect
from tests.integration.contrast import least_contrast
from tests.integration.test_viewer import PHONE, WIDE, hash_of, opened
from tests.unit.viewer.made_runs import META, Scribe, task, write_run
from tests.unit.viewer.made_training import write_training
from tests.unit.viewer.served import viewing

from webgym.records.trajectory import Attempt, Failure, Success, Truncation
from webgym.store.write import open_writer

pytestmark = [pytest.mark.anyio, pytest.mark.chromium]
expect.set_options(timeout=20_000)


@pytest.fixture(scope="module")
async def viewer(anyio_backend, tmp_path_factory):
    folder = tmp_path_factory.mktemp("viewed")
    await write_training(folder / "trained")
    await write_run(folder / "base", "base", 4)
    async with viewing(folder) as served:
        yield served


@pytest.fixture
def at(viewer, bare_chromium):
    return lambda where="#/", **options: opened(bare_chromium, viewer.link(where), **options)


async def test_the_list_shows_unseen_websites_before_and_after_and_names_the_figure_of_training(at):
    async with at() as page:
        line = page.locator(".runs > li").filter(has_text="trained")
        await expect(page.locator(".runs > li")).to_have_count(2)
        await expect(line.locator(".rate")).to_contain_text("33.3 % → 66.7 %")
        await expect(line.locator(".rate")).to_contain_text("unseen websites, before training → after iteration 2")
        await expect(line.locator(".bar")).to_contain_text("40 training attempts, 50.0 % solved")
        await line.get_by_role("link").click()
        await expect(page.get_by_role("link", name="Groups")).to_have_attribute("aria-current", "page")


async def test_a_training_run_shows_what_it_changed_and_leads_to_its_evaluations(at):
    async with at("#/run/trained") as page:
        figures = page.locator(".figures .figure")
        await expect(figures.nth(0).locator(".value")).to_have_text("33.3 % → 66.7 %")
        await expect(figures.nth(0).locator(".change")).to_have_text(
            "+33.3 points on 6 tasks (95 % CI \u221220.8 to +70.8): chance alone explains that"
        )
        await expect(figures.nth(0).locator(".change")).to_have_attribute("class", "change")
        await expect(figures.nth(1)).to_contain_text("Success · training attempts")
        await expect(figures.nth(1)).to_contain_text("tasks that the curriculum chose")
        evaluations = page.get_by_role("navigation", name="Evaluations").get_by_role("link")
        await expect(evaluations).to_have_count(2)
        await evaluations.filter(has_text="After iteration 2").click()
        await expect(page.locator("h1")).to_have_text("trained, evaluation 2")
        await expect(page.locator("table.rows tbody tr")).to_have_count(6)
        await expect(evaluations.filter(has_text="After iteration 2")).to_have_attribute("aria-current", "page")
        await page.keyboard.press("Escape")
        await expect(page.locator("h1")).to_have_text("trained")
        await page.get_by_role("link", name="Compare before and after").click()
        await expect(page.locator("table.pairs thead")).to_contain_text("trained, evaluation 0")
        await expect(page.locator(".figures")).to_contain_text("2 tasks gained, 0 lost")


async def test_attempts_stand_in_groups_with_rewards_and_advantages(at):
    async with at("#/run/trained/groups") as page:
        groups = page.locator("li.grouprow")
        await expect(groups).to_have_count(5)
        await expect(page.locator(".iteration h2").nth(2)).to_have_text("Iteration 1 weights of version 0")
        await page.get_by_role("group", name="What became of it").get_by_role("button", name="Learned from").click()
        await expect(groups).to_have_count(1)
        await expect(groups).to_contain_text("7 of 8 solved")
        await expect(groups).to_contain_text("quietbrookpress · easy")
        attempts = groups.locator(".member")
        await expect(attempts).to_have_count(8)
        await expect(attempts.nth(0)).to_have_text("✓1+0.38")
        await expect(attempts.nth(7)).to_have_text("…0\u22122.65")
        await expect(attempts.nth(7)).to_have_accessible_name(
            "Attempt 8: Truncated, reward 0, advantage \u22122.65, 3 steps"
        )
    async with at("#/run/trained/groups?fate=kept") as page:
        await expect(page.locator("li.grouprow")).to_have_count(1)
        await page.keyboard.press("j")
        await page.keyboard.press("Enter")
        await expect(page.locator("table.rows tbody tr")).to_have_count(8)


async def test_an_attempt_shows_the_others_of_its_group(at):
    async with at("#/run/trained/groups?fate=kept") as page:
        await page.locator(".member").nth(7).click()
        line = page.locator(".groupline")
        await expect(line).to_contain_text("Iteration 1")
        await expect(line).to_contain_text("weights of version 0 · 7 of 8 solved · Learned from")
        await expect(line.locator("[aria-current]")).to_have_accessible_name(re.compile("Attempt 8: Truncated"))
        await expect(page.locator(".attempthead")).to_contain_text("8 of 8")
        await page.keyboard.press("k")
        await expect(line.locator("[aria-current]")).to_have_accessible_name(re.compile("Attempt 7: Success"))
        assert "attempt/00001%2F0000%2Ftask-0001%2F6" in await hash_of(page)


async def test_an_attempt_cut_off_although_all_facts_hold_says_why_it_has_no_reward(at):
    words = "out of steps: all facts hold, but it gave no answer, so no reward"
    async with at("#/run/trained?outcome=truncated") as page:
        row = page.locator("table.rows tbody tr")
        await expect(row).to_have_count(1)
        await expect(row.locator("td.facts")).to_have_text("2/2")
        await expect(row).to_contain_text(words)
        await row.click()
        await page.locator(".film .frame").first.wait_for()
        await page.keyboard.press("3")
        await expect(page.locator(".panel .sentence")).to_have_text(words)


async def test_sites_are_named_without_the_ending_that_all_of_them_have(at):
    for where in ("#/run/trained", "#/run/trained/groups", "#/run/trained/parts", "#/run/trained/failures",
                  "#/compare/trained/trained"):  # fmt: skip
        async with at(where) as page:
            await expect(page.locator("main")).to_contain_text("quietbrookpress")
            assert "quietbrookpress.localhost" not in await page.locator("main").inner_text()
    async with at("#/run/trained") as page:
        await page.get_by_label("Site", exact=True).select_option("quietbrookpress.localhost")
        await expect(page.locator("table.rows tbody tr")).to_have_count(40)


async def test_two_rates_are_shown_only_where_they_differ(bare_chromium, tmp_path):
    async with open_writer(tmp_path / "graded", META) as writer:
        for number, outcome in enumerate((Success(), Failure("no"), Truncation("steps"))):
            await Scribe(writer).attempt(Attempt(f"{number}", task(number)), outcome)
    async with viewing(tmp_path) as served, opened(bare_chromium, served.link("#/run/graded")) as page:
        await expect(page.locator(".figures .figure")).to_have_count(2)
        await expect(page.locator(".figures .value")).to_have_text(["33.3 %"])
        await expect(page.locator(".figures")).to_contain_text("Every finished attempt was graded.")


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", [WIDE, PHONE], ids=["wide", "phone"])
async def test_it_fits_and_its_words_stand_out(at, size, scheme):
    for where in ("#/", "#/run/trained", "#/run/trained/groups", "#/run/trained/attempt/00001%2F0000%2Ftask-0001%2F7",
                  "#/run/base", "#/compare/base/base"):  # fmt: skip
        async with at(where, viewport=size, color_scheme=scheme) as page:
            await page.locator("main > *").first.wait_for()
            assert await page.evaluate("document.documentElement.scrollWidth") <= size["width"]
            assert await least_contrast(page) >= 4.5, where
