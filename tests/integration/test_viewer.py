"""The viewer in a real browser: everything it shows, by mouse, keyboard and link, and that none of it can act."""

from __future__ import annotations

import re
from contextlib import asynccontextmanager

import pytest
from playwright.async_api import Page, expect
from tests.unit.viewer.made_runs import META, SCRIPT, Scribe, task, write_run
from tests.unit.viewer.served import viewing

from webgym.records.action import Answer, Click, Navigate, Point, TypeText
from webgym.records.observation import NoChange, PageChange
from webgym.records.trajectory import Attempt, Failure, Success
from webgym.store.write import open_writer

pytestmark = [pytest.mark.anyio, pytest.mark.chromium]
expect.set_options(timeout=20_000)

WIDE, PHONE = {"width": 1280, "height": 800}, {"width": 390, "height": 844}


@pytest.fixture(scope="module")
async def viewer(anyio_backend, tmp_path_factory):
    folder = tmp_path_factory.mktemp("viewed")
    await write_run(folder / "base", "base", 4)
    await write_run(folder / "tuned", "tuned", 7, kind="rollout")
    async with viewing(folder) as served:
        yield served


@asynccontextmanager
async def opened(browser, link, **options):
    """The page behind a link; whatever it complains about fails the test."""
    context = await browser.new_context(**({"viewport": WIDE} | options))
    try:
        page = await context.new_page()
        complaints: list[str] = []
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("dialog", lambda dialog: complaints.append(f"dialog: {dialog.message}"))
        page.set_default_timeout(20_000)
        await page.goto(link)
        yield page
        assert complaints == []
    finally:
        await context.close()


@pytest.fixture
def at(viewer, bare_chromium):
    """at("#/run/base") → the page that this address shows."""
    return lambda where="#/", **options: opened(bare_chromium, viewer.link(where), **options)


async def hash_of(page: Page) -> str:
    return await page.evaluate("location.hash")


async def test_runs_are_listed_with_their_outcomes_and_their_success(at):
    async with at() as page:
        lines = page.locator(".runs > li")
        await expect(lines).to_have_count(2)
        base = lines.filter(has_text="base")
        await expect(base).to_contain_text("25.0 %")
        await expect(base).to_contain_text("10.2 % \u2013 49.5 %")
        await expect(base.locator(".outcomes")).to_have_attribute("aria-label", re.compile("Success 4, Failure 6"))
        await expect(base.locator(".tag")).to_have_text("eval")


async def test_the_token_does_not_stay_in_the_address(at):
    async with at("#/run/base") as page:
        await expect(page.locator("h1")).to_have_text("base")
        assert "token" not in page.url


async def test_a_run_tells_success_over_all_and_over_what_was_graded(at):
    async with at("#/run/tuned") as page:
        figures = page.locator(".figures .figure")
        await expect(figures.nth(0)).to_contain_text("all attempts")
        await expect(figures.nth(0)).to_contain_text("43.8 %")
        await expect(figures.nth(0)).to_contain_text("7 of 16")
        await expect(figures.nth(1)).to_contain_text("graded attempts")
        await expect(figures.nth(1)).to_contain_text("58.3 %")
        await expect(figures.nth(1)).to_contain_text("7 of 12")
        await expect(figures.nth(1)).to_contain_text("not lost to infrastructure")
        await expect(figures.nth(2)).to_contain_text("16 attempts")
        await expect(figures.nth(2)).to_contain_text("6.3 % blocked")


async def test_attempts_are_filtered_by_outcome_site_level_and_words(at):
    async with at("#/run/base") as page:
        rows = page.locator("table.rows tbody tr")
        await expect(rows).to_have_count(16)
        await page.get_by_role("group", name="Outcome").get_by_role("button", name="Failure").click()
        await expect(rows).to_have_count(6)
        await page.get_by_role("group", name="Level").get_by_role("button", name="hard").click()
        await expect(rows).to_have_count(2)
        await page.get_by_role("searchbox").fill("item 8")
        await expect(rows).to_have_count(1)
        assert await hash_of(page) == "#/run/base?outcome=failure&level=hard&text=item+8"
        await page.get_by_role("link", name="Clear").click()
        await expect(rows).to_have_count(16)
        await page.get_by_label("Site").select_option("harbor-post.test")
        await expect(rows).to_have_count(5)


