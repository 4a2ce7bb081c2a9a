"""Overruling a judge in a real browser: what is seen, said, kept, shown again and read by calibration."""

from __future__ import annotations

import re
from contextlib import asynccontextmanager
from pathlib import Path
from urllib.parse import quote

import pytest
from playwright.async_api import expect
from tests.judged_runs import QUALITY, SIDE, cases, store
from tests.unit.viewer.made_runs import META, SCRIPT, Scribe
from tests.unit.viewer.made_verdicts import ALL_SUPPORTED, MUGS, rubric_verdict, write_judged
from tests.unit.viewer.served import viewing

from webgym.judge.calibration.compare import CalibrationCase as Judged
from webgym.judge.calibration.figures import calibration
from webgym.judge.calibration.labelled import known
from webgym.judge.labels.truth import said
from webgym.llm.config import ModelConfig
from webgym.records.judgement import Judgement
from webgym.records.label import FactRef, Label
from webgym.records.trajectory import Attempt, Ending, Success
from webgym.records.verdict import Verdict, fact_verdict
from webgym.run.config import JudgeConfig
from webgym.run.judging.judgement_log import read_judgements
from webgym.run.judging.rerun import Rejudging, judge_again
from webgym.store.labels import append_label, labels_path, read_labels
from webgym.store.meta import RunMeta
from webgym.store.read import open_run
from webgym.store.write import open_writer
from webgym.testing.judge_cases import JudgeCase
from webgym.testing.vlm import ScriptedVlm, serving_vlm
from webgym.testing.vlm_world import World

pytestmark = [pytest.mark.anyio, pytest.mark.chromium]
expect.set_options(timeout=20_000)

WIDE, PHONE = {"width": 1280, "height": 800}, {"width": 390, "height": 844}
FOOLED = "#/run/judged/attempt/fooled?tab=verdict"
NOTE = "The page of the item says 0.4 l.\nThe judge read the mug beside it."


@pytest.fixture(scope="module")
async def folder(anyio_backend, tmp_path_factory):
    made = tmp_path_factory.mktemp("relabelled")
    await write_judged(made / "judged")
    return made


@pytest.fixture(scope="module")
async def served(folder):
    async with viewing(folder, "ann") as viewer:
        yield viewer


@pytest.fixture
def labels(folder):
    """Where labels will be; none are there yet."""
    path = labels_path(folder / "judged")
    path.unlink(missing_ok=True)
    return path


@asynccontextmanager
async def opened(browser, link, **options):
    """The page behind a link; whatever it complains about fails the test."""
    context = await browser.new_context(**({"viewport": WIDE} | options))
    try:
        page = await context.new_page()
        complaints: list[str] = []
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.set_default_timeout(20_000)
        await page.goto(link)
        yield page
        assert complaints == []
    finally:
        await context.close()


async def test_the_matrix_shows_each_fact_each_screenshot_and_what_a_verdict_rests_on(bare_chromium, served, labels):
    async with opened(bare_chromium, served.link("#/run/judged/attempt/missed?tab=verdict&fact=1.2")) as page:
        matrix = page.get_by_role("table", name="Facts by screenshots")
        await expect(matrix.locator("thead th")).to_have_count(len(SCRIPT) + 1)
        await expect(matrix.locator("thead th").last).to_contain_text("End")
        await expect(matrix.locator("tr[data-fact]")).to_have_count(7)  # six facts and a claim of the answer
        await expect(matrix.locator(".section")).to_have_text(
            ["The right item", "The basket", "The answer", "Claims in the final answer"]
        )
        signs = matrix.locator("tr[data-fact] th .sign")
        for place, name in enumerate(("Supported", "Supported", "Contradicted", "Not shown", "Supported", "Supported")):
            await expect(signs.nth(place)).to_have_attribute("aria-label", name)
        row = matrix.locator("tr[data-fact='1.2']")
        await expect(row.locator("td")).to_have_count(len(SCRIPT) + 1)
        rests = row.locator(".cell.rests")
        await expect(rests).to_have_count(2)
        await expect(rests.first).to_have_attribute(
            "aria-label", "5: relevance 3 of 3: full evidence; cited for the verdict “Contradicted”"
        )
        await expect(matrix.locator("tr[data-fact='2.0'] .cell.rests")).to_have_count(0)
        panel = page.locator(".panel")
        await expect(panel.locator("li.at")).to_contain_text("Screenshot 5 says so.")
        await expect(panel.locator(".evidence button")).to_have_count(2)
        await expect(panel).to_contain_text("Judged by rubric:qwen3-vl-32b")
        await expect(panel.locator(".word")).to_have_count(0)  # this link only shows


