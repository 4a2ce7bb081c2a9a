"""Verdicts as records: what they imply, and that those of older runs are still read."""

from __future__ import annotations

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from webgym.records.judgement import Judgement
from webgym.records.trajectory import Ending, JudgeUnknown, Success
from webgym.records.verdict import FINDINGS, ClaimVerdict, FactVerdict, Verdict, VerdictCost, fact_verdict

_OLD = {
    "outcome": {"kind": "success"},
    "answer": "7",
    "verdict": {"facts": [{"group": 1, "fact": 0, "holds": True}, {"group": 1, "fact": 1, "holds": False}]},
    "steps": 3,
}


def test_a_verdict_of_an_older_run_is_read():
    ending = msgspec.msgpack.decode(msgspec.msgpack.encode(_OLD), type=Ending)
    assert ending.verdict == Verdict((FactVerdict(1, 0, True), FactVerdict(1, 1, False)))
    assert [one.found for one in ending.verdict.facts] == ["supported", "contradicted"]
    assert ending.verdict.complete
    assert not ending.verdict.success


def test_an_older_reader_would_find_what_it_knows_in_a_new_verdict():
    new = msgspec.to_builtins(Verdict((fact_verdict(1, 0, "not_shown", (2,), "no"),), judge="rubric:m"))
    assert new["facts"][0]["holds"] is False


def test_a_fact_that_is_not_supported_cannot_hold():
    with pytest.raises(ValueError, match="not_shown"):
        FactVerdict(1, 0, True, "not_shown")
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert({"group": 1, "fact": 0, "holds": True, "finding": "abstain"}, FactVerdict)


_findings = st.sampled_from(FINDINGS)


@given(st.lists(_findings, max_size=5), st.lists(_findings, max_size=4), st.one_of(st.none(), _findings))
def test_success_means_that_everything_is_supported(facts, claims, reference):
    verdict = Verdict(
        tuple(fact_verdict(1, index, one) for index, one in enumerate(facts)),
        tuple(ClaimVerdict("it is so", one) for one in claims),
        reference,
    )
    everything = [*facts, *claims, *([reference] if reference else [])]
    assert verdict.success == (bool(facts) and set(everything) == {"supported"})
    assert verdict.complete == (bool(facts) and "abstain" not in everything)
    assert msgspec.msgpack.decode(msgspec.msgpack.encode(verdict), type=Verdict) == verdict


def test_spending_adds_up():
    assert VerdictCost(1, 0, 10, 5, 2, 100, 0.5) + VerdictCost(1, 2, 1, 1, 1, 1, 0.25) == VerdictCost(
        2, 2, 11, 6, 3, 101, 0.75
    )


def test_a_judgement_has_a_reward_only_with_an_outcome_that_has_one():
    assert Judgement("a", Success()).reward == 1.0
    assert Judgement("a", JudgeUnknown("refused")).reward is None
