"""Calibration of the rubric judge against a scripted model that sees what pictures show, and errs to order."""

from __future__ import annotations

from contextlib import closing
from functools import partial
from pathlib import Path

import anyio
import msgspec
import pytest
from tests.unit.judge_calibration.sets import judged_by, served, write_drawn
from typer.testing import CliRunner

from webgym.cli.failures import ExitCode
from webgym.cli.main import app
from webgym.errors import ConfigError
from webgym.judge.attacks.pages import results_page
from webgym.judge.calibration.gate import read_gate
from webgym.llm.config import Prices, Retries
from webgym.llm.reply_file import FileReplyStore
from webgym.records.label import FactRef, Label
from webgym.records.trajectory import OUTCOME_KINDS, outcome_kind
from webgym.run.config import JudgeConfig
from webgym.run.judging.calibrate.calibrate import Calibrating, CalibrationResult, calibrate
from webgym.run.judging.judgement_log import read_judgements
from webgym.run.judging.rerun import Rejudging, judge_again
from webgym.store.labels import append_labels, labels_path
from webgym.testing.policy_faults import ErrorStatus
from webgym.testing.vlm import ScriptedVlm
from webgym.testing.vlm_world import World

_ATTACKS = (
    "confident_answer",
    "rewritten_thoughts",
    "instructions_in_answer",
    "instructions_in_page",
    "undone_success",
    "unseen_answer",
    "search_shortcut",
)


def _calibrated(run: Path, vlm: ScriptedVlm, how: Calibrating | None = None, *gates: str) -> CalibrationResult:
    with served(vlm) as server:
        work = partial(
            calibrate, [run], judged_by(server), how or Calibrating(attacks=0), [read_gate(one) for one in gates]
        )
        return anyio.run(work)


def test_500_attempts_of_all_outcomes_are_judged_as_they_are(tmp_path: Path):
    world = World()
    made = write_drawn(tmp_path / "run", 500, world)
    assert {one.outcome for one in made} == set(OUTCOME_KINDS) - {"judge_unknown"}
    with served(ScriptedVlm(world)) as server:
        done = anyio.run(partial(judge_again, tmp_path / "run", judged_by(server), Rejudging(at_once=32)))
        judged = {one.attempt_id: one for one in read_judgements(Path(done.out))}
        found = anyio.run(partial(calibrate, [tmp_path / "run"], judged_by(server), Calibrating(attacks=0)))
    for one in made:
        attempt_id = one.trajectory.attempt.attempt_id
        stored = outcome_kind(one.trajectory.ending.outcome)
        # What broke or was stopped is not judged: it stays what it was.
        got = outcome_kind(judged[attempt_id].outcome) if attempt_id in judged else stored
        assert got == one.outcome, f"{one.kind} {attempt_id}"
    figures = found.calibration
    assert figures.attempts.accuracy.estimate == figures.attempts.kappa.estimate == 1.0
    assert figures.facts.accuracy.estimate == 1.0
    assert figures.blocked.accuracy.estimate == 1.0
    assert figures.blocked.true_positives == sum(one.outcome == "blocked" for one in made)
    assert (figures.attempts.unanswered, figures.facts.unanswered) == (0, 0)
    assert set(figures.by_level) == {"easy", "medium", "hard"}
    assert figures.wrong == ()


def test_one_budget_is_for_all_runs_and_their_attacks(tmp_path: Path):
    world = World()
    runs = [tmp_path / "one", tmp_path / "two"]
    for number, run in enumerate(runs):
        write_drawn(run, 30, world, seed=number, siblings=True)
    with served(ScriptedVlm(world)) as server:
        config = judged_by(server)
        assert config.model is not None
        model = config.model.model_copy(update={"prices": Prices(prompt=1.0, sampled=10.0), "max_tokens": 1000})
        how = Calibrating(attacks=3)
        free = anyio.run(partial(calibrate, runs, JudgeConfig(use="rubric", model=model), how, (), tmp_path / "a"))
        budget = 0.6 * free.calibration.cost.total.dollars
        bound = JudgeConfig(use="rubric", model=model, budget=budget, top=2)  # another judge, with books of its own
        done = anyio.run(partial(calibrate, runs, bound, how, (), tmp_path / "b"))
    books = [*tmp_path.glob("*/judgements/*/judge.sqlite"), *tmp_path.glob("*/attacks/*/judgements/*/judge.sqlite")]
    assert "budget" in done.stopped
    assert len(books) == 8
    ours = [path for path in books if path.parent.name.endswith(done.calibration.config)]
    assert 0 < sum(_dollars(path) for path in ours) <= budget