async def test_a_cell_opens_its_screenshot_large_with_the_step_it_belongs_to(bare_chromium, served, labels):
    async with opened(bare_chromium, served.link(FOOLED)) as page:
        await page.locator("tr[data-fact='1.0'] .cell.rests").first.click()
        large = page.get_by_role("dialog", name="Screenshot")
        await expect(large.locator("h2")).to_have_text("Step 3")
        await expect(large).to_contain_text("Look further down")
        await expect(large).to_contain_text("The mug that was chosen is made of steel")
        await expect(large.locator("svg .arrow")).to_have_count(1)  # the scroll, drawn where it was made
        image = large.locator("img")
        assert await image.evaluate("image => image.decode().then(() => image.naturalWidth)") == 1280
        assert (await image.bounding_box())["width"] > 900
        await page.keyboard.press("ArrowRight")
        await expect(large.locator("h2")).to_have_text("Step 4")
        await page.keyboard.press("Escape")
        await expect(large).to_have_count(0)
        await expect(page.locator(".matrix tr.at")).to_have_attribute("data-fact", "1.0")
        await page.locator("tr[data-fact='1.0'] .cell.rests").first.click()
        await large.get_by_role("button", name="Go to step").click()
        await expect(page.locator(".panel h2")).to_have_text("Step 3")
        await expect(page.locator(".film .frame[aria-selected=true]")).to_contain_text("3")


async def test_a_verdict_is_overruled_with_a_note_and_calibration_reads_it(bare_chromium, served, labels):
    async with opened(bare_chromium, served.label_link(FOOLED)) as page:
        assert "label" not in page.url.partition("#")[0]
        await page.locator("tr[data-fact='1.1'] .rowbutton").click()
        fact = page.locator(".panel li[data-fact='1.1']")
        await fact.get_by_role("button", name="Contradicted", exact=True).click()
        note = fact.get_by_label("Note")
        await expect(note).to_be_focused()
        await expect(fact.get_by_role("button", name="Overrule")).to_be_disabled()
        await note.fill(NOTE)
        await fact.get_by_role("button", name="Overrule").click()
        await expect(fact.locator(".labels")).to_contain_text("You: Contradicted, the judge: Supported")
        whole = page.locator(".panel .whole")
        await whole.get_by_role("button", name="Failure", exact=True).click()
        await whole.get_by_label("Note").fill("One fact does not hold.")
        await page.keyboard.press("Enter")
        await expect(page.locator(".attempthead .instead")).to_have_text("Failure")

        await page.reload()
        await expect(fact.locator(".note")).to_have_text(NOTE)
        await expect(page.locator(".matrix tr.overruled")).to_have_attribute("data-fact", "1.1")
        await expect(page.locator(".matrix tr.overruled .instead")).to_have_text("Contradicted")
        await expect(page.locator(".attempthead .badge")).to_contain_text("Success")
        await expect(page.locator(".attempthead .instead")).to_have_text("Failure")

    kept = read_labels(labels)
    assert [(one.verdict, one.about, one.who, one.overruled) for one in kept] == [
        ("contradicted", FactRef(1, 1), "ann", "supported"),
        ("failure", None, "ann", "success"),
    ]
    assert kept[0].note == NOTE
    truth = said(kept)["fooled"]
    assert (truth.success, truth.facts) == (False, {(1, 1): False})