async def test_words_can_be_typed_without_losing_the_place(at):
    async with at("#/run/base") as page:
        await page.locator("table.rows").wait_for()
        await page.keyboard.press("/")
        await page.keyboard.type("item 1")
        await expect(page.locator("table.rows tbody tr")).to_have_count(7)
        await expect(page.get_by_role("searchbox")).to_have_value("item 1")
        await expect(page.get_by_role("searchbox")).to_be_focused()


async def test_a_column_sorts_both_ways(at):
    async with at("#/run/base") as page:
        first = page.locator("table.rows tbody tr").first.locator("td.steps")
        await page.get_by_role("button", name="Steps").click()
        await expect(first).to_have_text("2")
        await page.get_by_role("button", name="Steps").click()
        await expect(first).to_have_text("12")


async def test_success_is_told_by_level_and_by_site(at):
    async with at("#/run/base/parts") as page:
        await expect(page.locator(".parts").nth(0).locator("tbody th")).to_have_text(["easy", "medium", "hard"])
        await expect(page.locator(".parts").nth(1).locator("tbody tr")).to_have_count(3)
        await page.get_by_role("link", name="harbor-post.test").click()
        await expect(page.locator("table.rows tbody tr")).to_have_count(5)


async def test_a_run_tells_how_it_was_started(at):
    async with at("#/run/base/about") as page:
        await expect(page.locator("main")).to_contain_text("webgym eval --name base")
        await expect(page.locator("pre")).to_contain_text('model = "qwen3-vl-8b"')


async def test_a_film_strip_shows_every_step_and_the_end(at):
    async with at("#/run/base/attempt/0000-0") as page:
        frames = page.locator(".film .frame")
        await expect(frames).to_have_count(len(SCRIPT) + 1)
        await expect(frames.last).to_contain_text("End")
        await frames.nth(5).click()
        await expect(page.locator(".panel h2")).to_have_text("Step 6")
        assert await hash_of(page) == "#/run/base/attempt/0000-0?step=6"


@pytest.mark.parametrize(
    ("step", "shape", "words"),
    [
        (1, "circle.line", "click mark 2"),
        (2, "circle.line", "type “steel mug, 0.5 l” ⏎"),
        (3, ".arrow line.line", "scroll down 420"),
        (4, None, "No action in this response"),
        (5, ".hover circle.line", "hover (300, 470)"),
        (6, ".arrow polygon", "drag (240, 460) → (900, 640)"),
        (8, None, "Control + f"),
        (10, None, "go to http://lumen-outfitters.test/basket"),
        (12, None, "answer “Two blue steel mugs, 38.00 in all”"),
    ],
)
async def test_the_action_is_drawn_on_the_screenshot(at, step, shape, words):
    async with at(f"#/run/base/attempt/0000-0?step={step}") as page:
        stage = page.locator(".stage")
        await expect(stage.locator(".bubble")).to_have_text(words)
        if shape is None:
            await expect(stage.locator("svg *")).to_have_count(0)
        else:
            await expect(stage.locator(f"svg {shape}")).to_have_count(1)


async def test_a_click_is_drawn_where_it_was_made_and_around_what_it_hit(at):
    async with at("#/run/base/attempt/0000-0") as page:
        shown = await page.locator(".stage img").bounding_box()
        target = await page.locator(".stage svg .target").bounding_box()
        ring = await page.locator(".stage svg circle.line").bounding_box()
        scale = shown["width"] / 1280
        assert target["x"] - shown["x"] == pytest.approx(520 * scale, abs=3)
        assert target["y"] - shown["y"] == pytest.approx(300 * scale, abs=3)
        assert ring["x"] + ring["width"] / 2 - shown["x"] == pytest.approx(640 * scale, abs=3)
        await page.keyboard.press("a")
        await expect(page.locator(".stage svg")).to_have_count(0)


async def test_a_step_keeps_thought_action_memory_effect_time_and_tokens_apart(at):
    async with at("#/run/base/attempt/0000-0?step=7") as page:
        panel = page.locator(".panel")
        await expect(panel.locator(".sentence")).to_have_text("Choose the blue one")
        await expect(panel.locator("[data-block=thought] pre")).to_contain_text("further down")
        await expect(panel.locator("[data-block=memory] pre")).to_have_text("2 mugs wanted, blue")
        await expect(panel.locator(".effect")).to_have_text("Failed: no such option · no option Blue")
        await expect(panel.locator("[data-block=tokens]")).to_contain_text("2,100 in, 64 out")
        await expect(panel.locator(".timebar")).to_have_attribute(
            "aria-label", re.compile(r"Browser 450 ms.*Model 1.4 s")
        )


