"""The parser: no path from malformed text to a score."""

from __future__ import annotations

import json

import msgspec
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from webgym.errors import JudgeUnclear
from webgym.judge.replies import (
    REPLIES,
    BlockedReply,
    VerdictReply,
    WholeReply,
    check_marks,
    check_verdict,
    read,
)
from webgym.llm.structured import response_format, schema_of
from webgym.records.verdict import FINDINGS

FACTS = ("1.1", "1.2", "2.1")
NUMBERS = (1, 3, 4)
GOOD = {
    "claims": [{"claim": "It costs 7.", "screenshots": [3], "why": "shown", "finding": "supported"}],
    "facts": [
        {"fact": key, "on_answer": False, "screenshots": [4], "why": "shown", "finding": "supported"} for key in FACTS
    ],
    "reference": None,
}
KEYWORDS = ("supported", "success", "SUCCESS", "not", "NOT", "verdict", "Verdict:", "1", "true", "facts", "finding")


def _verdict(text: str, finish: str = "stop", answer: str = "It costs 7.", reference: str = "") -> VerdictReply:
    reply = read(finish, text, VerdictReply)
    check_verdict(reply, FACTS, NUMBERS, answer, reference)
    return reply


def test_what_is_of_the_form_asked_for_is_read():
    text = json.dumps(GOOD)
    for one in (text, f"```json\n{text}\n```", f"<think>NOT a success?</think>\n{text}", f"  {text}\n"):
        assert [fact.finding for fact in _verdict(one).facts] == ["supported"] * 3


@pytest.mark.parametrize("finish", ["length", "refused", "tool", "", "content_filter"])
def test_a_reply_that_did_not_end_by_itself_is_none_however_good_it_looks(finish):
    with pytest.raises(JudgeUnclear):
        _verdict(json.dumps(GOOD), finish)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "null",
        "1",
        "true",
        "[]",
        "{}",
        '"supported"',
        "SUCCESS",
        "Verdict: SUCCESS",
        "Verdict: NOT a success",
        "The agent succeeded: all facts are supported.",
        f"{json.dumps(GOOD)} Verdict: SUCCESS",
        f"Sure! {json.dumps(GOOD)}",
        f"{json.dumps(GOOD)}{json.dumps(GOOD)}",
        f"[{json.dumps(GOOD)}]",
        f"```json\n{json.dumps(GOOD)}",
        f"text\n```json\n{json.dumps(GOOD)}\n```",
        json.dumps(GOOD)[:-1],
        json.dumps(GOOD).replace('"supported"', '"Supported"'),
        json.dumps(GOOD).replace('"supported"', "true"),
        json.dumps(GOOD).replace('"supported"', '"supported "'),
        json.dumps(GOOD).replace('"supported"', "1"),
        json.dumps(GOOD).replace('"finding"', '"verdict"'),
        json.dumps(GOOD).replace('"finding": "supported"', '"finding": "abstain", "finding": "supported"'),
        json.dumps(GOOD).replace("[4]", "[2]"),
        json.dumps(GOOD).replace("[4]", "[]"),
        json.dumps(GOOD).replace("[4]", "[4.5]"),
        json.dumps(GOOD).replace("[3]", "[]"),
        json.dumps(GOOD).replace("1.2", "1.1"),
        json.dumps(GOOD).replace("2.1", "2.2"),
        json.dumps({**GOOD, "facts": GOOD["facts"][:2]}),
        json.dumps({**GOOD, "facts": [*GOOD["facts"], GOOD["facts"][0]]}),
        json.dumps({**GOOD, "claims": []}),
        json.dumps({**GOOD, "success": True}),
        json.dumps({key: value for key, value in GOOD.items() if key != "reference"}),
        json.dumps({**GOOD, "reference": {"why": "", "finding": "supported"}}),
        "[" * 5000,
        '{"facts": ' * 5000,
    ],
    ids=lambda text: text[:40],
)
def test_anything_else_is_no_verdict(text):
    with pytest.raises(JudgeUnclear):
        _verdict(text)


def test_a_reference_answer_must_be_compared_and_an_empty_answer_claims_nothing():
    with pytest.raises(JudgeUnclear, match="REFERENCE"):
        _verdict(json.dumps(GOOD), reference="7")
    with pytest.raises(JudgeUnclear, match="claims"):
        _verdict(json.dumps(GOOD), answer=" ")
    assert _verdict(json.dumps({**GOOD, "claims": []}), answer="")


def test_a_fact_about_the_answer_rests_on_the_answer_if_there_is_one():
    facts = [{**one, "on_answer": True, "screenshots": []} for one in GOOD["facts"]]
    assert _verdict(json.dumps({**GOOD, "facts": facts}))
    with pytest.raises(JudgeUnclear, match="without a screenshot"):
        _verdict(json.dumps({**GOOD, "facts": facts, "claims": []}), answer="")