async def test_what_was_said_can_be_taken_back_and_said_anew(bare_chromium, served, labels):
    async with opened(bare_chromium, served.label_link(f"{FOOLED}&fact=1.0")) as page:
        fact = page.locator(".panel li[data-fact='1.0']")
        await fact.get_by_role("button", name="Not shown", exact=True).click()
        await fact.get_by_label("Note").fill("only in the picture")
        await fact.get_by_role("button", name="Overrule").click()
        await fact.get_by_role("button", name="Withdraw").click()
        await expect(fact.locator(".instead")).to_have_count(0)
        await expect(page.locator(".matrix tr.overruled")).to_have_count(0)
        await fact.get_by_role("button", name="Supported", exact=True).click()  # agreeing takes no note
        await expect(fact.locator("ul.labels").first).to_contain_text("You: Supported")
        await fact.locator("summary").click()
        await expect(fact.locator(".past")).to_contain_text(["You: Not shown", "You: Withdrawn"])
    assert [one.verdict for one in read_labels(labels)] == ["not_shown", "withdrawn", "supported"]
    assert said(read_labels(labels))["fooled"].facts == {(1, 0): True}


async def test_everything_can_be_done_with_the_keyboard(bare_chromium, served, labels):
    async with opened(bare_chromium, served.label_link("#/run/judged")) as page:
        await expect(page.locator("table.rows tbody tr")).to_have_count(5)
        await page.keyboard.press("j")
        await page.keyboard.press("Enter")
        await expect(page.locator(".film .frame")).to_have_count(len(SCRIPT) + 1)
        await page.keyboard.press("3")
        await expect(page.locator(".panel .whole.at")).to_be_visible()
        await page.keyboard.press("ArrowDown")
        await page.keyboard.press("ArrowDown")
        await expect(page.locator(".matrix tr.at")).to_have_attribute("data-fact", "1.1")
        await page.keyboard.press("ArrowRight")
        await page.keyboard.press("Enter")
        await expect(page.get_by_role("dialog").locator("h2")).to_have_text("Step 1")
        await page.keyboard.press("Escape")
        await expect(page.get_by_role("dialog")).to_have_count(0)
        await page.keyboard.press("c")
        await page.keyboard.type("it says 0.4 l")
        await page.keyboard.press("Enter")
        await expect(page.locator(".panel li.at .instead")).to_have_text("Contradicted")
        await page.keyboard.press("z")
        await expect(page.locator(".panel li.at .instead")).to_have_count(0)
        await page.keyboard.press("y")
        await expect(page.locator(".panel li.at ul.labels").first).to_contain_text("You: Supported")
        await page.keyboard.press("?")
        help_ = page.get_by_role("dialog", name="Keyboard shortcuts")
        await expect(help_).to_contain_text("Agree with the judge")
        await expect(help_).to_contain_text("Next attempt")
        await page.keyboard.press("Escape")
        await page.keyboard.press("j")  # the next attempt is looked at in the same way
        await expect(page.locator(".attempthead")).to_contain_text("2 of 5")
        await expect(page.locator(".panel .whole.at")).to_be_visible()
        await page.keyboard.press("s")
        await page.keyboard.type("both facts are on the last page")
        await page.keyboard.press("Escape")  # thought better of it
        await expect(page.locator(".saynote")).to_have_count(0)
    assert [(one.attempt_id, one.verdict) for one in read_labels(labels)] == [
        ("fooled", "contradicted"),
        ("fooled", "withdrawn"),
        ("fooled", "supported"),
    ]


async def test_a_key_right_after_a_large_screenshot_closed_is_the_pages(bare_chromium, served, labels):
    async with opened(bare_chromium, served.label_link(f"{FOOLED}&fact=1.1")) as page:
        await page.locator("tr[data-fact='1.1'] .cell").first.click()
        large = page.get_by_role("dialog", name="Screenshot")
        await expect(large).to_be_visible()
        await page.keyboard.press("Escape")
        await expect(large).to_have_count(0)
        # What had the focus in it may still have it when the next key comes.
        await page.locator("dialog.large button").first.dispatch_event("keydown", {"key": "c", "bubbles": True})
        await expect(page.locator(".saynote textarea")).to_be_focused()


