"""What became of an action."""

from __future__ import annotations

import msgspec
import pytest
from tests.unit.buffer.making import attempt, look

from webgym.buffer.effects import effects, worth_cloning
from webgym.records.decision import MalformedReply, Turn
from webgym.records.observation import ActionFailure, FailedReason, NoChange, PageChange
from webgym.records.trajectory import Ending, Success, Trajectory


def followed_by(effect, picture=None) -> Trajectory:
    """An attempt of two steps, the first of which led to this."""
    one = attempt("a")
    second = msgspec.structs.replace(one.steps[1], observation=look(2, effect, picture))
    return msgspec.structs.replace(one, steps=(one.steps[0], second))


@pytest.mark.parametrize(
    ("effect", "picture", "expected"),
    [
        (PageChange(), None, "changed"),
        (PageChange(("value",)), "1", "changed"),
        (NoChange(), "1", "unchanged"),
        (NoChange(), None, "unchanged"),
        (ActionFailure(FailedReason.OFF_VIEWPORT), "1", "failed"),
        (ActionFailure(FailedReason.PAGE_CRASHED), None, "changed"),
        (None, "1", "unchanged"),
        (None, None, "changed"),
    ],
)
def test_the_next_look_says_what_an_action_did(effect, picture, expected):
    assert effects(followed_by(effect, picture)) == (expected, "answered")


def test_the_last_action_is_judged_by_the_last_look():
    one = followed_by(PageChange())
    first = one.steps[:1]
    assert effects(Trajectory(one.attempt, first, Ending(Success()))) == ("unseen",)
    assert effects(Trajectory(one.attempt, first, Ending(Success(), last=look(2, NoChange())))) == ("unchanged",)


def test_a_reply_without_an_action_is_not_credited_with_what_the_action_before_it_did():
    one = followed_by(PageChange())
    broken = msgspec.structs.replace(one.steps[0], turn=Turn(MalformedReply("no_call", "Call a tool.")))
    assert effects(msgspec.structs.replace(one, steps=(broken, one.steps[1]))) == ("malformed", "answered")


def test_an_answer_is_always_worth_cloning_and_what_did_nothing_never():
    assert worth_cloning(followed_by(PageChange())) == (True, True)
    assert worth_cloning(followed_by(NoChange())) == (False, True)
    assert worth_cloning(followed_by(ActionFailure(FailedReason.MARK_GONE), "1")) == (False, True)