async def test_a_reply_without_an_action_says_what_is_wrong_with_it(at):
    async with at("#/run/base/attempt/0000-0?step=4") as page:
        await expect(page.locator(".problem")).to_have_text(
            "Malformed: bad json. The call is not JSON; write one object."
        )


async def test_prompt_and_response_are_shown_with_their_pictures(at):
    async with at("#/run/base/attempt/0000-0?step=2&tab=prompt") as page:
        await expect(page.locator(".message.system pre")).to_contain_text("You use a web browser")
        await expect(page.locator(".message.reply pre")).to_contain_text('{"step": 2}')
        picture = page.locator(".message.user img")
        await expect(picture).to_have_js_property("complete", True)
        assert await picture.evaluate("image => image.decode().then(() => image.naturalWidth)") == 400


async def test_the_verdict_says_of_each_fact_whether_it_holds(at):
    async with at("#/run/base/attempt/0004-0?tab=verdict") as page:
        facts = page.locator(".rubric li")
        await expect(facts).to_have_count(4)
        await expect(page.locator(".rubric .missed")).to_have_text(re.compile("Fact 4.3 about the basket"))
        await expect(page.locator(".answer")).to_have_text("Two mugs")
        await expect(page.get_by_role("tab", name="Verdict")).to_have_text("Verdict 3/4")


async def test_lost_tries_are_told(at):
    async with at("#/run/base/attempt/0013-0?tab=verdict") as page:
        await expect(page.locator(".panel")).to_contain_text("session_lost: the node fell silent (2 steps, 8.0 s)")


async def test_why_it_failed_leads_to_the_attempts_that_did(at):
    async with at("#/run/base/failures") as page:
        kinds = page.locator("[data-reason=outcome] li")
        await expect(kinds.first).to_contain_text("Failure")
        await expect(page.locator(".card")).to_have_count(6)
        await page.locator("[data-reason=last] li").filter(has_text="Hover").get_by_role("link", name="Hover").click()
        await expect(page.locator("table.rows tbody tr")).to_have_count(7)
        await page.go_back()
        await page.locator("[data-reason=site] li").first.locator(".examples a").first.click()
        await expect(page.locator(".film .frame").first).to_be_visible()


async def test_two_runs_are_chosen_and_compared_task_by_task(at):
    async with at() as page:
        await page.get_by_label("Compare base").check()
        await page.get_by_label("Compare tuned").check()
        await page.get_by_role("button", name="Compare two").click()
        await expect(page.locator(".figures")).to_contain_text("+25.0 points")
        await page.get_by_role("button", name="Gained").click()
        rows = page.locator("table.pairs tbody tr")
        await expect(rows).to_have_count(3)
        await rows.first.click()
        columns = page.locator(".column")
        await expect(columns.nth(0).locator(".badge").first).to_contain_text("Failure")
        await expect(columns.nth(1).locator(".badge").first).to_contain_text("Success")
        await page.keyboard.press("ArrowRight")
        for column in (0, 1):
            await expect(columns.nth(column).locator("h2")).to_have_text("Step 2")


async def test_a_link_shows_someone_else_the_same_thing(at):
    async with at("#/run/base") as page:
        await page.get_by_role("group", name="Outcome").get_by_role("button", name="Failure").click()
        await page.locator("table.rows tbody tr").nth(2).click()
        await page.locator(".film .frame").nth(1).click()
        await page.get_by_role("tab", name="Prompt").click()
        await expect(page.locator(".message.user")).to_be_visible()
        where, shown = await hash_of(page), await page.locator("h1").inner_text()
    async with at(where) as other:
        await expect(other.locator("h1")).to_have_text(shown)
        await expect(other.get_by_role("tab", name="Prompt")).to_have_attribute("aria-selected", "true")
        await expect(other.locator(".frame[aria-selected=true]")).to_contain_text("2")
        await expect(other.locator(".attempthead")).to_contain_text("3 of 6")