async def test_the_list_shows_what_was_overruled_and_where_words_differ(bare_chromium, served, labels):
    for who, word in (("ann", "failure"), ("ben", "failure")):
        append_label(labels, Label("fooled", word, who, 1.0, None, "no", "success"))
    append_label(labels, Label("missed", "supported", "ann", 2.0, FactRef(1, 2), "it is blue", "contradicted"))
    append_label(labels, Label("plain", "success", "ann", 3.0, None, "", "success"))
    append_label(labels, Label("plain", "failure", "ben", 4.0, None, "not the right one", "success"))
    async with opened(bare_chromium, served.link("#/run/judged")) as page:
        rows = page.locator("table.rows tbody tr")
        await expect(rows.nth(0).locator(".badge")).to_contain_text("Success")
        await expect(rows.nth(0).locator(".instead")).to_have_text("Failure")
        await expect(rows.nth(1).locator(".hint")).to_have_text("1 fact overruled")
        await expect(rows.nth(3).locator(".hint")).to_have_text("people disagree")
        await expect(rows.nth(4).locator(".hint")).to_have_text("judges disagree")
        chips = page.get_by_role("group", name="Labels")
        await chips.get_by_role("button", name="Overruled").click()
        await expect(rows).to_have_count(3)
        await chips.get_by_role("button", name="Overruled").click()
        await chips.get_by_role("button", name="Disagree").click()
        await expect(rows).to_have_count(2)
        assert "label=disagree" in page.url
        await rows.first.click()
        await expect(page.locator(".attempthead")).to_contain_text("1 of 2")
        await page.keyboard.press("3")
        await expect(page.locator(".panel .whole .labels")).to_contain_text("ben: Failure")
        await expect(page.locator(".stephead .instead")).to_have_text("people disagree")


async def test_a_run_judged_by_the_website_itself_shows_its_facts_beside_the_steps(bare_chromium, served, labels):
    async with opened(bare_chromium, served.label_link("#/run/judged/attempt/plain?tab=verdict")) as page:
        facts = page.locator(".rubric li")
        await expect(facts).to_have_count(4)
        await expect(facts.first.locator(".finding")).to_have_text("Holds")
        await expect(page.locator(".matrix")).to_have_count(0)
        await expect(page.locator(".film .frame").first).to_be_visible()
        await facts.first.locator("button.fact").click()
        await facts.first.get_by_role("button", name="Contradicted", exact=True).click()
        await facts.first.get_by_label("Note").fill("another item")
        await page.keyboard.press("Enter")
        await expect(facts.first.locator(".instead")).to_have_text("Contradicted")
    assert [one.overruled for one in read_labels(labels)] == ["supported"]


async def test_two_judges_can_be_looked_at_one_after_the_other(bare_chromium, served, labels):
    async with opened(bare_chromium, served.label_link("#/run/judged/attempt/both?tab=verdict")) as page:
        judges = page.get_by_role("group", name="Judge")
        await expect(judges.get_by_role("button")).to_have_count(2)
        await expect(page.locator(".matrix")).to_have_count(0)
        await judges.get_by_role("button", name=re.compile("rubric:")).click()
        await expect(page.locator(".matrix")).to_be_visible()
        await expect(page.locator(".panel .stephead")).to_contain_text("Success")
        # What is agreed with is the word that counts, whichever judge is looked at.
        await page.keyboard.press("y")
        await expect(page.locator(".panel .whole .labels")).to_contain_text("You: Failure, the judge: Failure")


async def test_a_refusal_is_told_and_nothing_of_the_note_is_lost(bare_chromium, served, labels):
    async with opened(bare_chromium, served.label_link(f"{FOOLED}&fact=1.0")) as page:
        await expect(page.locator(".panel li.at .word")).to_have_count(4)
        await page.keyboard.press("c")
        await page.get_by_label("Note").fill("no")
        await page.route("**/api/label", lambda route: route.abort())
        await page.keyboard.press("Enter")
        await expect(page.get_by_role("alert")).to_be_visible()
        await expect(page.get_by_label("Note")).to_have_value("no")
        await page.unroute("**/api/label")
        await page.get_by_role("button", name="Overrule").click()
        await expect(page.locator(".panel li.at .instead")).to_have_text("Contradicted")
    assert len(read_labels(labels)) == 1


