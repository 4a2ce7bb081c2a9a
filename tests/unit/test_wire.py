"""Bodies and errors survive the way from one process to another."""

from __future__ import annotations

import inspect

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webgym import errors
from webgym.browser import wire
from webgym.records import action as actions
from webgym.records.observation import ActionFailure, Capture, FailedReason, Observation
from webgym.records.session import SessionSpec

_EXAMPLES = {
    errors.SessionLost: lambda: errors.SessionLost("gone", reason=errors.LossReason.EXPIRED),
    errors.CapacityError: lambda: errors.CapacityError("full", retry_after=3.5),
}


def _error_classes() -> list[type[errors.WebGymError]]:
    found = [kind for _, kind in inspect.getmembers(errors, inspect.isclass)]
    return [kind for kind in found if issubclass(kind, errors.WebGymError)]


@pytest.mark.parametrize("kind", _error_classes())
def test_every_error_arrives_as_what_it_was(kind: type[errors.WebGymError]):
    error = _EXAMPLES.get(kind, lambda: kind("what happened"))()
    body = wire.decode(wire.ErrorBody, wire.encode(wire.error_body(error)))
    arrived = wire.error_from(body)
    assert type(arrived) is kind
    assert str(arrived) == str(error)
    assert vars(arrived) == vars(error)


def test_every_error_has_a_code_of_its_own():
    codes = [kind.code for kind in _error_classes()]
    assert len(codes) == len(set(codes))


def test_a_loss_for_a_reason_of_a_newer_writer_is_a_loss_all_the_same():
    error = wire.error_from(wire.ErrorBody(code="session_lost", message="sold", reason="sold_to_another"))
    assert isinstance(error, errors.SessionLost)
    assert (error.reason, str(error)) == (errors.LossReason.NODE_LOST, "sold (sold_to_another)")


def test_an_error_nobody_planned_does_not_tell_its_secrets():
    body = wire.error_body(ValueError("password=hunter2"))
    assert (body.code, "hunter2" in body.message) == ("internal", False)


def test_half_a_character_is_refused_in_a_request_and_replaced_in_an_error():
    with pytest.raises(errors.RequestError, match="StepRequest"):
        wire.encode(wire.StepRequest(actions.TypeText("\ud83d")))
    told = wire.encode(wire.error_body(errors.BrowserFault("it says \ud83d\ude00 and \ud83d")))
    assert wire.decode(wire.ErrorBody, told).message == "it says \U0001f600 and \ufffd"


def test_a_number_that_no_body_holds_is_refused():
    with pytest.raises(errors.RequestError, match="StepRequest"):
        wire.encode(wire.StepRequest(actions.Scroll(dy=2**64)))


points = st.builds(actions.Point, st.integers(-10, 10_000), st.integers(-10, 10_000))
targets = st.one_of(points, st.builds(actions.MarkRef, st.integers(0, 500)))
pixels = st.integers(-(2**63), 2**63 - 1)
texts = st.text(max_size=50)
any_action = st.one_of(
    st.builds(actions.Click, targets, st.sampled_from(["left", "right", "middle"]), st.integers(1, 3)),
    st.builds(actions.Drag, targets, targets),
    st.builds(actions.TypeText, texts, st.none() | targets, st.sampled_from(["replace", "append"]), st.booleans()),
    st.builds(actions.Press, st.lists(texts, max_size=3).map(tuple)),
    st.builds(actions.Scroll, pixels, pixels, st.none() | targets),
    st.builds(actions.Upload, targets, st.tuples(st.builds(actions.File, texts, st.binary(max_size=64)))),
    st.builds(actions.Select, targets, st.lists(texts, max_size=3).map(tuple)),
    st.just(actions.Back()),
    st.builds(actions.CloseTab, st.none() | st.integers(1, 9)),
    st.builds(actions.Answer, texts),
)


@given(any_action, st.sampled_from([wire.JSON, wire.MSGPACK]))
def test_every_action_survives_both_encodings(action: actions.Action, media_type: str):
    request = wire.StepRequest(action)
    assert wire.decode(wire.StepRequest, wire.encode(request, media_type), media_type) == request


def test_a_capture_survives_with_its_bytes():
    observation = Observation(sequence=3, url="http://x", effect=ActionFailure(FailedReason.MARK_GONE, "mark 4"))
    capture = Capture(observation, {"sha256:00": bytes(range(256))})
    assert wire.decode(Capture, wire.encode(capture)) == capture


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b'{"action": {"kind": "fly"}}',
        b'{"action": {"kind": "click"}}',
        b'{"look": {"quality": "high"}}',
        b"\xff",
    ],
)
def test_a_malformed_body_is_told_where_it_is_wrong(body: bytes):
    with pytest.raises(errors.RequestError, match="StepRequest: "):
        wire.decode(wire.StepRequest, body, wire.JSON)


def test_fields_of_a_newer_writer_are_ignored():
    spec = wire.decode(SessionSpec, b'{"start_url": "http://x", "invented_later": 1}', wire.JSON)
    assert spec == SessionSpec(start_url="http://x")