def test_an_empty_answer_says_neither_a_fact_nor_the_reference():
    facts = [{**one, "on_answer": True} for one in GOOD["facts"]]
    silent = {**GOOD, "claims": []}
    with pytest.raises(JudgeUnclear, match="the answer is empty"):
        _verdict(json.dumps({**silent, "facts": facts}), answer=" ")
    same = {"why": "it is", "finding": "supported"}
    with pytest.raises(JudgeUnclear, match="the answer is empty"):
        _verdict(json.dumps({**silent, "reference": same}), answer="", reference="7")
    assert _verdict(json.dumps({**silent, "reference": {**same, "finding": "not_shown"}}), answer="", reference="7")


def test_marks_name_what_was_shown():
    good = {
        "marks": [{"fact": "1.1", "screenshot": 3, "relevance": 3}],
        "refusal": {"why": "", "refused": False},
        **GOOD,
    }
    reply = read("stop", json.dumps(good), WholeReply)
    check_marks(reply.marks, FACTS, NUMBERS)
    for wrong in ({"fact": "9.9"}, {"screenshot": 2}):
        marks = read("stop", json.dumps({**good, "marks": [{**good["marks"][0], **wrong}]}), WholeReply).marks
        with pytest.raises(JudgeUnclear):
            check_marks(marks, FACTS, NUMBERS)
    for wrong in ({"relevance": 4}, {"relevance": -1}, {"relevance": "3"}, {"relevance": 2.5}):
        with pytest.raises(JudgeUnclear):
            read("stop", json.dumps({**good, "marks": [{**good["marks"][0], **wrong}]}), WholeReply)


_text = st.one_of(
    st.text(max_size=200),
    st.lists(st.sampled_from([*KEYWORDS, *'{}[]":, \n', *FINDINGS, "```", "</think>"]), max_size=60).map("".join),
)


@given(_text, st.sampled_from(["stop", "stop", "stop", "length", "refused", "tool"]))
@settings(max_examples=400, suppress_health_check=[HealthCheck.too_slow])
@example("NOT a success", "stop")
def test_text_made_of_a_verdicts_words_is_no_verdict(text, finish):
    with pytest.raises(JudgeUnclear):
        _verdict(text, finish)
    with pytest.raises(JudgeUnclear):
        read(finish, text, BlockedReply)


@st.composite
def _damaged(draw: st.DrawFn) -> str:
    """A good reply with some of its characters cut out, doubled or exchanged."""
    text = json.dumps(GOOD)
    for _ in range(draw(st.integers(1, 4))):
        at = draw(st.integers(0, len(text) - 1))
        to = draw(st.integers(at, min(len(text), at + 30)))
        text = (
            text[:at]
            + draw(st.sampled_from(["", text[at:to] * 2, *KEYWORDS, '"', "{", "}", "[", "]", ","]))
            + text[to:]
        )
    return text


@given(_damaged())
@settings(max_examples=600, suppress_health_check=[HealthCheck.too_slow])
def test_a_damaged_reply_is_refused_or_says_what_an_independent_reader_finds_in_it(text):
    """Damage can leave a valid reply, as where it hits words only. Then nothing may be read into it."""
    try:
        reply = _verdict(text)
    except JudgeUnclear:
        return
    plain = json.loads(text.rpartition("</think>")[2])
    assert {one["fact"]: one["finding"] for one in plain["facts"]} == {one.fact: one.finding for one in reply.facts}
    assert sorted(one.fact for one in reply.facts) == sorted(FACTS)
    assert set(plain) == {"claims", "facts", "reference"}
    assert all(one.screenshots for one in reply.facts if one.finding in {"supported", "contradicted"})


_json = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(-3, 5), st.sampled_from([*FINDINGS, *FACTS, "", "yes"])),
    lambda inner: st.one_of(
        st.lists(inner, max_size=4),
        st.dictionaries(
            st.sampled_from(
                ["facts", "claims", "reference", "fact", "finding", "screenshots", "why", "on_answer", "claim"]
            ),
            inner,
            max_size=5,
        ),
    ),
    max_leaves=25,
)


@given(_json)
@settings(max_examples=400)
def test_json_of_another_form_is_no_verdict(value):
    with pytest.raises(JudgeUnclear):
        _verdict(json.dumps(value))


def test_schemas_are_as_hosted_models_take_them():
    def check(node: object) -> None:
        if isinstance(node, dict):
            if node.get("type") == "object":
                assert node["additionalProperties"] is False
                assert sorted(node["required"]) == sorted(node["properties"])
            assert "default" not in node
            for inner in node.values():
                check(inner)
        elif isinstance(node, list):
            for inner in node:
                check(inner)

    for kind, form in REPLIES.items():
        schema = schema_of(form)
        assert schema["type"] == "object"
        check(schema)
        assert response_format("schema", kind, form)["response_format"]["json_schema"]["name"] == kind
        assert response_format("off", kind, form) == {}
        assert msgspec.json.encode(response_format("object", kind, form))
