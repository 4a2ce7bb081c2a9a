"""A calibration from judgements and truth: what counts as what, and gates that fail closed."""

from __future__ import annotations

import msgspec
import pytest

from webgym.errors import ConfigError
from webgym.judge.calibration.compare import CalibrationCase, certainty
from webgym.judge.calibration.figures import Calibration, attack_figure, calibration
from webgym.judge.calibration.gate import check, figures, read_gate
from webgym.judge.calibration.truth import Truth, truth_of
from webgym.judge.labels.truth import CombinedLabels
from webgym.records.judgement import Judgement
from webgym.records.task import Task
from webgym.records.trajectory import (
    Ending,
    Failure,
    JudgeUnknown,
    Outcome,
    SiteBlock,
    Success,
    Truncation,
)
from webgym.records.verdict import ClaimVerdict, FactVerdict, Finding, Verdict, VerdictCost, fact_verdict
from webgym.testing.rollouts import fake_task


def _case(
    number: int, truth: bool | None, outcome: Outcome | None, *, facts: int = 1, blocked: bool = False
) -> CalibrationCase:
    held = isinstance(outcome, Success)
    verdict = None
    if isinstance(outcome, Success | Failure | Truncation):
        verdict = Verdict(
            tuple(FactVerdict(1, fact, held) for fact in range(facts)), spent=VerdictCost(calls=2, dollars=0.5)
        )
    judgement = None if outcome is None else Judgement(f"a{number}", outcome, verdict)
    known = {} if truth is None else {(1, fact): truth for fact in range(facts)}
    return CalibrationCase(f"a{number}", fake_task(number, facts), Truth("exact", truth, blocked, known), judgement)


def _calibration(found: list[CalibrationCase]) -> Calibration:
    return calibration("rubric:x", "c", ["run"], found, [], 0.0)


def test_only_rewards_count_as_answers():
    found = _calibration(
        [
            _case(1, True, Success()),
            _case(2, False, Failure()),
            _case(3, False, Truncation("steps")),
            _case(4, True, JudgeUnknown("timed out: 30 s")),
            _case(5, True, SiteBlock("captcha")),
            _case(6, True, None),
            _case(7, None, SiteBlock("captcha"), blocked=True),
        ]
    )
    assert found.attempts.judged == 3
    assert found.attempts.unanswered == 3, "no verdict, a website at fault and not judged are no answers"
    assert found.attempts.accuracy.estimate == 1.0
    assert found.unknown == {"timed out": 1, "not judged": 1}
    assert (found.blocked.true_positives, found.blocked.false_positives) == (1, 1)
    assert found.cost.attempts == 3
    assert (found.cost.calls, found.cost.dollars) == (2.0, 0.5)


def test_facts_are_compared_one_by_one_and_an_abstention_is_no_answer():
    verdict = Verdict((fact_verdict(1, 0, "supported"), fact_verdict(1, 1, "not_shown"), fact_verdict(1, 2, "abstain")))
    truth = Truth("exact", False, facts={(1, 0): True, (1, 1): True, (1, 2): False})
    case = CalibrationCase("a", fake_task(1, 3), truth, Judgement("a", JudgeUnknown("abstained"), verdict))
    found = _calibration([case])
    assert (found.facts.true_positives, found.facts.false_negatives, found.facts.unanswered) == (1, 1, 1)
    assert found.attempts.judged == 0


def test_figures_are_split_by_difficulty():
    found = _calibration([_case(1, True, Success(), facts=2), _case(2, False, Success(), facts=8)])
    assert found.by_level["easy"].accuracy.estimate == 1.0
    assert found.by_level["hard"].false_positive_rate.estimate == 1.0
    assert "medium" not in found.by_level
    assert [one.attempt_id for one in found.wrong] == ["a2"]


def _founded(finding: Finding, relevance: int) -> Verdict:
    return Verdict((fact_verdict(1, 0, finding, (0,)),), relevance=((relevance,),))


def test_a_verdict_is_as_sure_as_its_evidence():
    assert certainty(_founded("supported", 3)) == 1.0
    assert certainty(_founded("supported", 1)) == pytest.approx(1 / 3)
    assert certainty(_founded("contradicted", 3)) == 1.0
    assert certainty(_founded("not_shown", 0)) == 1.0
    assert certainty(_founded("not_shown", 3)) == 0.25
    claims = (ClaimVerdict("It is red", "not_shown"),)
    assert certainty(msgspec.structs.replace(_founded("supported", 3), claims=claims)) == 0.5


