"""Credit: what other answers from the same state, and facts that hold, tell of an attempt."""

from __future__ import annotations

import msgspec
import pytest
from tests.unit.buffer.making import MAKER, UNGRADED, attempt, tokens

from webgym.buffer.advantages import DroppedGroup, GroupAdvantages, score
from webgym.buffer.batches import Weighing, batch_of
from webgym.buffer.credit import credit
from webgym.buffer.groups import Group, ScoredGroup, score_group
from webgym.records.decision import Branch
from webgym.records.prompt import Completion, unpack_ids, unpack_logprobs
from webgym.records.trajectory import Failure, Success, Trajectory, Truncation
from webgym.records.verdict import FactVerdict, Verdict


def branched(trajectory: Trajectory, *rewards: float | None) -> Trajectory:
    """The attempt with a branch at its answer for each of these rewards; the n-th replies n + 1 tokens."""
    last = trajectory.steps[-1]
    said = [tokens(number, 3) for number in range(1, len(rewards) + 1)]
    branches = tuple(Branch("other", Completion("", tokens=msgspec.structs.replace(one, prompt=b""))) for one in said)
    turn = msgspec.structs.replace(last.turn, branches=branches)
    steps = (*trajectory.steps[:-1], msgspec.structs.replace(last, turn=turn))
    ending = msgspec.structs.replace(trajectory.ending, branch_rewards=rewards)
    return msgspec.structs.replace(trajectory, steps=steps, ending=ending)


def learned(*members: Trajectory, weighing: Weighing = Weighing(branches=0.5)):
    scored = score_group(Group("g", members), "grpo")
    assert isinstance(scored, ScoredGroup)
    return scored, batch_of([scored], MAKER, weighing, 4).samples


def test_an_attempt_is_worth_what_its_answers_are_worth_on_average():
    assert credit(branched(attempt("a", Failure()), 1.0, 1.0, None)) == pytest.approx(2 / 3)
    assert credit(attempt("a", Success())) == 1.0


@pytest.mark.parametrize("outcome", UNGRADED)
def test_an_attempt_that_was_not_graded_has_no_worth_whatever_its_branches_brought(outcome):
    assert credit(branched(attempt("a", outcome), 1.0)) is None


def test_each_answer_is_weighed_against_those_from_the_same_state():
    lucky, other = branched(attempt("lucky", Success(), [2, 2]), 0.0, 0.0, None, 0.0), attempt("other", Failure(), [2])
    scored, samples = learned(lucky, other)
    way = {member.attempt.attempt_id: advantage for member, advantage in scored.members}["lucky"]
    among = score([1.0, 0.0, 0.0, 0.0], "grpo")
    assert isinstance(among, GroupAdvantages)
    best, worse = among.advantages[0], among.advantages[1]
    found = [(one.step, one.advantage) for one in samples if one.attempt_id == "lucky"]
    expected = [(1, way), (2, way + 0.5 * best), (2, 0.5 * worse), (2, 0.5 * worse), (2, 0.5 * worse)]
    assert [step for step, _ in found] == [step for step, _ in expected]
    assert [one for _, one in found] == pytest.approx([one for _, one in expected])
    assert {one.step for one in samples if one.attempt_id == "other"} == {1}


def test_a_branch_becomes_a_row_of_its_own_tokens_behind_the_prompt_that_it_shares():
    _, samples = learned(branched(attempt("lucky", Success(), [2, 2]), 0.0), attempt("other", Failure(), [2]))
    said, branch = [one for one in samples if one.attempt_id == "lucky" and one.step == 2]
    assert branch.prompt == said.prompt
    assert branch.pictures == said.pictures
    assert list(unpack_ids(branch.sampled)) == [10]
    assert list(unpack_ids(branch.versions)) == [3]
    assert list(unpack_logprobs(branch.weights)) == pytest.approx([branch.advantage / (2 * 10)])


def test_answers_that_all_brought_the_same_say_nothing_of_each_other():
    won, lost = branched(attempt("won", Success(), [2]), 1.0, 1.0), branched(attempt("lost", Failure(), [2]), 0.0)
    _, samples = learned(won, lost)
    assert [(one.attempt_id, one.advantage) for one in samples] == [
        ("won", pytest.approx(1.0, abs=1e-4)),
        ("lost", pytest.approx(-1.0, abs=1e-4)),
    ]


def with_facts(trajectory: Trajectory, *holds: bool) -> Trajectory:
    verdict = Verdict(tuple(FactVerdict(1, index, one) for index, one in enumerate(holds)))
    return msgspec.structs.replace(trajectory, ending=msgspec.structs.replace(trajectory.ending, verdict=verdict))


def test_facts_that_hold_are_worth_their_share_below_success_and_only_if_asked_for():
    failed = with_facts(attempt("a", Failure()), True, False)
    assert credit(failed) == 0.0
    assert credit(failed, 0.5) == 0.25
    assert credit(with_facts(attempt("b", Truncation("steps")), True, True), 0.5) == 0.5
    assert credit(with_facts(attempt("c", Success()), True, True), 0.5) == 1.0
    assert credit(with_facts(attempt("d", UNGRADED[0]), True), 0.5) is None


def test_an_environment_may_say_itself_what_a_failure_is_worth():
    failed = with_facts(attempt("a", Failure()), True, False)
    verdict = msgspec.structs.replace(failed.ending.verdict, credit=0.8)
    told = msgspec.structs.replace(failed, ending=msgspec.structs.replace(failed.ending, verdict=verdict))
    assert credit(told) == 0.0
    assert credit(told, 0.5) == 0.4
    none = msgspec.structs.replace(told.ending, verdict=msgspec.structs.replace(verdict, credit=0.0))
    assert credit(msgspec.structs.replace(told, ending=none), 0.5) == 0.0


def test_partial_credit_lets_a_group_without_a_success_teach():
    group = Group("g", (with_facts(attempt("half", Failure()), True, False), attempt("none", Failure())))
    assert score_group(group, "grpo") == DroppedGroup("all_fail")
    scored = score_group(group, "grpo", 0.5)
    assert isinstance(scored, ScoredGroup)
    assert [advantage for _, advantage in scored.members] == pytest.approx([0.25, -0.25], abs=1e-4)


def test_a_group_in_which_no_attempt_succeeded_still_teaches_if_a_branch_did():
    nearly, lost = branched(attempt("nearly", Failure(), [2]), 1.0, 0.0, 0.0), attempt("lost", Failure(), [2])
    scored, _ = learned(nearly, lost)
    advantages = [advantage for _, advantage in scored.members]
    # The attempts differ by a quarter of a success, so they weigh a quarter of what two that differ by one do.
    assert advantages == pytest.approx([0.25, -0.25], abs=1e-4)