async def test_another_site_cannot_make_the_browser_label(bare_chromium, served, labels):
    """Not by a form, not by a script: the browser is the very one that labels here."""
    async with opened(bare_chromium, served.label_link(FOOLED)) as page:
        await expect(page.locator(".panel .word")).to_have_count(4)
        wish = '{"run":"judged","attempt":"fooled","verdict":"success","shown":"success"}'
        evil = await page.context.new_page()
        # Another port of the same machine: to cookies that is the same site.
        await evil.route(
            "http://127.0.0.1:1/**", lambda route: route.fulfill(body="<form></form>", content_type="text/html")
        )
        await evil.goto("http://127.0.0.1:1/")
        told = await evil.evaluate(
            """async ([base, wish]) => {
              const send = (headers) => fetch(`${base}/api/label`, {
                method: "POST", body: wish, credentials: "include", headers,
              }).then((reply) => reply.status, () => "refused");
              const plain = fetch(`${base}/api/label`, {
                method: "POST", body: wish, credentials: "include", mode: "no-cors",
              }).then((reply) => reply.type, () => "refused");
              return [await send({"Content-Type": "application/json"}), await send({}), await plain];
            }""",
            [served.base, wish],
        )
        assert told[:2] == ["refused", "refused"]
        async with evil.expect_navigation():
            await evil.evaluate(
                """([base, wish]) => {
                  const form = document.querySelector("form");
                  Object.assign(form, { method: "post", action: `${base}/api/label`, enctype: "text/plain" });
                  const field = document.createElement("input");
                  field.name = wish.slice(0, -1) + ',"note":"'; field.value = '"}';
                  form.append(field);
                  form.submit();
                }""",
                [served.base, wish],
            )
    assert not labels.exists()


async def test_of_many_screenshots_those_that_tell_something_are_shown(bare_chromium, tmp_path):
    script = SCRIPT[:11] * 3
    made = rubric_verdict(MUGS, ALL_SUPPORTED, len(script))
    levels = tuple(tuple(3 if at in one.screenshots else at % 2 for at in range(34)) for one in made.facts)
    long = Verdict(made.facts, shots=made.shots, relevance=levels, judge=made.judge)
    async with open_writer(tmp_path / "long", META) as writer:
        await Scribe(writer).attempt(Attempt("a", MUGS), Success(), script, said=long)
    telling = {at for one in made.facts for at in one.screenshots} | {2, 5, 9}  # and what the judge saw in full
    async with (
        viewing(tmp_path) as viewer,
        opened(bare_chromium, viewer.link("#/run/long/attempt/a?tab=verdict")) as page,
    ):
        columns = page.locator(".matrix thead th")
        await expect(columns).to_have_count(len(telling))
        await page.get_by_role("button", name="All 34 screenshots").click()
        await expect(columns).to_have_count(34)
        await page.keyboard.press("o")
        await expect(columns).to_have_count(len(telling))
        await page.keyboard.press("ArrowLeft")
        await expect(page.locator(".matrix thead th.at")).to_contain_text("End")
        await expect(page.locator(".matrix thead th.at")).to_be_in_viewport()


async def test_a_judge_that_was_fooled_is_overruled_and_calibration_counts_it(bare_chromium, tmp_path):
    """From the rubric judge's own verdict to the figure that tells how wrong it is."""
    world = World()
    (case,) = [one for one in cases(8, world) if one.story == "wrong"]
    await store(tmp_path / "truth", [case])
    async with serving_vlm(ScriptedVlm(world, always="supported")) as server:
        config = JudgeConfig(
            use="rubric",
            model=ModelConfig(servers=(server.url,), model="scripted"),
            small_side=SIDE,
            small_quality=QUALITY,
        )
        done = await judge_again(tmp_path / "truth", config, Rejudging())
    (judgement,) = read_judgements(Path(done.out))
    assert judgement.outcome == Success()
    folder = tmp_path / "seen" / "fooled"
    await store_judged(folder, case, judgement)

    places = [FactRef(group.id, fact) for group in case.attempt.task.rubric for fact in range(len(group.facts))]
    wrong = places[case.findings.index("contradicted")]
    with open_run(folder) as run:
        assert list(known(run)) == []
    link = f"#/run/fooled/attempt/{quote(case.attempt.attempt_id, safe='')}?tab=verdict"
    async with viewing(folder.parent, "ann") as viewer, opened(bare_chromium, viewer.label_link(link)) as page:
        matrix = page.locator(".matrix")
        await expect(matrix.locator("tr[data-fact] .rowbutton[aria-pressed]")).to_have_count(len(places))
        shots = matrix.locator("thead .shotbutton img")
        assert await shots.first.evaluate("image => image.decode().then(() => image.naturalWidth)") > 0
        await matrix.locator(f"tr[data-fact='{wrong.group}.{wrong.fact}'] .rowbutton").click()
        await page.keyboard.press("c")
        await page.get_by_label("Note").fill("It is otherwise.")
        await page.keyboard.press("Enter")
        await expect(matrix.locator("tr.overruled .instead")).to_have_text("Contradicted")

    with open_run(folder) as run:
        (of,) = known(run)
    assert (of.truth.source, of.truth.success) == ("people", False)
    found = calibration("rubric", "", ["fooled"], [Judged(of.attempt_id, of.task, of.truth, judgement)], [], 0.0)
    assert (found.attempts.false_positives, found.facts.false_positives) == (1, 1)


