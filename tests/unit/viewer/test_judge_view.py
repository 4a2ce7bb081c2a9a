"""Verdicts as the page gets them."""

from __future__ import annotations

from tests.unit.viewer.made_runs import SCRIPT, task, verdict
from tests.unit.viewer.made_verdicts import ALL_SUPPORTED, MUGS, rubric_verdict

from webgym.records.label import FactRef, Label
from webgym.records.trajectory import Attempt, Ending, Failure, Success
from webgym.records.verdict import Shot, Verdict, fact_verdict
from webgym.viewer.attempt_view import attempt_view
from webgym.viewer.judge_view import judge_view, judges_differ, judges_of, told

STEPS = len(SCRIPT)


def test_a_finding_comes_with_its_reason_its_screenshots_and_their_relevance():
    shown = judge_view(rubric_verdict(MUGS, ALL_SUPPORTED), STEPS, "success", counts=True)
    finding = shown.facts["1.1"]
    assert (finding.found, finding.holds, finding.why) == ("supported", True, "Screenshot 4 says so.")
    assert finding.rests == (3, STEPS)
    assert len(finding.relevance) == len(shown.shots) == STEPS + 1
    assert all(finding.relevance[place] == 3 for place in finding.rests)
    assert [shot.frames for shot in shown.shots][-2:] == [("12",), ("end",)]
    assert not shown.exact


def test_a_judge_that_asks_the_site_knows_only_what_holds():
    shown = judge_view(verdict(task(1), 2), 3, "failure", counts=True)
    assert shown.exact
    assert shown.shots == ()
    assert [one.found for one in shown.facts.values()] == ["supported", "supported", "contradicted"]


def test_what_a_judge_points_to_need_not_be_there():
    odd = Verdict(
        (fact_verdict(1, 0, "supported", (5, -1, 0, 0), "here"), fact_verdict(1, 1, "supported")),
        shots=(Shot("sha256:1", (1,)), Shot("sha256:2", (2, 9))),
        relevance=((1, 2, 3, 3),),
    )
    shown = judge_view(odd, 2, "success", counts=True)
    assert shown.facts["1.0"].rests == (0,)
    assert shown.facts["1.0"].relevance == (1, 2)
    assert shown.facts["1.1"].relevance == ()
    assert shown.shots[1].frames == ("2", "end")


def test_a_second_judge_is_shown_with_what_its_verdict_would_have_come_to():
    second = rubric_verdict(MUGS, ("abstain", *ALL_SUPPORTED[1:]))
    both = Verdict(verdict(MUGS, 6).facts, judge="exact", second=second)
    first, other = judges_of(Ending(Success(), verdict=both), STEPS)
    assert (first.name, first.says, first.counts) == ("exact", "success", True)
    assert (other.says, other.counts) == ("judge_unknown", False)
    assert judges_differ(both)
    assert not judges_differ(Verdict(both.facts, second=rubric_verdict(MUGS, ALL_SUPPORTED)))
    assert not judges_differ(second)
    assert told(Verdict(second.facts, blocked="a captcha")) == "blocked"


def test_a_fact_that_the_judge_could_not_tell_neither_holds_nor_does_not():
    torn = rubric_verdict(MUGS, ("abstain", "not_shown", *ALL_SUPPORTED[2:]))
    shown = attempt_view(Attempt("a", MUGS), (), Ending(Failure(), verdict=torn))
    assert [fact.holds for fact in shown.rubric[0].facts] == [None, False, True]


def test_labels_stand_with_what_they_are_about_and_older_ones_do_not_stand():
    labels = [
        Label("a", "contradicted", "ann", 1.0, FactRef(1, 0), "no", "supported"),
        Label("a", "not_shown", "ann", 2.0, FactRef(1, 0), "nowhere", "supported"),
        Label("a", "supported", "ben", 3.0, FactRef(1, 0)),
        Label("a", "failure", "ann", 4.0),
        Label("a", "withdrawn", "ann", 5.0),
        Label("other", "failure", "ann", 6.0),
    ]
    shown = attempt_view(Attempt("a", MUGS), (), Ending(Success(), verdict=verdict(MUGS, 6)), labels)
    assert [(one.verdict, one.stands) for one in shown.rubric[0].facts[0].labels] == [
        ("contradicted", False),
        ("not_shown", True),
        ("supported", True),
    ]
    assert [(one.verdict, one.stands) for one in shown.labels] == [("failure", False), ("withdrawn", False)]
    assert shown.rubric[0].facts[1].labels == ()