def test_the_abstention_curve_trades_coverage_for_accuracy():
    sure = [_case(number, True, Success()) for number in range(8)]
    cases = [
        msgspec.structs.replace(case.judgement, verdict=_founded("supported", 3)) if case.judgement else None
        for case in sure
    ]
    found = [
        CalibrationCase(case.attempt_id, case.task, case.truth, judged)
        for case, judged in zip(sure, cases, strict=True)
    ]
    doubtful = Judgement("b", Success(), _founded("supported", 1))
    found.append(CalibrationCase("b", fake_task(99), Truth("exact", False, facts={(1, 0): False}), doubtful))
    found.append(_case(50, True, JudgeUnknown("cut off")))
    first, last = _calibration(found).curve
    assert (first.coverage, first.accuracy.estimate) == (0.8, 1.0)
    assert (last.coverage, last.accuracy.estimate) == (0.9, pytest.approx(8 / 9))


def test_gates_pass_and_fail_by_estimate_or_by_the_end_of_an_interval():
    found = _calibration(
        [_case(n, True, Success()) for n in range(20)] + [_case(n, False, Failure()) for n in range(30, 50)]
    )
    assert check(read_gate("accuracy >= 95%"), found).passed
    assert not check(read_gate("accuracy.low>=0.95"), found).passed
    assert check(read_gate("facts.false_positive_rate<=0"), found).passed
    assert not check(read_gate("false_positive_rate.high<=0.05"), found).passed
    assert check(read_gate("calls<=2"), found).passed
    assert not check(read_gate("dollars<=0.4"), found).passed


def test_a_gate_on_nothing_does_not_pass():
    empty = _calibration([_case(1, True, JudgeUnknown("refused"))])
    for text in ("accuracy>=0", "false_positive_rate<=1", "hard.recall>=0", "attack<=1", "calls>=0"):
        assert not check(read_gate(text), empty).passed, text


def test_the_worst_attack_counts():
    made = [
        attack_figure("one", "", [("t1", False), ("t2", None)]),
        attack_figure("two", "", [("t1", True), ("t2", False)]),
    ]
    found = calibration("j", "c", [], [], made, 0.0)
    assert (made[1].fooled, made[1].rate.estimate, made[0].unknown) == (1, 0.5, 1)
    assert check(read_gate("attack<=0.4"), found).value == 0.5
    assert check(read_gate("attack.one<=0"), found).passed
    with pytest.raises(ConfigError, match="no attack 'three'"):
        check(read_gate("attack.three<=0"), found)


def test_attacks_that_came_to_no_verdict_did_not_fail():
    silent = attack_figure("silent", "", [(f"t{n}", None) for n in range(14)])
    half = attack_figure("half", "", [("t1", True), ("t2", None), ("t3", None)])
    assert (half.tried, half.fooled, half.unknown, half.rate.estimate, half.rate.n) == (3, 1, 2, 1.0, 1)
    for text in ("attack<=0.02", "attack.high<=1", "attack.silent<=1"):
        found = check(read_gate(text), calibration("j", "c", [], [], [silent], 0.0))
        assert (found.passed, found.value, found.n) == (False, None, 0), text
    both = check(read_gate("attack<=0.5"), calibration("j", "c", [], [], [silent, half], 0.0))
    assert (both.passed, both.value, both.n) == (False, 1.0, 1)


@pytest.mark.parametrize(
    "text", ["", "accuracy", "accuracy>0.9", "speed>=1", "easy.calls<=1", "calls.low<=1", "recall>=x"]
)
def test_what_is_no_gate_is_told(text: str):
    with pytest.raises(ConfigError):
        read_gate(text)
    assert "accuracy" in figures()


def _made(
    outcome: Outcome, verdict: Verdict | None, *, exact: str = "{}", answer: str | None = "x"
) -> tuple[Task, Ending]:
    return msgspec.structs.replace(fake_task(1), exact=exact), Ending(outcome, answer, verdict)


def test_truth_comes_from_the_site_or_from_people_and_people_overrule():
    holds = Verdict((FactVerdict(1, 0, True),), judge="exact")
    assert truth_of(*_made(Success(), holds)) == Truth("exact", True, facts={(1, 0): True})
    assert truth_of(*_made(Success(), holds, exact="")) is None, "a verdict on the open web is no truth"
    assert truth_of(*_made(Truncation("steps"), holds, answer=None)) == Truth("exact", False, facts={(1, 0): True})
    model = Verdict((fact_verdict(1, 0, "supported"),), judge="rubric:x", second=holds)
    assert truth_of(*_made(Success(), model)) == Truth("exact", True, facts={(1, 0): True})
    assert truth_of(*_made(Success(), msgspec.structs.replace(model, second=None))) is None
    people = truth_of(*_made(Success(), holds), CombinedLabels(facts={(1, 0): False}, people=1))
    assert people == Truth("people", False, facts={(1, 0): False})
    assert truth_of(*_made(Success(), None, exact=""), CombinedLabels(success=True)) == Truth("people", True)
    assert truth_of(*_made(Success(), None, exact=""), CombinedLabels()) is None