async def test_everything_can_be_reached_by_keyboard(at):
    async with at("#/run/base?outcome=failure") as page:
        await expect(page.locator("table.rows tbody tr")).to_have_count(6)
        await page.keyboard.press("j")
        await page.keyboard.press("j")
        await page.keyboard.press("Enter")
        await expect(page.locator(".attempthead")).to_contain_text("2 of 6")
        await page.keyboard.press("ArrowRight")
        await expect(page.locator(".panel h2")).to_have_text("Step 2")
        await page.keyboard.press("j")
        await expect(page.locator(".attempthead")).to_contain_text("3 of 6")
        await page.keyboard.press("3")
        await expect(page.locator(".rubric").first).to_be_visible()
        await page.keyboard.press("?")
        await expect(page.get_by_role("dialog")).to_contain_text("Next attempt")
        await page.keyboard.press("Escape")
        await expect(page.get_by_role("dialog")).to_have_count(0)
        await page.keyboard.press("Escape")
        await expect(page.locator("table.rows tbody tr")).to_have_count(6)
        await page.keyboard.press("Escape")
        await expect(page.locator(".runs > li")).to_have_count(2)


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", [WIDE, PHONE], ids=["wide", "phone"])
async def test_no_page_is_wider_than_the_window(at, size, scheme):
    for where in ("#/", "#/run/base", "#/run/base/failures", "#/run/base/parts", "#/run/base/attempt/0000-0?step=6",
                  "#/compare/base/tuned", "#/compare/base/tuned/task/task-0004"):  # fmt: skip
        async with at(where, viewport=size, color_scheme=scheme) as page:
            await page.locator("main > *").first.wait_for()
            assert await page.evaluate("document.documentElement.scrollWidth") <= size["width"]


async def test_light_and_dark_follow_the_system_until_one_is_chosen(at):
    background = "getComputedStyle(document.body).backgroundColor"
    async with at(color_scheme="dark") as page:
        dark = await page.evaluate(background)
        await page.keyboard.press("t")
        light = await page.evaluate(background)
        assert dark != light
        await page.reload()
        assert await page.evaluate(background) == light


async def test_a_live_run_grows_in_the_page_by_itself(bare_chromium, tmp_path):
    async with open_writer(tmp_path / "now", META) as writer, viewing(tmp_path) as served:
        scribe = Scribe(writer)
        await scribe.attempt(Attempt("first", task(1)), Success())
        async with opened(bare_chromium, served.link("#/run/now")) as page:
            await expect(page.locator(".tag.live")).to_be_visible()
            await expect(page.locator("table.rows tbody tr")).to_have_count(1)
            await scribe.attempt(Attempt("second", task(2)), Failure("no"))
            await expect(page.locator("table.rows tbody tr")).to_have_count(2)
            await expect(page.locator(".figures")).to_contain_text("2 attempts")


async def test_an_unfinished_attempt_grows_in_the_page_by_itself(bare_chromium, tmp_path):
    async with open_writer(tmp_path / "now", META) as writer, viewing(tmp_path) as served:
        scribe, attempt = Scribe(writer), Attempt("slow", task(1))
        await scribe.attempt(attempt, None)
        await scribe.attempt(Attempt("quick", task(2)), Success())
        async with opened(bare_chromium, served.link("#/run/now/attempt/slow")) as page:
            await expect(page.locator(".film .frame")).to_have_count(3)
            await scribe.attempt(attempt, Success(), SCRIPT, answer="done")
            await expect(page.locator(".film .frame")).to_have_count(len(SCRIPT) + 1)
            await expect(page.locator(".attempthead .badge")).to_have_text(re.compile("Success"))


async def test_a_server_that_is_gone_is_told_and_found_again(bare_chromium, viewer):
    async with opened(bare_chromium, viewer.link()) as page:
        await expect(page.locator(".runs > li")).to_have_count(2)
        await page.route("**/api/**", lambda route: route.abort())
        await page.locator(".runs a.run").first.click()
        await expect(page.get_by_role("alert")).to_contain_text("cannot be reached")
        await page.unroute("**/api/**")
        await page.get_by_role("button", name="Try again").click()
        await expect(page.locator("table.rows")).to_be_visible()


HOSTILE = (
    "<img src=x onerror=\"window.pwned='{0}'\"><script>window.pwned='{0}'</script>"
    "\"'><svg onload=window.pwned=1>\u202e{0}"
)
ADDRESS = "javascript:window.pwned='url'//\"><script>window.pwned='url'</script>"
HOSTILE_SCRIPT = (
    (Click(Point(-5000, 99999)), HOSTILE.format("sentence"), PageChange((HOSTILE.format("what"),))),
    (TypeText(HOSTILE.format("typed"), Point(10, 10)), HOSTILE.format("sentence"), NoChange(HOSTILE.format("effect"))),
    (Navigate(ADDRESS), HOSTILE.format("sentence"), NoChange()),
    (None, "", NoChange()),
    (Answer(HOSTILE.format("answer")), HOSTILE.format("sentence"), NoChange()),
)


