"""What the judge's model is sent, and that nothing it says but a verdict earns anything."""

from __future__ import annotations

import json

import anyio
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from webgym.errors import JudgeError
from webgym.judge.cached_client import CachedClient, models_of
from webgym.judge.evidence import evidence_of
from webgym.judge.pictures import LoadedPicture
from webgym.judge.prompt import judge_prompt
from webgym.judge.replies import REPLIES
from webgym.judge.rubric import rubric_judge
from webgym.judge.settings import JudgeSettings
from webgym.llm.config import ModelConfig
from webgym.llm.paid_reply import MemoryReplyStore
from webgym.records.prompt import Completion, Picture, Prompt, Text
from webgym.records.trajectory import reward
from webgym.records.verdict import FINDINGS
from webgym.rollout.outcome import outcome_of
from webgym.testing.judge_cases import JudgeCase, made_case
from webgym.testing.vlm_world import World

SETTINGS = JudgeSettings(model=ModelConfig(servers=("http://127.0.0.1:9/v1",), model="m"), all_shown=99, rounds=1)


def _prompt(case: JudgeCase, kind="verdict") -> Prompt:
    evidence = evidence_of(case.attempt.task, case.steps, case.last, case.answer or "")
    shown = [
        (number, LoadedPicture(Picture(seen.shot.address, 8, 8), b"x"))
        for number, seen in enumerate(evidence.seen, start=1)
    ]
    return judge_prompt(evidence, shown, kind)


def test_attempts_at_one_task_share_the_beginning_of_their_prompts():
    one, other = made_case(1, World(), story="good"), made_case(2, World(), story="missing")
    other = JudgeCase(**{**{name: getattr(other, name) for name in JudgeCase.__slots__}, "attempt": one.attempt})
    first, second = _prompt(one), _prompt(other)
    assert first.messages[0] == second.messages[0]
    assert first.messages[1].parts[0] == second.messages[1].parts[0]
    assert first.messages[1].parts[1:] != second.messages[1].parts[1:]
    verdict, whole = _prompt(one), _prompt(one, "whole")
    assert verdict.messages[1].parts[:-1] == whole.messages[1].parts[:-1]  # only the question differs


def test_the_question_comes_last_and_answer_and_reference_only_where_they_are_judged():
    case = made_case(4, World(), story="other_answer")
    for kind in REPLIES:
        last = _prompt(case, kind).messages[-1].parts[-1]
        assert isinstance(last, Text)
        labels = [line for line in last.text.splitlines() if line.isupper()]
        wanted = {"relevance": ["ANSWER"], "blocked": []}.get(kind, ["ANSWER", "REFERENCE"])
        assert labels == ["ACTIONS", *wanted, "QUESTION"]


class _Saying:
    """A client that says this, whatever it is asked."""

    def __init__(self, text: str, finish: str) -> None:
        self._completion = Completion(text, finish=finish)

    async def complete(self, prompt, pictures, *, affinity=""):
        del prompt, pictures, affinity
        return self._completion


def _reward(case: JudgeCase, text: str, finish: str) -> float | None:
    """What an attempt earns if the model says this."""
    client = _Saying(text, finish)
    cached = CachedClient(dict.fromkeys(REPLIES, client), models_of(SETTINGS), MemoryReplyStore(), SETTINGS)
    judge = rubric_judge(SETTINGS, cached, case.pictures.get)

    async def judged():
        try:
            verdict = await judge.judge(case.attempt, case.steps, case.last, case.answer or "")
        except JudgeError:
            verdict = None
        return outcome_of(case.answer, case.end, verdict)

    return reward(anyio.run(judged))


CASE = made_case(1, World(), story="good")
FACTS = [f"{group.id}.{index + 1}" for group in CASE.attempt.task.rubric for index in range(len(group.facts))]
LAST = len(CASE.pictures)


def _whole(finding: str) -> dict:
    found = {"screenshots": [LAST], "why": "", "finding": finding}
    reference = {"why": "", "finding": finding} if CASE.attempt.task.reference else None
    return {
        "marks": [],
        "refusal": {"why": "", "refused": False},
        "claims": [{"claim": "c", **found}],
        "facts": [{"fact": key, "on_answer": False, **found} for key in FACTS],
        "reference": reference,
    }


def test_a_verdict_earns_what_it_says():
    earned = {finding: _reward(CASE, json.dumps(_whole(finding)), "stop") for finding in FINDINGS}
    assert earned == {"supported": 1.0, "contradicted": 0.0, "not_shown": 0.0, "abstain": None}
    assert _reward(CASE, json.dumps(_whole("supported")), "length") is None


@given(
    st.one_of(
        st.text(max_size=60),
        st.sampled_from(["Verdict: NOT a success", "SUCCESS", "1", "null", "{}", '{"success": true}']),
        st.integers(1, len(json.dumps(_whole("supported"))) - 1).map(lambda cut: json.dumps(_whole("supported"))[:cut]),
        st.sampled_from(sorted(_whole("supported"))).map(
            lambda name: json.dumps({key: value for key, value in _whole("supported").items() if key != name})
        ),
    ),
    st.sampled_from(["stop", "length", "refused", "tool"]),
)
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_whatever_else_a_model_says_there_is_no_reward(text, finish):
    assert _reward(CASE, text, finish) is None
