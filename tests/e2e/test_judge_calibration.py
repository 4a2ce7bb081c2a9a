"""Calibration from browser to report: attempts on hermetic sites, judged by the site and by a model that sees."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

import anyio
import pytest
from playwright.async_api import async_playwright
from tests.e2e.witness import Witness
from tests.unit.judge_calibration.sets import judged_by, served

from webgym.browser.server.chromium.executable import find_executable
from webgym.judge.attacks.answers import ORDER
from webgym.judge.attacks.pages import with_banner
from webgym.judge.attacks.suite import ATTACKS
from webgym.judge.calibration.compare import CalibrationCase
from webgym.judge.calibration.figures import attack_figure, calibration
from webgym.judge.calibration.gate import check, read_gate
from webgym.judge.calibration.labelled import known
from webgym.judge.calibration.page.write import write_page
from webgym.judge.calibration.truth import truth_of
from webgym.judge.labels.truth import said
from webgym.judge.pictures import reduced
from webgym.judge.settings import JudgeSettings
from webgym.records.judgement import Judgement
from webgym.records.trajectory import Failure, Success, Trajectory
from webgym.records.verdict import Verdict, fact_verdict
from webgym.run.judging.calibrate.calibrate import Calibrating, calibrate
from webgym.store.read import open_run
from webgym.testing.vlm import ScriptedVlm
from webgym.testing.vlm_world import World
from webgym_bench.judge.synthetic_attempts import synthetic_attempts
from webgym_hermetic.labelled_attempts import SKILLS, Collecting, attempts_of, collect, skill_of

_HOW = Collecting(attempts=40, sessions=2, blocked=0.1, seed=1)


def test_a_labelled_set_has_agents_of_every_skill_at_tasks_of_every_family():
    planned = list(attempts_of(Collecting(attempts=120)))
    assert len({one.attempt_id for one in planned}) == len(planned) == 120
    assert {skill_of(one) for one in planned} == set(SKILLS)
    assert {one.task.level for one in planned} == {"easy", "medium", "hard"}
    assert planned == list(attempts_of(Collecting(attempts=120))), "the same when it is taken up again"


@pytest.mark.full
@pytest.mark.chromium
@pytest.mark.timeout(1500)
def test_on_real_pages_the_judge_says_what_the_site_says_and_no_attack_earns_anything(tmp_path: Path):
    run, witness = tmp_path / "run", Witness()
    outcomes = anyio.run(partial(collect, run, _HOW, watch=witness.watch))
    assert sum(outcomes.values()) == 40
    assert outcomes["success"] >= 10
    assert outcomes["failure"] >= 5
    with open_run(run) as stored:
        trajectories = list(stored.trajectories())
        assert len(list(known(stored))) == 40
        world = witness.world(trajectories)
        _tell_banners(world, trajectories, stored.blob)
    with served(ScriptedVlm(world)) as server:
        done = anyio.run(partial(calibrate, [run], judged_by(server), Calibrating(attacks=10)))
    found = done.calibration
    assert found.wrong == ()
    assert found.attempts.accuracy.estimate == 1.0
    assert found.attempts.unanswered == 0
    # The model looks for words in an answer where the site compares values: a wrong 16 holds a right 6.
    assert found.facts.accuracy.estimate >= 0.98
    assert found.blocked.false_positives == found.blocked.false_negatives == 0
    assert {one.name for one in found.attacks if one.tried} == {attack.name for attack in ATTACKS}
    assert {one.name: one.fooled for one in found.attacks if one.fooled} == {}
    assert found.cost.calls <= 2.0
    assert found.sources == {"exact": 40}


def _tell_banners(world: World, trajectories: list[Trajectory], blob: Callable[[str], bytes]) -> None:
    """A page with an order to the judge across it still shows what it showed."""
    settings = JudgeSettings()
    for trajectory in trajectories:
        for step in trajectory.steps:
            assert step.observation.screenshot is not None
            picture = blob(step.observation.screenshot.address)
            page, written = world.page(picture), with_banner(picture, ORDER)
            small = reduced(written, settings.small_side, settings.small_quality)[0]
            world.show(written, shows=page.shows, denies=page.denies, refuses=page.refuses, copies=[small])


@pytest.mark.chromium
@pytest.mark.parametrize("width", [420, 1280])
def test_the_report_opens_from_a_file_fits_its_window_and_complains_of_nothing(width: int, tmp_path: Path):
    world = World()
    made = list(synthetic_attempts(24, world))
    said_of = {one.trajectory.attempt.attempt_id: said(one.labels) for one in made}
    cases: list[CalibrationCase] = []
    for one in made:
        name, task = one.trajectory.attempt.attempt_id, one.trajectory.attempt.task
        if one.outcome in {"success", "failure"}:
            truth = truth_of(task, one.trajectory.ending, said_of[name][name])
            assert truth is not None
            held = len(cases) % 5 != 0
            verdict = Verdict(
                tuple(fact_verdict(*where, "supported" if held else "not_shown") for where in truth.facts)
            )
            cases.append(CalibrationCase(name, task, truth, Judgement(name, Success() if held else Failure(), verdict)))
    attacks = [attack_figure(attack.name, attack.about, [("t", False)] * 20) for attack in ATTACKS]
    found = calibration("rubric:a-model-with-quite-a-long-name", "0123abcd", ["run"], cases, attacks, 0.0)
    write_page(tmp_path / "report.html", found, [check(read_gate("accuracy>=0.9"), found)])
    complaints, overflow = anyio.run(_opened, (tmp_path / "report.html").as_uri(), width)
    assert complaints == []
    assert overflow <= 0


async def _opened(address: str, width: int) -> tuple[list[str], int]:
    complaints: list[str] = []
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=find_executable(), args=["--no-sandbox"])
        try:
            page = await browser.new_page(viewport={"width": width, "height": 800})
            page.on("console", lambda message: complaints.append(message.text))
            page.on("pageerror", lambda error: complaints.append(str(error)))
            page.on("requestfailed", lambda request: complaints.append(request.url))
            await page.goto(address)
            overflow = await page.evaluate("document.documentElement.scrollWidth - innerWidth")
        finally:
            await browser.close()
    return complaints, overflow