@pytest.fixture
async def hostile(tmp_path):
    """A run in which everything that a page, a model or a task says tries to run."""
    name = HOSTILE.format("id")
    evil = Attempt(name, task(1, instruction=HOSTILE.format("instruction")), group=HOSTILE.format("group"))
    words = {
        "answer": HOSTILE.format("answer"),
        "title": HOSTILE.format("title"),
        "url": ADDRESS,
        "reply": HOSTILE.format("reply"),
    }
    async with open_writer(tmp_path / "evil", META) as writer:
        await Scribe(writer).attempt(evil, Failure(HOSTILE.format("why")), HOSTILE_SCRIPT, **words)
        wrong = b"\xff\xd8\xff<script>window.pwned='picture'</script>"
        await Scribe(writer).attempt(Attempt("wrong-bytes", task(2)), Success(), picture=wrong)
    async with viewing(tmp_path) as served:
        yield served


async def test_nothing_that_pages_models_or_tasks_say_is_run(bare_chromium, hostile):
    async with opened(bare_chromium, hostile.link("#/run/evil")) as page:
        row = page.locator("table.rows tbody tr").first
        await expect(row).to_contain_text("<script>window.pwned='instruction'</script>")
        await row.click()
        for step in range(6):
            for key in ("1", "2", "3"):
                await page.keyboard.press(key)
                await expect(page.locator(".panel [role=tab][aria-selected=true]")).to_be_visible()
            await expect(page.locator(".film .frame")).to_have_count(6)
            if step == 1:
                await page.keyboard.press("1")
                await expect(page.locator("[data-block=thought]")).to_contain_text(
                    "<script>window.pwned='reply'</script>"
                )
                await expect(page.locator("dl.facts").first).to_contain_text(ADDRESS)
                await page.keyboard.press("2")
                await expect(page.locator(".message.user pre")).to_contain_text(
                    "<script>window.pwned='instruction'</script>"
                )
            await page.keyboard.press("ArrowRight")
        await page.goto(hostile.link("#/run/evil/failures"))
        await expect(page.locator("[data-reason=detail]")).to_contain_text("<script>window.pwned='why'</script>")
        await page.goto(hostile.link("#/compare/evil/evil"))
        await expect(page.locator("table.pairs tbody tr")).to_have_count(2)
        await page.locator("table.pairs tbody tr").filter(has_text="pwned").click()
        await expect(page.locator(".column")).to_have_count(2)
        assert await page.evaluate("window.pwned === undefined")
        assert await page.locator("img[src='x'], main script, main svg[onload]").count() == 0
        hrefs = await page.locator("a").evaluate_all("links => links.map(link => link.getAttribute('href'))")
        assert all(href.startswith(("#", "/api/picture?")) for href in hrefs)


async def test_even_markup_that_slipped_in_would_not_run(bare_chromium, hostile):
    async with opened(bare_chromium, hostile.link()) as page:
        await page.locator(".runs").wait_for()
        tried = await page.evaluate(
            """() => {
              const tried = [];
              try { document.body.innerHTML += "<b>markup</b>"; tried.push("markup was parsed"); } catch { }
              const inline = document.createElement("script");
              try { inline.text = "window.pwned = 'inline'"; document.body.append(inline); } catch { }
              const image = document.createElement("img");
              try { image.setAttribute("onerror", "window.pwned = 'handler'"); } catch { }
              image.src = "/static/none.png";
              document.body.append(image);
              return new Promise((done) => image.addEventListener("error", () => setTimeout(() => done(tried))));
            }"""
        )
        assert tried == []
        assert await page.evaluate("window.pwned === undefined")


async def test_a_screenshot_with_wrong_bytes_breaks_nothing(bare_chromium, hostile):
    async with opened(bare_chromium, hostile.link("#/run/evil/attempt/wrong-bytes")) as page:
        await expect(page.locator(".stage .missing")).to_have_text("This screenshot cannot be displayed")
        await expect(page.locator(".film .frame .missing")).to_have_count(3)
        await expect(page.locator(".panel .sentence")).to_have_text("Open the list of travel mugs")
        await page.keyboard.press("End")
        await expect(page.locator(".stage img")).to_be_visible()


async def test_nothing_is_fetched_from_elsewhere(bare_chromium, viewer):
    asked: list[str] = []
    context = await bare_chromium.new_context(viewport=WIDE)
    try:
        page = await context.new_page()
        page.on("request", lambda request: asked.append(request.url))
        await page.goto(viewer.link("#/run/base/attempt/0000-0?tab=prompt"))
        await expect(page.locator(".message.user img")).to_be_visible()
    finally:
        await context.close()
    assert asked
    assert all(url.startswith(viewer.base) for url in asked)