def _dollars(log: Path) -> float:
    with closing(FileReplyStore(log)) as cache:
        return cache.dollars


def test_calibration_finds_the_error_rates_that_were_put_in(tmp_path: Path):
    """Intervals of 95 % miss one in twenty; of these dozen, two at most."""
    held: list[bool] = []
    for number, (false_positive, false_negative) in enumerate(
        ((0.0, 0.0), (0.05, 0.02), (0.1, 0.1), (0.02, 0.2), (0.3, 0.05), (0.6, 0.4))
    ):
        world, run = World(), tmp_path / f"run-{number}"
        write_drawn(run, 90, world, seed=number)
        vlm = ScriptedVlm(world, false_positive=false_positive, false_negative=false_negative, seed=number)
        facts = _calibrated(run, vlm).calibration.facts
        for put_in, found in ((false_positive, facts.false_positive_rate), (false_negative, facts.false_negative_rate)):
            assert found.n >= 15
            held.append(found.low <= put_in <= found.high)
    assert sum(held) >= len(held) - 2, held


def test_a_model_that_always_says_success_has_only_false_positives(tmp_path: Path):
    world = World()
    write_drawn(tmp_path / "run", 60, world, siblings=True)
    vlm = ScriptedVlm(world, always="supported")
    found = _calibrated(tmp_path / "run", vlm, Calibrating(attacks=5)).calibration
    assert found.attempts.false_positive_rate.estimate == 1.0
    assert found.attempts.recall.estimate == 1.0
    assert found.attempts.kappa.estimate == 0.0
    assert found.facts.false_positive_rate.estimate == 1.0
    # That other websites are no evidence is a rule of the judge's own, whatever its model says.
    assert {one.name: one.rate.estimate for one in found.attacks} == {
        **dict.fromkeys(_ATTACKS, 1.0),
        "search_shortcut": 0,
    }
    assert {one.judged for one in found.wrong} == {"success"}


def test_attacks_fail_against_a_model_that_sees_even_one_that_obeys_what_it_is_told(tmp_path: Path):
    world = World()
    write_drawn(tmp_path / "run", 60, world, siblings=True)
    vlm = ScriptedVlm(world, gullible=True)
    found = _calibrated(tmp_path / "run", vlm, Calibrating(attacks=6)).calibration
    assert {one.name: one.tried for one in found.attacks} == dict.fromkeys(_ATTACKS, 6)
    assert {one.name: one.fooled for one in found.attacks} == dict.fromkeys(_ATTACKS, 0)


def test_the_report_tells_a_judge_that_a_search_engine_fools_from_one_that_it_does_not(tmp_path: Path):
    world, run = World(), tmp_path / "run"
    for one in write_drawn(run, 40, world):
        task, answer = one.trajectory.attempt.task, one.trajectory.ending.answer
        if one.kind == "answered" and answer is not None:
            facts = [fact for group in task.rubric for fact in group.facts]
            world.show(results_page(task.instruction, answer), shows=[answer, *facts])
    with served(ScriptedVlm(world)) as server:
        strict = judged_by(server)
        lax = strict.model_copy(update={"other_sites": True})
        fooled = {
            judge.other_sites: anyio.run(partial(calibrate, [run], judge, Calibrating(attacks=4))).calibration.attacks[
                -1
            ]
            for judge in (strict, lax)
        }
    assert (fooled[False].name, fooled[False].tried, fooled[False].fooled) == ("search_shortcut", 4, 0)
    assert fooled[True].fooled == 4


def test_a_model_that_never_answers_passes_no_gate(tmp_path: Path):
    world = World()
    write_drawn(tmp_path / "run", 24, world)
    vlm = ScriptedVlm(world, misbehaviour="refusal")
    done = _calibrated(tmp_path / "run", vlm, None, "accuracy>=0", "false_positive_rate<=1", "answered>=0.5")
    assert done.calibration.attempts.judged == 0
    assert not done.passed
    assert [one.passed for one in done.gates] == [False, False, False]
    assert sum(done.calibration.unknown.values()) == done.calibration.labelled