async def store_judged(folder: Path, case: JudgeCase, judgement: Judgement) -> None:
    """A run whose only verdict is this judgement."""
    async with open_writer(folder, RunMeta("fooled", 1_750_000_000.0)) as writer:
        await writer.begin(case.attempt)
        for step in case.steps:
            address = step.observation.screenshot.address
            await writer.step(case.attempt, step, {address: case.pictures[address]})
        # After an answer nobody looks again.
        ending = Ending(judgement.outcome, case.answer, judgement.verdict, None, len(case.steps))
        await writer.end(case.attempt, ending, {})


HOSTILE = "<img src=x onerror=\"window.pwned='{0}'\"><script>window.pwned='{0}'</script>\"'><svg onload=window.pwned=1>"


async def test_nothing_that_judges_and_people_say_is_run(bare_chromium, tmp_path):
    made = rubric_verdict(MUGS, ALL_SUPPORTED)
    facts = tuple(
        fact_verdict(one.group, one.fact, "supported", one.screenshots, HOSTILE.format("why")) for one in made.facts
    )
    evil = Verdict(facts, made.claims, shots=made.shots, relevance=made.relevance, judge=HOSTILE.format("judge"))
    async with open_writer(tmp_path / "evil", META) as writer:
        await Scribe(writer).attempt(Attempt("a", MUGS), Success(), SCRIPT, said=evil)
    append_label(
        labels_path(tmp_path / "evil"),
        Label("a", "failure", HOSTILE.format("who"), 1.0, None, HOSTILE.format("note"), "success"),
    )
    async with (
        viewing(tmp_path, HOSTILE.format("me")) as viewer,
        opened(bare_chromium, viewer.label_link("#/run/evil/attempt/a?tab=verdict&fact=1.0")) as page,
    ):
        await expect(page.locator(".why")).to_contain_text("<script>window.pwned='why'</script>")
        await expect(page.locator(".whole .note")).to_contain_text("<script>window.pwned='note'</script>")
        await expect(page.locator(".judgeline")).to_contain_text("<script>window.pwned='judge'</script>")
        await page.keyboard.press("y")
        await expect(page.locator(".panel li.at ul.labels")).to_contain_text("You: Supported")
        await page.goto(viewer.link("#/run/evil"))
        await expect(page.locator("table.rows .instead")).to_have_attribute("title", re.compile("<script>"))
        assert await page.evaluate("window.pwned === undefined")
        assert await page.locator("img[src='x'], main script, main svg[onload]").count() == 0


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", [WIDE, PHONE], ids=["wide", "phone"])
async def test_the_matrix_is_never_wider_than_the_window(bare_chromium, served, labels, size, scheme):
    link = served.label_link(f"{FOOLED}&fact=1.1")
    async with opened(bare_chromium, link, viewport=size, color_scheme=scheme) as page:
        await expect(page.locator(".matrix")).to_be_visible()
        await page.locator(".panel li.at .word").nth(1).click()
        assert await page.evaluate("document.documentElement.scrollWidth") <= size["width"]
        box = page.locator(".matrixbox")
        assert await box.evaluate("box => box.scrollWidth > box.clientWidth")  # it is the matrix that scrolls
        await page.locator(".matrix .cell.rests").first.click()
        await expect(page.get_by_role("dialog", name="Screenshot")).to_be_visible()
        assert await page.evaluate("document.documentElement.scrollWidth") <= size["width"]
