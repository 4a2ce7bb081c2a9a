"""Steps that are compared with the steps that began in the same state."""

from __future__ import annotations

import msgspec
import pytest
from tests.unit.buffer.making import MAKER, attempt, look

from webgym.algorithms.advantages.chosen import estimator_of
from webgym.algorithms.advantages.estimator import Member
from webgym.buffer.advantages import DroppedGroup, GroupAdvantages, score
from webgym.buffer.batches import Weighing, batch_of
from webgym.buffer.groups import BatchRequirements, Collector, Group, ScoredGroup, score_group
from webgym.buffer.states import states
from webgym.records.observation import Blob
from webgym.records.prompt import unpack_logprobs
from webgym.records.trajectory import Failure, Infrastructure, Success, Trajectory


def visiting(trajectory: Trajectory, *places: str) -> Trajectory:
    """Make the steps begin at these places."""
    steps = tuple(
        msgspec.structs.replace(
            step,
            observation=msgspec.structs.replace(
                look(step.number, None), url=f"http://a.example/{place}", screenshot=Blob(f"sha256:{place}", "", 1)
            ),
        )
        for step, place in zip(trajectory.steps, places, strict=True)
    )
    return msgspec.structs.replace(trajectory, steps=steps)


GROUP = Group(
    "g",
    (
        visiting(attempt("good", Success(), [1, 1]), "home", "list"),
        visiting(attempt("lost", Infrastructure("timeout"), [1]), "home"),
        visiting(attempt("bad", Failure(), [1, 1, 1]), "home", "help", "list"),
    ),
)


def test_the_advantages_are_those_worked_out_by_hand():
    gigpo = estimator_of("gigpo", {"discount": 0.5, "step_weight": 2.0})
    members = [Member(1.0, ("home", "list")), Member(0.0, ("home", "help", "list"))]
    good, bad = gigpo(members)
    # Worth 0.5 and 0 from home, 1 and 0 from the list; nobody else was at the help page.
    assert good == pytest.approx([0.5 + 2 * 0.25, 0.5 + 2 * 0.5])
    assert bad == pytest.approx([-0.5 - 2 * 0.25, -0.5, -0.5 - 2 * 0.5])


def test_the_state_is_the_address_and_the_picture():
    good, _, bad = map(states, GROUP.members)
    assert good[0] == bad[0] != good[1] == bad[2] != bad[1]


def test_every_step_of_a_batch_has_its_own_advantage():
    scored = score_group(GROUP, estimator_of("gigpo", {"discount": 1.0}))
    assert isinstance(scored, ScoredGroup)
    batch = batch_of([scored], MAKER, Weighing("constant", k=1), 0)
    found = {(one.attempt_id, one.step): one.advantage for one in batch.samples}
    assert found == pytest.approx({("good", 1): 1, ("good", 2): 1, ("bad", 1): -1, ("bad", 2): -0.5, ("bad", 3): -1})
    assert [unpack_logprobs(one.weights)[0] for one in batch.samples] == pytest.approx(
        [one.advantage / 2 for one in batch.samples]
    )


def test_a_stale_member_takes_its_steps_along():
    collector = Collector(BatchRequirements(1, estimator_of("gigpo", {"discount": 1.0}), max_lag=0, stale="member"))
    old = attempt("old", Success(), [1], version=0)
    new = visiting(attempt("new", Failure(), [1, 1], version=5), "home", "help")
    assert collector.put(Group("g", (visiting(old, "home"), new))) == "kept"
    [group] = collector.take(5)
    assert [one.attempt.attempt_id for one, _ in group.members] == ["new"]
    assert dict(group.by_step)[group.members[0][0]] == pytest.approx((-1, -0.5))


def test_replies_to_one_prompt_are_compared_as_steps_from_one_state():
    found = score((1.0, None, 0.0), estimator_of("gigpo", {"step_weight": 0.0}))
    assert found == GroupAdvantages((0.5, None, -0.5), ((0.5,), None, (-0.5,)))


def test_groups_without_signal_are_dropped_as_with_other_estimators():
    assert score((1.0, 1.0), "gigpo", [("a", "b"), ("a",)]) == DroppedGroup("all_pass")