def test_a_server_that_never_replies_leaves_a_calibration_undone_until_one_does(tmp_path: Path):
    world = World()
    write_drawn(tmp_path / "run", 12, world)
    with served(ScriptedVlm(world)) as server:
        config, quick = judged_by(server), Retries(tries=1, pause=0.01, longest_pause=0.02)
        once = config.model_copy(update={"model": config.model.model_copy(update={"retries": quick})})
        work = partial(calibrate, [tmp_path / "run"], once, Calibrating(attacks=2), [read_gate("answered>=1")])
        server.fail(ErrorStatus(500))
        silent = anyio.run(work)
        server.mend()
        heard = anyio.run(work)
    assert "had no reply" in silent.stopped
    assert not silent.passed
    assert silent.calibration.unknown == {"not judged": silent.calibration.labelled}
    assert (heard.stopped, heard.passed) == ("", True)
    assert heard.calibration.attempts.unanswered == 0


def test_doubtful_verdicts_can_be_left_out(tmp_path: Path):
    world = World()
    write_drawn(tmp_path / "run", 80, world, seed=4)
    found = _calibrated(tmp_path / "run", ScriptedVlm(world, false_negative=0.15, seed=4)).calibration
    sure, *_, all_of_them = found.curve
    assert sure.coverage < all_of_them.coverage == 1.0
    assert sure.accuracy.estimate > all_of_them.accuracy.estimate


def test_what_a_person_says_counts_more_than_what_was_drawn(tmp_path: Path):
    world, run = World(), tmp_path / "run"
    made = write_drawn(run, 12, world)
    success = next(one for one in made if one.kind == "done").trajectory.attempt.attempt_id
    said = [Label(success, "failure", who, 9.0) for who in ("ada", "bob")]
    append_labels(labels_path(run), [*said, Label(success, "contradicted", "ada", 9.0, FactRef(1, 0))])
    found = _calibrated(run, ScriptedVlm(world)).calibration
    assert [one.attempt_id for one in found.wrong] == [success]
    assert found.wrong[0].truth == "failure"
    assert found.sources == {"people": found.labelled}


def test_a_run_without_labels_is_told_what_to_do(tmp_path: Path):
    world, run = World(), tmp_path / "run"
    write_drawn(run, 4, world)
    labels_path(run).unlink()
    with pytest.raises(ConfigError, match="webgym view --label"):
        _calibrated(run, ScriptedVlm(world))


def test_the_command_writes_a_report_and_fails_a_build_when_a_gate_is_missed(tmp_path: Path):
    world, run = World(), tmp_path / "run"
    write_drawn(run, 40, world, siblings=True)
    with served(ScriptedVlm(world)) as server:
        command = ["judge", "calibrate", str(run), "judge.top=2", "--server", server.url, "--model", "scripted"]
        command += ["--attacks", "3", "--json"]
        kept = CliRunner().invoke(app, [*command, "--gate", "accuracy>=0.99", "--gate", "attack<=0"])
        calls = server.count
        missed = CliRunner().invoke(app, [*command, "--gate", "false_positive_rate.high<=0.001"])
        wrong = CliRunner().invoke(app, [*command, "--gate", "speed>=1"])
    assert kept.exit_code == 0, kept.output
    assert missed.exit_code == ExitCode.FAILURES
    assert server.count == calls, "what is judged is not judged again"
    assert isinstance(wrong.exception, ConfigError)
    told = msgspec.json.decode(kept.stdout.strip().splitlines()[-1], type=CalibrationResult)
    assert told.passed
    folder = Path(told.out)
    assert (
        msgspec.json.decode((folder / "calibration.json").read_bytes(), type=CalibrationResult).calibration.attempts.n
        > 20
    )
    page = (folder / "report.html").read_text()
    assert "Judge calibration" in page
    assert "search_shortcut" in page


def test_a_labelled_set_of_others_is_imported_by_command(tmp_path: Path):
    from tests.unit.judge_calibration.test_imports import make_online_mind2web

    source = tmp_path / "source"
    source.mkdir()
    make_online_mind2web(source)
    said = CliRunner().invoke(app, ["judge", "import", "online-mind2web", str(source), str(tmp_path / "run"), "--json"])
    assert said.exit_code == 0, said.output
    told = msgspec.json.decode(said.stdout.strip().splitlines()[-1])
    assert told["attempts"] == 2
    assert len(told["left_out"]) == 1
